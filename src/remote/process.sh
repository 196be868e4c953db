# Finds the server's process, then says what becomes of it, for as long as it is listened to.
#
#   process.sh NONCE PID LOG PORT FOLDER BEFORE [ENGINE CONTAINER]
#
# Each may be empty; the first that is given decides: PID, the FOLDER of a launch, who writes LOG, who listens on
# PORT. CONTAINER goes before them all. BEFORE is `BOOT PID START FOUND_BY` of the process that an earlier run has seen
# alive, with `ID STARTED` of its container.
#
# stdout, after the hello line (hz=, btime=), a line or block whenever something has changed:
#   A PID START FOUND_BY USER, then its tree: M PID PARENT START each, C PID COMMAND before it where that is new; end
#   G PID [CODE EPOCH oom:BEFORE:AFTER]     it is gone, and how it ended where the launch recorded that
#   N [WORDS]                               nobody: every process that could be it was looked at; or why PID is none
#   U WORDS                                 it cannot be told, and why
#   W HEX                                   the process writes to this file, where there is no LOG
#   k NAME                                  it runs in this container, and was found otherwise
#   c ENGINE ID STARTED RESTARTS HEX        of a container: what the next fact is about, and the engine's error
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./alive.sh
hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
hello "$1" "hz=$hz" "$(grep -h '^btime ' /proc/stat 2>/dev/null | tr ' ' =)"
. ./find.sh
. ./marker.sh
. ./owner.sh
. ./heir.sh
. ./output-file.sh
. ./container.sh
wanted=$2 log=$3 port=$4 folder=$5 before=$6 engine=${7:-} container=${8:-}
. ./container-process.sh
watch_stdin

nap=0.5 per_search=4 per_scan=8 # in naps
sleep 0.01 2>/dev/null || nap=1 per_search=2 per_scan=4
me=$(id -u)
told='' root='' seen=''

tell() { # LINE, unless it was the last thing said
  [ "$1" = "$told" ] || say '%s\n' "$1"
  told=$1
}

adopt() { # PID FOUND_BY [PIDS: others that are roots of its tree as well]
  lives "$1" || return 1
  root=$1 root_start=$start root_parent=$parent root_session=$session roots="$1 ${3-}" found_by=$2 seen=1
  members='' commands='' sessions='' groups='' scan=0 ended=''
  user=$(stat -c %U "/proc/$root" 2>/dev/null)
  name_of "$root"
  root_name=$name root_command=$(tr '\0' ' ' 2>/dev/null <"/proc/$root/cmdline")
  now_in_ticks
  alive_at=$ticks_now
  above_root=' ' ancestor=$root_parent
  while [ "$ancestor" -gt 1 ] && start_of "$ancestor"; do
    above_root="$above_root$ancestor:$start " ancestor=$parent
  done
}

# One look for the process: adopts it, or tells why not. What was seen alive stays gone until another comes.
search() {
  if [ -n "$container" ]; then
    search_container
  elif [ -n "$wanted" ]; then
    [ -n "$seen" ] || search_pid
  elif [ -n "$folder" ]; then
    [ -n "$seen" ] || search_launch
  elif [ -n "$log$port" ]; then
    search_owner || [ -n "$seen" ] || tell_nobody
  else
    tell 'U there is neither a log nor a port nor a pid to find it by'
  fi
}

search_pid() {
  hidden=$(hidden_processes)
  leader=$(sed -n 's/^Tgid:[[:blank:]]*//p' 2>/dev/null <"/proc/$wanted/status")
  if [ -n "$leader" ] && [ "$leader" != "$wanted" ]; then
    tell "N $wanted is a thread of process $leader"
  elif adopt "$wanted" pid; then
    :
  elif start_of "$wanted"; then
    tell "N process $wanted has ended already (a zombie)"
  else
    tell "${hidden:-N there is no process $wanted}"
  fi
}

search_owner() {
  keeper=''
  if [ -n "$log" ] && [ -e "$log" ]; then
    sources=$(sources_of "$log")
    choose_root "$(outputs_in "$sources")" && adopt "$top" log && return
    if choose_root "$(keepers_in "$sources")"; then
      is_ambiguous "$top" || { adopt "$top" log && return; }
      keeper=$top
    fi
  fi
  [ -n "$port" ] && choose_root "$(listening_pids "$port")" && adopt "$top" port && return
  if [ -n "$keeper" ] && [ -z "$seen" ]; then
    tell "U process $keeper keeps the log open, but its output goes elsewhere: it may have opened it for another"
    return
  fi
  return 1
}

search_launch() {
  launched='' launched_start=''
  read -r launched launched_start launched_boot _ 2>/dev/null <"$folder/pid"
  if [ -z "$launched" ]; then
    tell 'U the launch has recorded no process yet'
  elif [ "$launched_boot" != "$boot" ]; then
    root=$launched
    tell_gone
  elif start_of "$launched" && [ "$start" = "$launched_start" ] && adopt "$launched" launch; then
    :
  else
    root=$launched root_session=$launched found_by=launch
    end_of_root
  fi
}

# The root has ended: what goes on is the process from now on, or it is gone.
end_of_root() {
  if [ -n "$container" ]; then
    end_of_container
    return
  fi
  ended=''
  [ -n "$folder" ] && read_end
  if find_heir; then
    [ "$found_by" = launch ] || heirs=''
    # The tree is looked at anew, so that nothing of an earlier one is left in it.
    adopt "$top" "$found_by" "$heirs" && return
  fi
  bury
  # What the launch recorded is the end of the launched process, not of one that went on after it.
  [ -z "$folder" ] || [ "$root" = "$launched" ] || ended=''
  tell "G $root${ended:+ $ended}"
  seen=1 root=''
}

read_end() { # the supervisor writes it a moment after the end
  read -r launched launched_start _ 2>/dev/null <"$folder/pid"
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    read -r ended 2>/dev/null <"$folder/exit" && break
    sleep 0.1 2>/dev/null
  done
}

tell_gone() {
  ended=''
  [ -n "$folder" ] && read_end
  tell "G $root${ended:+ $ended}"
  seen=1 root=''
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

scan_tree() {
  tree=$(family "$roots" "$sessions" "$groups")
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
  commands=$known root_command=$(tr '\0' ' ' 2>/dev/null <"/proc/$root/cmdline")
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

recall() { # BOOT PID START FOUND_BY [ID STARTED]
  if [ -n "$container" ]; then
    recall_container "$@"
    return
  fi
  if [ "$1" = "$boot" ] && start_of "$2" && [ "$start" = "$3" ] && adopt "$2" "$4"; then return; fi
  [ -n "$folder" ] && [ "$1" != "$boot" ] && return # the launch tells what is known of it
  root=$2 root_start=$3 root_session=$2 found_by=$4
  if [ -n "$folder" ]; then end_of_root; else tell_gone; fi
}

tick=0 look='' scan=0 alive_at=0 above_root=' '
# shellcheck disable=SC2086 # four words, or six
[ -n "$before" ] && recall $before
[ -z "$container" ] || per_search=$((per_search / 2))
while :; do
  if [ -z "$root" ]; then
    # The second look comes soon: it decides whether nobody is there.
    [ $((tick % per_search)) -eq 0 ] || [ $tick -eq 1 ] && search
    [ $tick -eq 40 ] && [ -z "$container" ] && per_search=$((per_search * 3)) # it means a look at every open file of the host
  elif lives "$root" && [ "$start" = "$root_start" ]; then
    now_in_ticks
    alive_at=$ticks_now
  else
    end_of_root
  fi
  if [ -n "$root" ]; then
    # Who has gone is seen without a look at every process.
    [ $((scan % per_scan)) -eq 0 ] || lost_member && scan_tree
    scan=$((scan + 1))
    [ $scan -eq 2 ] && [ -z "$container" ] && tell_its_container
    [ $((scan % 10)) -eq 1 ] && [ -z "$container" ] && { [ -z "$log" ] || [ ! -e "$log" ]; } && tell_file
  fi
  tick=$((tick + 1))
  pause $nap || end_all
done
