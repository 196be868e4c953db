# Lists the processes of a server, or ends them: the signal, then after a grace SIGKILL, until all are gone.
#
#   kill.sh list|kill PID TICKS BOOT SIGNAL GRACE MARKER|- ENDED|- LOG|- [PID:TICKS|+PID:TICKS|@SOCKET ...]
#
# PID, TICKS, BOOT: the server. SIGNAL: without SIG. GRACE: deciseconds. MARKER: the FIREDUP_ATTEMPT of a launch of
# ours (then PID leads its own session), ENDED: the second in which that command ended. LOG: its log, where that
# is known; else what its output goes to. PID:TICKS: a process that was seen in its tree while it lived; +PID:TICKS: one
# that is to be ended as well, alone, because the user has asked for it by name; @SOCKET: an address (as in
# /proc/net/tcp) that the tree listened on.
#
# A member is: the server, what was seen in its tree, whoever descends from a member, and whoever is in a session or
# process group that a member leads or made. That is kept from look to look, so a process stays known when its parent
# has gone. An orphan with the launch's marker counts as well: it can only have inherited it. Nobody is a member by
# writing to the same log, by command line, GPU or folder; never init, this script or whoever started it.
# Each member is known by its start ticks, and these are compared again immediately before every signal; a group as
# such is never signalled. Another user's process is told and not tried.
#
# stdout: list: `member PID PPID TICKS UID AGE HEX_COMMAND_LINE` (age in deciseconds), `socket ADDRESS` for each that
# the tree listens on, and `near PID TICKS UID REASON,REASON HEX_COMMAND_LINE` for who is no member but writes the log
# (`log`), has the server's command line (`command`) or works in its folder (`folder`);
# kill: `signal NAME COUNT`, `survivor PID UID STATE HEX_COMMAND_LINE` for each that is left,
# `other PID UID HEX_COMMAND_LINE` for who is no member but still has the log as its output: told, never signalled;
# `held PORT PID|- UID|- HEX_COMMAND_LINE|-` where a port of the tree is not free 5 s after its end.
# Both say `me UID` and `owner UID NAME`, and end with `end listed|absent|rebooted|forbidden|gone|survivors|blind` (the
# processes of this host could not be looked at, so it is not known who lives).
# A broken connection does not stop it half way.
. ./identity.sh
. ./marker.sh
. ./find.sh
. ./describe.sh
. ./ended-marks.sh
trap '' HUP PIPE INT
printf '\n=firedup=\n' 2>/dev/null # an rc file may have printed before
mode=$1 root=$2 root_ticks=$3 root_boot=$4 signal=$5 grace=$6 marker=$7 ended=$8 log=$9
shift 9
LC_ALL=C
export LC_ALL

say() { printf '%s\n' "$*" 2>/dev/null; }
finish() { say "end $1" && exit 0; }
pause() { sleep 0.2 2>/dev/null || sleep 1; }
clock() { # deciseconds since boot, in $now
  read -r now _ </proc/uptime
  now=${now%.*}${now#*.} now=${now%?}
}
uids_of_living() { say "$living" | awk '{ print $5 }' | sort -u; }

# Which file (or pipe) its output is, as DEVICE:INODE, in $output; empty where that cannot be told.
find_output() {
  output='' log_file=''
  if [ "$log" != - ]; then
    output=$(stat -Lc %d:%i "$log" 2>/dev/null) && log_file=$log
    return
  fi
  for fd in 1 2; do
    if [ -f "/proc/$root/fd/$fd" ] || [ -p "/proc/$root/fd/$fd" ]; then
      is_written "$root" $fd && output=$(stat -Lc %d:%i "/proc/$root/fd/$fd" 2>/dev/null) && log_file=/proc/$root/fd/$fd && return
    fi
  done
}
writers_left() { # pids
  stat -Lc '%d:%i %n' /proc/[0-9]*/fd/[12] 2>/dev/null | sed -n "s|^$output /proc/||p" | while IFS=/ read -r pid _ fd; do
    case "
$living" in *"
$pid "*) continue ;; esac
    is_written "$pid" "$fd" && say "$pid"
  done | sort -un
}
. ./kill-sockets.sh
. ./kill-near.sh

finish_kill() { # WORD
  others=''
  # What only passes the output on ends a moment after its writers.
  [ -n "$output" ] && [ -n "$(writers_left)" ] && pause && others=$(writers_left)
  for pid in $others; do
    uid=$(stat -c %u "/proc/$pid" 2>/dev/null) || continue
    say_owners "$uid"
    say "other $pid $uid $(hex_command "$pid")"
  done
  [ "$1" = survivors ] || say_held
  finish "$1"
}

. ./kill-members.sh

# NAME WHICH: signals those that live and are ours: the server alone (`root`), whoever had no signal yet (`new`), or
# `all`. Fails when none of them is ours.
send() {
  count=0 mine=0
  while read -r pid parent its_ticks _ uid; do
    if [ -z "$pid" ] || [ "$uid" != "$me" ]; then continue; fi
    mine=$((mine + 1))
    if [ "$2" = root ] && [ "$pid" != "$root" ]; then continue; fi
    if [ "$2" != all ]; then case $signalled in *" $pid:$its_ticks "*) continue ;; esac fi
    if ticks_of "$pid" && [ "$ticks" = "$its_ticks" ] && kill -s "$1" "$pid" 2>/dev/null; then
      count=$((count + 1)) signalled="$signalled$pid:$its_ticks "
    fi
  done <<END
$living
END
  [ $count -gt 0 ] && say "signal $1 $count"
  [ $mine -gt 0 ]
}
# Before the first signal: whoever watches a server that was not launched by us is to know that its end is no crash.
mark_living() {
  marked=$(marks)
  mkdir -p "${marked%/*}" && say "$living" | awk '{ print $1 ":" $3 }' >>"$marked"
  find "${marked%/*}" -maxdepth 1 -name '.ended.*' -mtime +30 -exec rm -f {} +
} 2>/dev/null
# Gone only when a second look finds nobody either: a process that was born during the first one was not in it.
nobody_left() {
  [ -z "$living" ] && pause && look && [ -z "$living" ]
}
has_root() { case "
$living" in *"
$root "*) return 0 ;; *) return 1 ;; esac; }

me=$(id -u)
say "me $me"
read -r boot </proc/sys/kernel/random/boot_id
[ "$boot" = "$root_boot" ] || finish rebooted
hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
launched=0 ended_ticks=-1
[ "$marker" = - ] || launched=1
if [ "$ended" != - ]; then
  born=$(sed -n 's/^btime //p' /proc/stat)
  ended_ticks=$(((ended + 1 - born) * hz))
fi
ancestor=$$ lineage=' '
while [ "${ancestor:-0}" -gt 0 ] && [ "$ancestor" != "$root" ]; do
  lineage="$lineage$ancestor "
  ancestor=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$ancestor/status")
done
[ "${ancestor:-0}" = "$root" ] && finish forbidden
[ "$root" = 1 ] && finish forbidden
memory="k $root $root_ticks" sockets=''
for word; do
  case $word in
    @*) sockets="$sockets ${word#?}" ;;
    +*) word=${word#?} && memory="$memory
a ${word%%:*} ${word#*:}" ;;
    *) memory="$memory
k ${word%%:*} ${word#*:}" ;;
  esac
done
signalled=' '

find_output
look
if [ -z "$living" ]; then
  if [ "$mode" = kill ]; then finish_kill absent; else finish absent; fi
fi
if [ "$mode" = list ]; then
  clock
  say_owners "$(uids_of_living)"
  say "$living" | while read -r pid parent its_ticks state uid; do
    say "member $pid $parent $its_ticks $uid $((now - its_ticks * 10 / hz)) $(hex_command "$pid")"
  done
  for socket in $(sockets_of_living); do say "socket $socket"; done
  say_near
  finish listed
fi
sockets="$sockets $(sockets_of_living | tr '\n' ' ')"
(umask 077 && mark_living)

clock
end=$((now + grace)) calm=$((now + (grace < 20 ? grace / 2 : 10)))
[ "$signal" = KILL ] && end=$now
while [ "$now" -lt "$end" ]; do
  # The server first and alone for a moment: an orderly end takes its workers along.
  if has_root && [ "$now" -lt "$calm" ]; then send "$signal" root || break; else send "$signal" new || break; fi
  pause
  look
  nobody_left && finish_kill gone
  clock
done
clock
end=$((now + 50))
while [ "$now" -lt "$end" ]; do
  send KILL all || break
  pause
  look
  nobody_left && finish_kill gone
  clock
done
nobody_left && finish_kill gone
say_owners "$(uids_of_living)"
say "$living" | while read -r pid parent its_ticks state uid; do
  say "survivor $pid $uid $state $(hex_command "$pid")"
done
finish_kill survivors
