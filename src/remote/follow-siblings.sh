# Part of follow.sh: files that were renamed away from the log's path and lie beside it.

# Opens the file with that id, whatever its name is by now.
open_sibling() { # DEV:INO
  for folder in "${file%/*}" "${real%/*}"; do
    [ -d "$folder" ] || continue
    # Its name may hold anything: the first one ends at a byte that no name of a log has.
    sibling=$(find "$folder/" -maxdepth 1 -type f -inum "${1#*:}" -exec printf '%s\001' {} \; 2>/dev/null)
    sibling=${sibling%%"$(printf '\001')"*}
    if [ -n "$sibling" ] && open_file "$sibling" 2>/dev/null && [ "$id" = "$1" ]; then
      late=' late' # it had lost its path before it was opened
      return 0
    fi
  done
  id=''
  return 1
}

# The open file was read to its end, and another one has its path.
leave() {
  say 'R%s\n' "$late"
  gone=$id
  gone_stat=$(TZ=UTC0 stat -Lc '%y %d:%i %Y' /proc/$me/fd/3 2>/dev/null)
  id=''
}

# Sets $later to the id of the file that was under the path right after the one that was left, if it is not there any
# more: two rotations can lie between two looks. Such files are named NAME.1, NAME-20260101, NAME.2026-01-01_00-00, were
# last written after it, and were not there long before its end (`NAME.2` may as well be another rank's log). Sets
# $packed to the sizes, or `-`, of those before it that have been packed since: packers keep the time of the last write.
later_sibling() {
  later=$(
    [ -n "$gone_stat" ] || exit 0
    for name in "$file" "$real"; do
      for one in "$name"[._-][0-9]*; do
        case ${one#"$name"} in
          *[!0-9T:._-]*.gz | *[!0-9T:._-]*.xz | *[!0-9T:._-]*.zst | *[!0-9T:._-]*.bz2) continue ;;
          *.gz) content=$(tail -c 4 "$one" 2>/dev/null | od -An -tu4 | tr -d ' ') ;; # RFC 1952: ISIZE
          *.xz | *.zst | *.bz2) content=- ;;
          *[!0-9T:._-]*) continue ;;
          *) content='' ;;
        esac
        [ -f "$one" ] && TZ=UTC0 stat -Lc "%y %d:%i %W $content" "$one"
      done
      [ "$file" = "$real" ] && break
    done 2>/dev/null | { echo "$gone_stat"; cat; } | sort -u | {
      passed=''
      while read -r _ _ _ node birth content; do
        [ "$node" = "$gone" ] && passed=1 && continue
        [ -n "$passed" ] || continue
        [ "$node" = "$id" ] && break
        # `%W` is 0, `-` or the letter itself where the time of birth is not known.
        case $birth in '' | 0 | *[!0-9]*) ;; *) [ "$birth" -ge $((${gone_stat##* } - 2)) ] || continue ;; esac
        if [ -n "$content" ]; then
          echo "packed $content"
          continue
        fi
        echo "$node"
        break
      done
    }
  )
  packed=''
  while :; do
    case $later in
      "packed "*)
        one=${later%%"$newline"*}
        packed="$packed ${one#packed }"
        later=${later#"$one"} later=${later#"$newline"}
        ;;
      *) break ;;
    esac
  done
}
