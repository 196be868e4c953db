# Part of launch.sh: refuses the start while an ended attempt of this name has left processes behind.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
# Processes that an ended attempt has left behind, in $left, and its number in $n: orphans with its mark (it can only
# have been inherited), and whoever is still in the session that its command led. A few moments after the end of a
# server some of its helpers are still on their way out.
own_line=' '
ancestor=$$
while [ "${ancestor:-0}" -gt 1 ]; do
  own_line="$own_line$ancestor "
  ancestor=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$ancestor/status")
done
is_orphan() { # PID
  parent=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$1/status")
  [ "$parent" = 1 ] && return 0
  read -r parent_name 2>/dev/null <"/proc/$parent/comm" && [ "$parent_name" = systemd ]
}
left_behind() {
  marker=''
  for other in "$base"/[1-9]*; do
    attempt_number "$other" && [ "$n" -lt $number ] && [ -f "$other/id" ] || continue
    marker="$marker${marker:+
FIREDUP_ATTEMPT=}$(cat "$other/id")"
  done
  [ -n "$marker" ] || return 1
  found=$(with_marker /proc/[0-9]*/environ | while read -r environ; do
    pid=${environ#/proc/} pid=${pid%/environ}
    case $own_line in *" $pid "*) continue ;; esac
    its_id=$(tr '\0\n' '\n ' 2>/dev/null <"$environ" | sed -n 's/^FIREDUP_ATTEMPT=//p')
    ticks_of "$pid" && [ "$process_state" != Z ] && is_orphan "$pid" && echo "$pid $its_id $ticks"
  done
    cat /proc/[0-9]*/stat 2>/dev/null | awk '
      /^[0-9]+ \(/ { pid = $1; sub(/^.*\) /, ""); if ($1 != "Z" && $1 != "X") print pid, "session", $20, $4 }')
  for other in "$base"/[1-9]*; do
    attempt_number "$other" && [ "$n" -lt $number ] && [ -f "$other/pid" ] || continue
    read -r its_pid its_ticks its_boot since _ <"$other/pid"
    [ "$its_boot" = "$boot" ] || continue
    # Without a recorded end the number of the session may be another's by now: then the mark alone counts.
    last=-1
    read -r _ ended _ 2>/dev/null <"$other/exit" && last=$(((ended + 1 - born) * hz))
    left=$(echo "$found" | awk -v id="$(cat "$other/id")" -v root="$its_pid" -v from="$its_ticks" -v last="$last" '
      $2 == "session" { if ($1 == root) taken = 1; else if ($4 == root && $3 + 0 >= from + 0 && $3 + 0 <= last) member[$1]; next }
      $2 == id && $3 + 0 >= from + 0 { pids[$1] }
      END { if (!taken) for (p in member) pids[p]; for (p in pids) line = line (line == "" ? "" : ",") p; print line }')
    [ -n "$left" ] && return 0
  done
  return 1
}
hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
born=$(sed -n 's/^btime //p' /proc/stat)
tenths=0
while left_behind; do
  [ $tenths -ge 20 ] && refuse leftover "$n $left $since $(whose "$other")"
  pause && tenths=$((tenths + 4))
done
