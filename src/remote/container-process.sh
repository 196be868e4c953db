# Part of process-of-container.sh: the process of a container, and how it ended, by its engine's word. Needs
# `container.sh`, $container (a name or an id) and $engine of the caller, and the functions of `process-loop.sh`.
# shellcheck disable=SC2034,SC2154 # these
. ./hex.sh
slower=1 told_container='' this_run='' ended_run='' shown_run='' hold=0 waiter=''

# What the fact that follows is about. A name of ours, ids and times: no word of it holds a blank.
tell_container() {
  about="c $engine $c_id $c_started ${c_restarts:-0} $(printf %s "$c_error" | hex)"
  [ "$about" = "$told_container" ] || say '%s\n' "$about"
  told_container=$about
}

search() {
  [ "$tick" -ge "$hold" ] || return
  if ! inspect_container "$engine" "$container"; then
    tell_no_container
    return
  fi
  run="$c_id $c_started"
  if [ "$c_running" = true ]; then
    # Its end is known; the engine has not noticed it.
    [ "$run" = "$ended_run" ] && return
    if [ -n "$shown_run" ] && [ "$shown_run" != "$run" ]; then
      end_of_shown
      return
    fi
    if is_of_container "$c_pid"; then
      tell_container
      adopt "$c_pid" container && this_run=$run && await_end && return
    fi
    show_unseen
  elif [ "$c_status" = created ] && [ -z "$c_error" ]; then
    tell "N the container $container has been created and not started"
  elif [ "$run" != "$ended_run" ]; then
    tell_container
    root=${shown_run:+$shown_pid}
    tell_end "${root:-0}" "$(ended_words)"
    ended_run=$run
  fi
}

tell_no_container() {
  if [ "$c_why" != missing ]; then
    tell "U $engine gives no answer: ${c_words:-it says nothing}"
  elif [ -n "$shown_run" ]; then
    end_of_shown
  elif [ -z "$seen" ]; then
    tell "N there is no container $container"
  fi
}

# PID: whether what has that number here is the container's, and not a process of another machine's: an engine may be
# remote, or have numbers of its own.
is_of_container() {
  lives "$1" || return 1
  grep -qs "$c_id" "/proc/$1/cgroup" && return
  born=$(sed -n 's/^btime //p' /proc/stat)
  apart=$((born + start / hz - $(iso_seconds "$c_started")))
  [ $apart -ge -10 ] && [ $apart -le 10 ]
}

# The engine says that it runs, and nothing of it can be seen in /proc.
show_unseen() {
  [ "$shown_run" = "$run" ] && return
  tell_container
  say 'A %s 0 container -\nC %s container %s\nM %s 0 0\nend\n' "$c_pid" "$c_pid" "$container" "$c_pid"
  told='' seen=1 shown_run=$run shown_pid=$c_pid ended_run=''
}
end_of_shown() {
  tell_end "$shown_pid" ''
  ended_run=$shown_run
}

# A container that removes itself takes its exit code along, but for who waits for it.
await_end() {
  (
    code=$("$engine" wait "$c_id" 2>/dev/null | tail -n 1)
    case $code in '' | *[!0-9]*) exit 255 ;; esac
    exit "$code"
  ) </dev/null 2>/dev/null &
  waiter=$!
}
waited_code() { # in $code; empty where nothing is known
  code=''
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$waiter" 2>/dev/null || break
    sleep 0.2 2>/dev/null || sleep 1
  done
  kill -0 "$waiter" 2>/dev/null && return
  wait "$waiter"
  code=$?
  [ $code = 255 ] && code=''
}

ended_words() { # CODE EPOCH oom:0:KILLS
  case $c_oom in true) kills=1 ;; *) kills=0 ;; esac
  printf '%s %s oom:0:%s\n' "$c_code" "$(iso_seconds "$c_finished")" $kills
}

# The root has ended. The engine notes it a moment later; with a restart policy the next run may be there already.
end_of_root() {
  words='' code=''
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    inspect_container "$engine" "${this_run%% *}" || break
    [ "$c_id $c_started" = "$this_run" ] || break
    [ "$c_running" = true ] || { words=$(ended_words) && break; }
    sleep 0.2 2>/dev/null || sleep 1
  done
  if [ -z "$words" ]; then
    waited_code
    [ -z "$code" ] || words="$code $(date +%s) oom:-:-"
  fi
  # The restarts that are known now; the run that ended is told of, not the next one.
  [ -z "$c_why" ] && c_id=${this_run%% *} c_started=${this_run#* } && tell_container
  tell_end "$root" "$words"
  ended_run=$this_run
}

tell_end() { # PID [CODE EPOCH oom:BEFORE:AFTER]
  tell "G $1${2:+ $2}"
  # It stays ended for a moment, whatever the engine starts again: its last words are still on their way.
  seen=1 root='' this_run='' shown_run='' hold=$((tick + 7))
}

recall() { # BOOT PID START FOUND_BY ID STARTED, as an earlier run has seen it
  seen=1
  if inspect_container "$engine" "$container"; then
    [ "$c_id $c_started" = "$5 $6" ] && return # the search tells what it is now
    told_container=''
  elif [ "$c_why" != missing ]; then
    return
  fi
  c_id=$5 c_started=$6 c_error=''
  tell_container
  tell_end "$2" ''
  ended_run="$5 $6"
}

told_tree() { :; }
