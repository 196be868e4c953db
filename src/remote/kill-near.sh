# Part of kill.sh: who is no member of the tree but has something in common with the server.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
# Who is no member but has something in common with the server: `PID REASON,REASON`. Told, never signalled.
near() {
  folder=$(readlink "/proc/$root/cwd" 2>/dev/null)
  # Where everybody is says nothing.
  case $folder in / | /tmp | /root | "${HOME:-/}") folder='' ;; esac
  {
    [ -n "$log_file" ] && writers_of "$log_file" | sed 's/ .*/ log/'
    # Same length and checksum: the same command line. Of one that is empty nothing can be said.
    cksum /proc/[0-9]*/cmdline 2>/dev/null | awk -v root="/proc/$root/cmdline" '
      $3 == root { wanted = $1 " " $2 }
      $2 > 0 { split($3, part, "/"); sum[part[3]] = $1 " " $2 }
      END { if (wanted != "") for (p in sum) if (sum[p] == wanted) print p, "command" }'
    [ -n "$folder" ] && ls -ld /proc/[0-9]*/cwd 2>/dev/null | awk -v folder=" -> $folder" '
      { at = length($0) - length(folder) }
      at > 0 && substr($0, at + 1) == folder { p = substr($0, 1, at); sub(/.*\/proc\//, "", p); sub(/\/cwd$/, "", p); print p, "folder" }'
  } | { say "$living" | sed 's/ .*/ member/' && say "$lineage" | tr ' ' '\n' | sed '/./s/$/ member/' && cat; } | awk '
    $2 == "member" { skip[$1]; next }
    NF == 2 && !($1 in skip) && !(($1, $2) in seen) { seen[$1, $2]; reasons[$1] = reasons[$1] (reasons[$1] == "" ? "" : ",") $2 }
    END { for (p in reasons) print p, reasons[p] }' | sort -n
}
# PID REASONS: whether it is a script of firedup, or descends from one: that stands in the folder by chance. All of them
# begin as this one does, whatever shell runs them; but for the supervisor of a launch.
is_of_firedup() {
  [ "$2" = folder ] || return 1
  case $(tr '\0\n' '\n ' 2>/dev/null <"/proc/$1/cmdline" | sed -n 2p) in */firedup/*/[1-9]*/supervisor) return 0 ;; esac
  above=$1
  while [ "${above:-0}" -gt 1 ]; do
    [ -n "$own_beginning" ] && [ "$(beginning "$above")" = "$own_beginning" ] && return 0
    above=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$above/status")
  done
  return 1
}
# PID: the first bytes of what its shell was told to run
beginning() { head -c 200 2>/dev/null <"/proc/$1/cmdline" | tr '\0\n' '  ' | sed -n 's/^[^ ]* \(sh \)\{0,1\}-c \(.\{40\}\).*/\2/p'; }
own_beginning=$(beginning $$)
say_near() {
  near | while read -r pid reasons; do
    lives "$pid" && ! is_of_firedup "$pid" "$reasons" || continue
    uid=$(stat -c %u "/proc/$pid" 2>/dev/null) || continue
    say_owners "$uid"
    say "near $pid $start $uid $reasons $(hex_command "$pid")"
  done
}
