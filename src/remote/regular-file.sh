# Part of others: what lies under a path instead of a regular file. Reading a pipe would wait, and a device never end.

kind_of() { # FILE
  if [ -d "$1" ]; then echo 'It is a folder'
  elif [ -p "$1" ]; then echo 'It is a named pipe'
  elif [ -c "$1" ] || [ -b "$1" ]; then echo 'It is a device'
  else echo 'It is not a regular file'; fi
}

# What is not there or may not be read is left to the words of whoever reads it.
refuse_other_kinds() { # FILE
  [ -f "$1" ] || [ ! -e "$1" ] || { kind_of "$1" >&2; exit 1; }
}
