# Part of follow.sh: opens the log on descriptor 3, and says what lies under its path instead.

open_file() { # PATH: on descriptor 3, with $id, $size, $mtime
  # `command`, or a failure would end a POSIX shell
  command exec 3<"$1" || return 1
  # shellcheck disable=SC2046 # three words
  set -- $(stat -Lc '%d:%i %s %Y' /proc/$me/fd/3 2>/dev/null)
  id=${1-} size=${2-0} mtime=${3-0} late=''
  [ -n "$id" ]
}

# Opens what an earlier run was reading: under its path, or renamed beside it.
open_wanted() {
  if [ -r "$file" ] && open_file "$file" 2>/dev/null && [ "$id" = "$wanted" ]; then return 0; fi
  open_sibling "$wanted"
}

# Opens what comes next: the file under the path, or one that was there since and is renamed away as well.
open_next() {
  [ -f "$file" ] && open_file "$file" 2>/dev/null # opening a pipe would block
  find_real
  if [ -n "$gone" ]; then
    # Looked for after the opening, so that whatever was there before it is found.
    later_sibling
    [ "$told_packed" = "$gone" ] || for one in $packed; do say 'G %s\n' "$one"; done
    told_packed=$gone
    if [ -n "$later" ]; then
      differs=$settle # its writer has moved on long ago
      open_sibling "$later" || open_file "$file" 2>/dev/null
    fi
  fi
  [ -n "$id" ]
}

find_real() {
  real=$(readlink -f "$file" 2>/dev/null && echo .) # the dot keeps a newline at the end of a name
  real=${real%?.}
}

. ./hex.sh
