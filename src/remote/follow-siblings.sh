# Part of follow.sh: files that were renamed away from the log's path and lie beside it.

# Opens the file with that id, whatever its name is by now.
open_sibling() { # DEV:INO
  for folder in "${file%/*}" "${real%/*}"; do
    [ -d "$folder" ] || continue
    # Its name may hold anything: the first one ends at a byte that no name of a log has.
    sibling=$(find "$folder/" -maxdepth 1 -type f -inum "${1#*:}" -exec printf '%s\001' {} \; 2>/dev/null)
    sibling=${sibling%%"$(printf '\001')"*}
    if [ -n "$sibling" ] && open_file "$sibling" 2>/dev/null && [ "$id" = "$1" ]; then return 0; fi
  done
  id=''
  return 1
}

# The open file was read to its end, and another one has its path.
leave() {
  say 'R\n'
  gone=$id
  gone_stat=$(TZ=UTC0 stat -Lc '%y %d:%i %Y' /proc/$$/fd/3 2>/dev/null)
  id=''
}

# Sets $later to the id of the file that was under the path right after the one that was left, if it is not there any
# more: two rotations can lie between two looks. Such files are named NAME.1, NAME-20260101, NAME.2026-01-01_00-00, were
# last written after it, and were not there long before its end (`NAME.2` may as well be another rank's log).
later_sibling() {
  later=$(
    [ -n "$gone_stat" ] || exit 0
    set --
    for name in "$file" "$real"; do
      for one in "$name"[._-][0-9]*; do
        case ${one#"$name"} in *[!0-9T:._-]*) continue ;; esac
        [ -f "$one" ] && set -- "$@" "$one"
      done
      [ "$file" = "$real" ] && break
    done
    [ $# -gt 0 ] || exit 0
    { echo "$gone_stat" && TZ=UTC0 stat -Lc '%y %d:%i %W' "$@"; } 2>/dev/null | sort | {
      passed=''
      while read -r _ _ _ node birth; do
        [ "$node" = "$gone" ] && passed=1 && continue
        [ -n "$passed" ] || continue
        [ "$node" = "$id" ] && break
        # `%W` is 0, `-` or the letter itself where the time of birth is not known.
        case $birth in '' | 0 | *[!0-9]*) ;; *) [ "$birth" -ge $((${gone_stat##* } - 2)) ] || continue ;; esac
        echo "$node"
        break
      done
    }
  )
}
