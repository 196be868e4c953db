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
# Both say `me UID` and `owner UID NAME`, and end with `end listed|absent|rebooted|forbidden|gone|survivors`.
# A broken connection does not stop it half way.
. ./identity.sh
. ./marker.sh
. ./find.sh
. ./describe.sh
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

# One look at all processes: `p PID STATE PPID GROUP SESSION THREADS TICKS`. grep puts the file's name before every
# line, so a name with a line end in it cannot pass for another process.
table() {
  grep -sH '' /proc/[0-9]*/stat | awk '
    function row(   i, n, f) {
      while ((i = index(text, ") ")) > 0) text = substr(text, i + 2)
      n = split(text, f, " ")
      if (n >= 20) print "p", pid, f[1], f[2], f[3], f[4], f[18], f[20]
    }
    { colon = index($0, ":"); split(substr($0, 1, colon), part, "/") }
    part[3] != pid { if (pid != "") row(); pid = part[3]; text = "" }
    { text = text substr($0, colon + 1) " " }
    END { if (pid != "") row() }'
}
# Who has the marker in its environment, with the name of its parent: `m PID NAME`.
marked() {
  [ "$marker" = - ] && return
  with_marker /proc/[0-9]*/environ | while read -r environ; do
    pid=${environ#/proc/} pid=${pid%/environ} parent_name=''
    parent=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$pid/status")
    read -r parent_name 2>/dev/null <"/proc/$parent/comm"
    say "m $pid $parent_name"
  done
}
# What is known, and what this look adds. In and out: `k PID TICKS` a member, `s`/`g` a session/group of the tree,
# `o SESSION GROUP` those of the server itself, `a PID TICKS` one that is asked for besides: no tie leads from it to
# others. Out also `l PID PPID TICKS STATE`, the members that live.
# shellcheck disable=SC2016 # an awk program
members='
  function add(p) {
    if ((p in state) && !(p in member) && !(p in guarded)) { member[p] = 1; changed = 1 }
  }
  # A leader that has ended while its threads go on is a zombie by its state only.
  function runs(p) { return (state[p] != "Z" && state[p] != "X") || threads[p] > 1 }
  # A session is of the tree when a member leads it, or when its leader has gone and it is not the one that the
  # server itself was started in (an interactive shell, a start script with other children).
  function ours(id, own) { return (id in member) || (!(id in state) && own != "" && (id == root || id != own)) }
  function same(id) { return !(id in state) || ((id in known) && ticks[id] == known[id]) }
  $1 == "k" { known[$2] = $3 }
  $1 == "s" { old_session[$2] }
  $1 == "g" { old_group[$2] }
  $1 == "o" { own_session = $2; own_group = $3 }
  $1 == "m" { mark[$2] = $3 }
  $1 == "a" { also[$2] = $3 }
  $1 == "p" { state[$2] = $3; parent[$2] = $4; group[$2] = $5; session[$2] = $6; threads[$2] = $7; ticks[$2] = $8 }
  END {
    guarded[0]; guarded[1]; guarded[2]
    for (p = self; (p in state) && !(p in guarded); p = parent[p]) guarded[p]
    for (p in guarded) { not_session[session[p]]; not_group[group[p]] }
    for (p in known) if ((p in state) && ticks[p] == known[p]) add(p)
    if (own_session == "" && (root in member)) { own_session = session[root]; own_group = group[root] }
    if (own_session == "" && launched) { own_session = root; own_group = root }

    # A number stays taken while its session lives. Once it is seen empty or led by a stranger it is not ours any more.
    for (p in state) { peopled_session[session[p]]; peopled_group[group[p]] }
    for (id in old_session) if ((id in peopled_session) && same(id)) in_session[id]
    for (id in old_group) if ((id in peopled_group) && same(id)) in_group[id]

    for (p in mark) if (ticks[p] + 0 >= root_ticks + 0 && (parent[p] == 1 || mark[p] == "systemd" || (parent[p] in member))) add(p)
    # The server has gone: before its end its number could not be given to another, so its session was its own.
    if (launched && ended_ticks >= 0 && !(root in state))
      for (p in state) if (session[p] == root && ticks[p] + 0 <= ended_ticks) add(p)

    do {
      changed = 0
      for (p in state) if ((parent[p] in member) || (session[p] in in_session) || (group[p] in in_group)) add(p)
      for (p in member) {
        id = session[p]
        if (!(id in in_session) && !(id in not_session) && ours(id, own_session)) { in_session[id]; changed = 1 }
        id = group[p]
        if (!(id in in_group) && !(id in not_group) && ours(id, own_group)) { in_group[id]; changed = 1 }
      }
    } while (changed)

    if (own_session != "") print "o", own_session, own_group
    for (id in in_session) print "s", id
    for (id in in_group) print "g", id
    for (p in member) {
      print "k", p, ticks[p]
      if (runs(p)) print "l", p, parent[p], ticks[p], state[p]
    }
    for (p in also) {
      print "a", p, also[p]
      if ((p in state) && ticks[p] == also[p] && !(p in member) && !(p in guarded) && runs(p)) print "l", p, parent[p], ticks[p], state[p]
    }
  }'
# Takes the next look: $living holds `PID PPID TICKS STATE UID` a line.
look() {
  seen_now=$({ say "$memory" && marked && table; } | awk -v self=$$ -v root="$root" -v root_ticks="$root_ticks" \
    -v launched="$launched" -v ended_ticks="$ended_ticks" "$members")
  memory=$(say "$seen_now" | grep '^[kosga] ')
  status_files=''
  for pid in $(say "$seen_now" | sed -n 's/^l \([0-9]*\) .*/\1/p' | sort -n); do status_files="$status_files /proc/$pid/status"; done
  living=''
  [ -n "$status_files" ] || return 0
  # shellcheck disable=SC2086 # a list of paths without blanks
  living=$({ say "$seen_now" && grep -sH '^Uid:' $status_files; } | awk '
    $1 == "l" { rest[$2] = $2 " " $3 " " $4 " " $5 }
    $1 ~ /:Uid:$/ { split($1, part, "/"); if (part[3] in rest) print rest[part[3]], $2 }')
}
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
