# Part of kill.sh: the addresses that the tree listens on, and who keeps one of them after its end.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
# The addresses that members listen on, as /proc/net/tcp writes them.
sockets_of_living() {
  files=''
  for pid in $(say "$living" | cut -d' ' -f1); do files="$files /proc/$pid/fd"; done
  # shellcheck disable=SC2086 # a list of paths without blanks
  { ls -l $files 2>/dev/null && cat /proc/net/tcp /proc/net/tcp6 2>/dev/null; } | awk '
    match($0, /socket:\[[0-9]+\]$/) { mine[substr($0, RSTART + 8, RLENGTH - 9)]; next }
    $4 == "0A" && ($10 in mine) { print $2 }' | sort -u
}
# Those of $sockets that someone listens on: `ADDRESS INODE`.
held_sockets() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v wanted="$sockets" '
    BEGIN { n = split(wanted, list, " "); for (i = 1; i <= n; i++) mine[list[i]] }
    $4 == "0A" && ($2 in mine) { print $2, $10 }'
}
say_held() {
  [ -n "$sockets" ] || return 0
  clock
  end=$((now + 50))
  while [ -n "$(held_sockets)" ] && [ "$now" -lt "$end" ]; do pause && clock; done
  held_sockets | while read -r address inode; do
    pid=$(holders_of_socket "$inode" | head -n 1)
    uid=''
    [ -n "$pid" ] && uid=$(stat -c %u "/proc/$pid" 2>/dev/null) && say_owners "$uid"
    say "held $(printf %d "0x${address##*:}") ${pid:--} ${uid:--} $([ -n "$pid" ] && hex_command "$pid")"
  done
}
