# Part of process.sh: who the process is, by pid, log or port. Needs `owner.sh`, and the functions of `process-loop.sh`.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
# One look for the process: adopts it, or tells why not. What was seen alive stays gone until another comes.
search() {
  if [ -n "$wanted" ]; then
    [ -n "$seen" ] || search_pid
  elif [ -n "$log$port" ]; then
    search_owner || [ -n "$seen" ] || tell_nobody
  else
    tell 'U there is neither a log nor a port nor a pid to find it by'
  fi
}

# Whether another one is looked at from now on.
moved_on() { follow_log || leave_stranger; }

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
    choose_root "$(outputs_in "$sources")" && adopt_writer && return
    if choose_root "$(keepers_in "$sources")"; then
      is_ambiguous "$top" || { adopt_writer && return; }
      keeper=$top
    fi
  fi
  [ -n "$port" ] && choose_root "$(listening_pids "$port")" && is_next_by_port "$top" && adopt "$top" port '' "$suspect" && return
  if [ -n "$keeper" ] && [ -z "$seen" ]; then
    tell "U process $keeper keeps the log open, but its output goes elsewhere: it may have opened it for another"
    return
  fi
  return 1
}

# PID of who listens on the port, where nobody is seen to write the log: not who did so while the writer lived, a proxy.
# What is in $suspect for it where the log is another's: a `stranger`, or one that writes `elsewhere`.
is_next_by_port() {
  suspect=''
  [ -n "$log" ] && [ -s "$log" ] || return 0
  start_of "$1" || return 1
  [ -n "$seen" ] && [ "$found_by" = log ] && [ "$start" -le "$alive_at" ] && return 1
  [ -n "$(hidden_writer)" ] && return 0
  suspect=stranger
  for fd in 1 2; do [ -f "/proc/$1/fd/$fd" ] && suspect=elsewhere; done
  return 0
}

adopt_writer() {
  log_id=$(id_of_log)
  suspect_of "$top"
  adopt "$top" log '' "$suspect"
}

id_of_log() { stat -Lc '%d:%i' "$log" 2>/dev/null; }

# Under the log's path lies another file by now (a link that was turned, a rename), and none of the tree has it as its
# output, but somebody else at two looks, who is the server of this log then: that is adopted.
follow_log() {
  [ "$found_by" = log ] && [ -s "$log" ] || return 1
  its_id=$(id_of_log)
  [ "$its_id" = "$log_id" ] && return 1
  its_look="$its_id $(stat -Lc %s "$log" 2>/dev/null)"
  [ "$its_look" = "$last_log_look" ] && [ -z "$candidate" ] && return 1
  last_log_look=$its_look was=$candidate candidate=''
  sources=$(sources_of "$log")
  for pid in $(printf '%s\n' "$sources" | cut -d' ' -f1); do
    case $pids in *" $pid "*) log_id=$its_id && return 1 ;; esac
  done
  # In a subshell: what is known of the tree stays.
  candidate=$(choose_root "$(outputs_in "$sources")" && echo "$top")
  [ -n "$candidate" ] && [ "$candidate" = "$was" ] || return 1
  top=$candidate candidate=''
  adopt_writer
}
log_id='' last_log_look='' candidate=''

# Who was found by the port alone gives way to who writes the log now.
leave_stranger() {
  case $suspect in stranger | elsewhere) ;; *) return 1 ;; esac
  candidate=$(choose_root "$(outputs_in "$(sources_of "$log")")" && echo "$top")
  [ -n "$candidate" ] || return 1
  top=$candidate candidate=''
  adopt_writer
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
