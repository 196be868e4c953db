# Finds the server's process, then says what becomes of it, for as long as it is listened to.
#
#   process.sh NONCE PID LOG PORT FOLDER BEFORE
#
# Each may be empty; the first that is given decides: PID, the FOLDER of a launch, who writes LOG, who listens on
# PORT. BEFORE is `BOOT PID START FOUND_BY` of the process that an earlier run has seen alive.
#
# stdout, after the hello line (hz=, btime=), a line or block whenever something has changed:
#   A PID START FOUND_BY USER, then its tree: M PID PARENT START each, C PID COMMAND before it where that is new; end
#   G PID [CODE EPOCH oom:BEFORE:AFTER]     it is gone, and how it ended where the launch recorded that
#   N                                       nobody: every process that could be it was looked at
#   U WORDS                                 it cannot be told, and why
#   W HEX                                   LOG is not there; the process writes to this file instead
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./alive.sh
hello "$1" "hz=$(getconf CLK_TCK 2>/dev/null || echo 100)" "$(grep -h '^btime ' /proc/stat 2>/dev/null | tr ' ' =)"
. ./find.sh
. ./owner.sh
wanted=$2 log=$3 port=$4 folder=$5 before=$6
watch_stdin

nap=0.5 per_search=4 per_scan=8 # in naps
sleep 0.01 2>/dev/null || nap=1 per_search=2 per_scan=4
me=$(id -u)
told='' root='' seen=''

tell() { # LINE, unless it was the last thing said
  [ "$1" = "$told" ] || say '%s\n' "$1"
  told=$1
}

adopt() { # PID FOUND_BY
  start_of "$1" && [ "$state" != Z ] || return 1
  root=$1 root_start=$start found_by=$2 seen=1 members='' commands='' sessions='' groups='' scan=0
  user=$(stat -c %U "/proc/$root" 2>/dev/null)
  root_name=''
  read -r root_name 2>/dev/null <"/proc/$root/comm"
}

# One look for the process: adopts it, or tells why not. What was seen alive stays gone until another comes.
search() {
  if [ -n "$wanted" ]; then
    [ -n "$seen" ] && return
    adopt "$wanted" pid || { hidden=$(hidden_processes); tell "${hidden:-N}"; }
  elif [ -n "$folder" ]; then
    [ -n "$seen" ] || search_launch
  elif [ -n "$log$port" ]; then
    [ -n "$log" ] && [ -e "$log" ] && choose_root "$(sources_of "$(writers_of "$log")")" && adopt "$top" log && return
    [ -n "$port" ] && choose_root "$(listening_pids "$port")" && adopt "$top" port && return
    [ -n "$seen" ] || tell_nobody
  else
    tell 'U there is neither a log nor a port nor a pid to find it by'
  fi
}

search_launch() {
  launched='' launched_start=''
  read -r launched launched_start launched_boot _ 2>/dev/null <"$folder/pid"
  if [ -z "$launched" ]; then
    tell 'U the launch has recorded no process yet'
  elif [ "$launched_boot" = "$boot" ] && start_of "$launched" && [ "$start" = "$launched_start" ] && adopt "$launched" launch; then
    :
  else
    root=$launched
    tell_gone
  fi
}

tell_gone() {
  seen=1 ended=''
  if [ -n "$folder" ]; then
    # The supervisor writes it a moment after the end.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      read -r ended 2>/dev/null <"$folder/exit" && break
      sleep 0.1 2>/dev/null
    done
  fi
  tell "G $root${ended:+ $ended}"
  root=''
}

# Nobody was found. Twice, with nothing written meanwhile, and nobody hidden who could be it: nobody is there.
tell_nobody() {
  if [ -n "$log" ] && [ ! -e "$log" ] && [ -z "$port" ]; then
    tell 'U the log is not there'
    return
  fi
  hidden=$(hidden_owner)
  if [ -n "$hidden" ]; then
    tell "$hidden"
    return
  fi
  last_look=$look
  look=.$(stat -Lc '%i %s %Y' "$log" 2>/dev/null)
  [ -z "$last_look" ] && return
  if [ "$look" = "$last_look" ]; then tell N; else tell 'U something that cannot be seen from here writes to the log'; fi
}

# A wrapper may end and leave the server running (`sh -c "server &" >log`): then that is the process.
reroot() {
  [ "$found_by" = log ] || [ "$found_by" = port ] || return 1
  is_shell "$root_name" || return 1
  if [ "$found_by" = log ]; then left=$(sources_of "$(writers_of "$log")"); else left=$(listening_pids "$port"); fi
  known=''
  for pid in $left; do
    start_of "$pid" && case $members in *"M $pid "*" $start
"*) known="$known $pid" ;; esac
  done
  choose_root "$known" && adopt "$top" "$found_by"
}

scan_tree() {
  tree=$(family "$root" "$sessions" "$groups")
  pids=" $(printf '%s\n' "$tree" | cut -d' ' -f1 | tr '\n' ' ')"
  block='' new='' known=''
  while read -r pid its_parent its_start its_session its_group; do
    [ -n "$pid" ] || continue
    # Sessions and groups that were opened within the tree belong to it, even when a member loses its parent.
    case $pids in *" $its_session "*) sessions="$sessions $its_session" ;; esac
    case $pids in *" $its_group "*) groups="$groups $its_group" ;; esac
    name=''
    read -r name 2>/dev/null <"/proc/$pid/comm"
    key="$pid:$its_start:${name%% *}" # its command changes when it becomes another program
    known="$known $key "
    case $commands in *" $key "*) ;; *) new="$new $pid" ;; esac
    block="${block}M $pid $its_parent $its_start
"
  done <<END
$tree
END
  commands=$known
  # shellcheck disable=SC2086 # numbers
  sessions=$(printf '%s\n' $sessions | sort -un | tr '\n' ' ') groups=$(printf '%s\n' $groups | sort -un | tr '\n' ' ')
  [ "$block" = "$members" ] && [ -z "$new" ] && return
  members=$block
  told="A $root $root_start $found_by"
  say '%s %s\n' "$told" "${user:--}"
  for pid in $new; do
    command=$(tr '\0\n' '  ' 2>/dev/null <"/proc/$pid/cmdline" | cut -c1-500)
    name=''
    [ -n "$command" ] || read -r name 2>/dev/null <"/proc/$pid/comm"
    say 'C %s %s\n' "$pid" "${command:-[$name]}"
  done
  say '%send\n' "$block"
}

lost_member() {
  for pid in $pids; do [ -d "/proc/$pid" ] || return 0; done
  return 1
}

recall() { # BOOT PID START FOUND_BY
  if [ "$1" = "$boot" ] && start_of "$2" && [ "$start" = "$3" ] && adopt "$2" "$4"; then return; fi
  root=$2
  tell_gone
}

tick=0 look='' scan=0
# shellcheck disable=SC2086 # four words
[ -n "$before" ] && recall $before
while :; do
  if [ -z "$root" ]; then
    # The second look comes soon: it decides whether nobody is there.
    [ $((tick % per_search)) -eq 0 ] || [ $tick -eq 1 ] && search
    [ $tick -eq 40 ] && per_search=$((per_search * 3)) # it means a look at every open file of the host
  elif ! start_of "$root" || [ "$start" != "$root_start" ] || [ "$state" = Z ] || [ "$state" = X ]; then
    reroot || tell_gone
  fi
  if [ -n "$root" ]; then
    # Who has gone is seen without a look at every process.
    [ $((scan % per_scan)) -eq 0 ] || lost_member && scan_tree
    scan=$((scan + 1))
  fi
  [ -n "$log" ] && [ ! -e "$log" ] && [ $((tick % 10)) -eq 1 ] && tell_other_file
  tick=$((tick + 1))
  sleep $nap || end_all
done
