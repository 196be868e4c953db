# Part of process.sh and process-of-launch.sh: to whom a log or a port belongs. Needs `find.sh`, and $log, $port, $me, $root
# of the caller.
# shellcheck disable=SC2154 # these, and what `start_of` sets

# Never part of a server's tree: the way from init down to this script.
lineage=' 1 '
ancestor=$$
while start_of "$ancestor" && [ "$ancestor" -gt 1 ]; do lineage="$lineage$ancestor " ancestor=$parent; done

is_shell() { # NAME
  case $1 in sh | bash | dash | ash | zsh | fish | ksh | mksh | csh | tcsh | busybox) return 0 ;; esac
  return 1
}

# Programs that a server's output is piped through.
is_filter() { # PID
  name_of "$1"
  [ "$name" = busybox ] && name=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | sed -n 2p)
  fed_by=0
  case $name in
    tee | cat | ts | grep | egrep | fgrep | sed | awk | gawk | mawk | tr | cut | pv | stdbuf | unbuffer) ;;
    rotatelogs | cronolog | multilog | svlogd | s6-log | logger) ;;
    *)
      is_fed "$1"
      return
      ;;
  esac
  [ -p "/proc/$1/fd/0" ] || [ -S "/proc/$1/fd/0" ] && return
  # `cat FIFO >log`: it has opened the pipe itself.
  for opened in 3 4 5; do
    [ -p "/proc/$1/fd/$opened" ] && ! is_written "$1" $opened && fed_by=$opened && return
  done
  return 1
}

# PID: whether it reads what another program puts out, as any program may in a line of a shell (`server | while read …`).
# What only gives a server something to read is none: `yes | server`, `sleep infinity | server`.
is_fed() (
  [ -p "/proc/$1/fd/0" ] || return 1
  now_in_ticks
  for feeder in $(outputs_in "$(writers_of "/proc/$1/fd/0" | grep -v "^$1 ")"); do
    name_of "$feeder"
    case $name in yes | tail | sleep | cat | echo | printf) continue ;; esac
    is_shell "$name" || return 0
    # One that began just now is about to become the program that its line names, or that it wraps.
    start_of "$feeder" && [ $((ticks_now - start)) -lt "$hz" ] && return 0
  done
  return 1
)

# PID, after `name_of` it: whether it brings the log from where no writer can be seen, so that its life and end tell
# nothing of the server's: what reads another log, or a filter that is fed by a socket (`tmux pipe-pane`).
is_carrier() {
  case $name in
    journalctl | tail) return 0 ;;
    docker | podman | kubectl) tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | grep -qx logs ;;
    *)
      [ -S "/proc/$1/fd/0" ] || return 1
      is_filter "$1" && return
      # dash puts the redirections of its last command on itself.
      is_shell "$name" || return 1
      only=$(children_of "$1")
      name_of "$only" && is_carrier "$only"
      ;;
  esac
}

# FILE [DEPTH]: `PID FD` of those whose output it really is. Behind `tee` and its like stand the pipe's writers. `PID - NAME`
# of who only brings it.
sources_of() (
  depth=${2:-0}
  writers_of "$1" | while read -r pid fd; do
    name_of "$pid"
    if is_carrier "$pid"; then
      printf '%s - %s\n' "$pid" "$name"
    elif [ "$depth" -lt 5 ] && is_filter "$pid"; then
      sources_of "/proc/$pid/fd/$fed_by" $((depth + 1)) | grep -v "^$pid "
    else
      printf '%s %s\n' "$pid" "$fd"
    fi
  done
)

# SOURCES: pids whose standard output or error that is. Who has it by another descriptor only may have opened it to
# pass it on to a server (a notebook, a script that starts several).
outputs_in() { printf '%s\n' "$1" | awk '$2 == 1 || $2 == 2 { print $1 }' | sort -un; }

# SOURCES: the others. After a process was seen, not those that were there before it: they may have started it.
keepers_in() {
  printf '%s\n' "$1" | awk '$2 != "-" { print $1 }' | sort -un | while read -r pid; do
    start_of "$pid" && [ "$start" -ge "${root_start:-0}" ] && printf '%s\n' "$pid"
  done
}

listening_pids() { # PORT
  listeners "$1" | while read -r inode _; do holders_of_socket "$inode"; done | sort -un
}

# PIDS: the root of the tree that most of them belong to, the older one of two, in $top. None of $buried.
choose_root() {
  top='' most=0 oldest=0 found=' '
  for pid in $1; do start_of "$pid" && ! is_buried "$pid" && found="$found$pid "; done
  roots=$(for pid in $found; do root_of "$pid"; done)
  for candidate in $roots; do
    count=0
    for other in $roots; do [ "$other" = "$candidate" ] && count=$((count + 1)); done
    start_of "$candidate" || continue
    if [ $count -gt $most ] || { [ $count -eq $most ] && [ "$start" -lt "$oldest" ]; }; then
      top=$candidate most=$count oldest=$start
    fi
  done
  [ -n "$top" ]
}

# What was left of a server that has gone, and who was above it: `PID:START ` each. None of these is a server.
buried=' '
is_buried() { case $buried in *" $1:$start "*) return 0 ;; *) return 1 ;; esac; } # PID, after `start_of` of it

# PID: the topmost of $found that it descends from, through these, or through launchers that have nothing else below
# them. Nobody else above counts, whatever it shares with it: it may have started other things, and nothing of
# those is the server's. Nothing for who has started others besides a server: then that one is it.
root_of() {
  case $lineage in *" $1 "*) return ;; esac
  runs_others "$1" && return
  at=$1 above=$1 passed=''
  while start_of "$above"; do
    below_group=$group below_session=$session above=$parent
    case $lineage in *" $above "*) break ;; esac
    start_of "$above" || break
    name_of "$above"
    case $found in
      *" $above "*)
        # An interactive shell gives each of its jobs a process group of its own.
        is_shell "$name" && [ -z "$passed" ] && [ "$session" = "$below_session" ] && [ "$group" != "$below_group" ] && break
        runs_others "$above" && break
        at=$above passed=''
        ;;
      *)
        # It hands the port to a part of its own, and starts the others beside that.
        case $name in text-generation) at=$above ;; esac
        passed=1
        has_one_child "$above" || break
        ;;
    esac
  done
  printf '%s\n' "$at"
}

has_one_child() { [ "$(children_of "$1" | wc -l)" -eq 1 ]; } # PID

children_of() { # PID
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v pid="$1" '
    /^[0-9]+ \(/ { child = $1; sub(/^.*\) /, ""); if ($2 == pid && $1 != "Z") print child }'
}

# PID: whether it has started a program that is of $found, and another one that is not: `run-all.py >all.log`. Its
# workers are itself.
runs_others() {
  command_of "$1"
  own=$command
  beside='' apart=''
  for child in $(children_of "$1"); do
    is_worker "$child" "$own" && continue
    case $found in
      *" $child "*) beside=1 ;;
      *) same_output "$child" "$1" || apart=1 ;;
    esac
  done
  [ -n "$beside" ] && [ -n "$apart" ]
}

# PID PARENT: whether it has its parent's output, or has ended: born since the holders were looked up, it is not
# among them.
same_output() {
  for mine in 1 2; do
    to=$(readlink "/proc/$1/fd/$mine" 2>/dev/null) || continue
    case $to in /dev/*) continue ;; esac
    for its in 1 2; do [ "$to" = "$(readlink "/proc/$2/fd/$its" 2>/dev/null)" ] && return 0; done
  done
  [ ! -r "/proc/$1/cmdline" ]
}

# PID: whether it runs other programs that do not have the log open, or is a notebook: then it may be any supervisor
# that only keeps the file open. The workers of a Python program do not count as others.
is_ambiguous() {
  command_of "$1"
  own=$command
  printf %s "$own" | grep -qiE 'ipykernel|jupyter' && return 0
  for other in $(family "$1" '' '' | cut -d' ' -f1); do
    case $found in *" $other "*) continue ;; esac
    is_worker "$other" "$own" || return 0
  done
  return 1
}

# PID COMMAND: whether it is a worker of the program with that command line, and no program of its own: forked from
# it, started by Python's multiprocessing, or with a title such as `sglang::scheduler_TP0` or `VLLM::EngineCore`.
is_worker() {
  command_of "$1"
  [ "$command" = "$2" ] && return 0
  case $command in *multiprocessing.*) return 0 ;; esac
  printf %s "$command" | grep -qE '^[A-Za-z0-9_.-]+::'
}

# Why it cannot be told that nobody writes the log or holds the port; nothing where it can.
hidden_owner() {
  if [ -n "$port" ]; then
    holder=$(listeners "$port" | head -n 1 | cut -d' ' -f2)
    [ -n "$holder" ] && { echo "U port $port is held by a process of user $holder that cannot be looked into"; return; }
  fi
  hidden_writer
}

# The same of the log alone.
hidden_writer() {
  [ -n "$log" ] && [ -e "$log" ] || return 0
  carrier=$(sources_of "$log" | sed -n 's/^\([0-9]*\) - \(.*\)/\2 (process \1)/p' | head -n 1)
  [ -n "$carrier" ] && { echo "U the log is brought by $carrier, and whose output it is cannot be seen"; return; }
  case $(stat -fLc %T "$log" 2>/dev/null) in
    nfs* | fuse* | smb* | cifs | lustre | ceph | gpfs | afs | 9p | v9fs)
      echo 'U the log is on a network file system: its writer may be on another machine'
      return
      ;;
  esac
  [ "$me" = 0 ] && return
  owner=$(stat -Lc '%u %U' "$log" 2>/dev/null)
  if [ "${owner%% *}" != "$me" ]; then
    echo "U the log belongs to user ${owner#* }, whose processes cannot be looked into"
    return
  fi
  hidden=$(hidden_processes)
  [ -n "$hidden" ] && { echo "$hidden"; return; }
  # Ours to write: of the others, only what was started from our sessions (sudo) can have it open.
  other=$({ stat -c '%u %n' /proc/[0-9]*; cat /proc/[0-9]*/stat; } 2>/dev/null | awk -v me="$me" '
    $2 ~ /^\/proc\// { pid = $2; sub(/^\/proc\//, "", pid); if ($1 == me) mine[pid] = 1; next }
    /^[0-9]+ \(/ { rest = $0; sub(/^.*\) /, "", rest); split(rest, field, " "); session[$1] = field[4] }
    END { for (pid in session) if (!(pid in mine) && (session[pid] in mine)) { print pid; exit } }')
  [ -n "$other" ] && echo "U process $other of another user may write the log, and cannot be looked into"
}

hidden_processes() {
  [ "$me" = 0 ] || [ -r /proc/1/stat ] || echo 'U this host hides the processes of other users'
}
