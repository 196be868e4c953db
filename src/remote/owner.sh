# Part of process.sh: to whom a log or a port belongs. Needs `find.sh`, and $log, $port, $me, $root of the caller.
# shellcheck disable=SC2154 # these, and what `start_of` sets

# Never part of a server's tree: the way from init down to this script.
lineage=' 1 '
ancestor=$$
while start_of "$ancestor" && [ "$ancestor" -gt 1 ]; do lineage="$lineage$ancestor " ancestor=$parent; done

name_of() { # PID: in $name
  name=''
  read -r name 2>/dev/null <"/proc/$1/comm"
}

is_shell() { # NAME
  case $1 in sh | bash | dash | ash | zsh | fish | ksh | mksh | csh | tcsh | busybox) return 0 ;; esac
  return 1
}

# Programs that a server's output is piped through.
is_filter() { # NAME
  case $1 in
    tee | cat | ts | grep | egrep | fgrep | sed | awk | gawk | mawk | tr | cut | pv | stdbuf | unbuffer) return 0 ;;
    rotatelogs | cronolog | multilog | svlogd | s6-log | logger | busybox) return 0 ;;
  esac
  return 1
}

# PIDS that write a log: those whose output it really is. Behind `tee` and its like stand the pipe's writers.
sources_of() {
  from=$1
  for _ in 1 2 3 4 5; do
    next='' piped=''
    for pid in $from; do
      name_of "$pid"
      if is_filter "$name" && [ -p "/proc/$pid/fd/0" ]; then
        piped=1
        for writer in $(writers_of "/proc/$pid/fd/0"); do
          case " $next $pid " in *" $writer "*) ;; *) next="$next $writer" ;; esac
        done
      else
        case " $next " in *" $pid "*) ;; *) next="$next $pid" ;; esac
      fi
    done
    from=$next
    [ -n "$piped" ] || break
  done
  printf '%s\n' "$from"
}

listening_pids() { # PORT
  listeners "$1" | while read -r inode _; do holders_of_socket "$inode"; done | sort -un
}

# PIDS: the root of the tree that most of them belong to, the older one of two, in $top.
choose_root() {
  top='' most=0 oldest=0
  # shellcheck disable=SC2086 # numbers
  found=" $(printf '%s ' $1)"
  roots=$(for pid in $1; do root_of "$pid"; done)
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

# PID: up to the topmost ancestor that still belongs to it: one of $found, or of the same job and no shell.
root_of() {
  case $lineage in *" $1 "*) return ;; esac
  at=$1
  while start_of "$at"; do
    above=$parent job=$group
    case $lineage in *" $above "*) break ;; esac
    [ "$above" -gt 1 ] || break
    case $found in
      *" $above "*) ;;
      *)
        name_of "$above"
        is_shell "$name" && break
        case $name in
          sshd* | tmux* | screen | SCREEN | systemd* | init | login | su | sudo | doas | cron* | containerd* | conmon) break ;;
          dockerd | docker-init | tini | dumb-init | supervisord | runsv | s6-* | make | node | code*) break ;;
        esac
        start_of "$above" || break
        [ "$group" = "$job" ] || break
        ;;
    esac
    at=$above
  done
  printf '%s\n' "$at"
}

# Why it cannot be told that nobody writes the log or holds the port; nothing where it can.
hidden_owner() {
  if [ -n "$port" ]; then
    holder=$(listeners "$port" | head -n 1 | cut -d' ' -f2)
    [ -n "$holder" ] && { echo "U port $port is held by a process of user $holder that cannot be looked into"; return; }
  fi
  [ -n "$log" ] && [ -e "$log" ] || return 0
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

# The log is not there: where does the process write? Without a process: who else writes beside it, or is an engine?
tell_other_file() {
  if [ -n "$root" ]; then other=$(output_file_of "$root"); else other=$(likely_file); fi
  [ -n "$other" ] && [ "$other" != "$told_file" ] && say 'W %s\n' "$(printf %s "$other" | od -An -v -tx1 | tr -d ' \n')"
  told_file=$other
}
told_file=''

output_file_of() { # PID
  for fd in "/proc/$1/fd/1" "/proc/$1/fd/2"; do
    [ -f "$fd" ] && is_written "$1" "${fd##*/}" && readlink "$fd" && return
    [ -p "$fd" ] || continue
    inode=$(stat -Lc %i "$fd")
    # Whoever reads that pipe writes the file.
    # shellcheck disable=SC2044 # paths below /proc
    for end in $(find -L /proc/[0-9]*/fd -maxdepth 1 -inum "$inode" 2>/dev/null); do
      reader=${end#/proc/}
      reader=${reader%%/*}
      is_written "$reader" "${end##*/}" && continue
      for file in "/proc/$reader/fd/"*; do
        [ -f "$file" ] && is_written "$reader" "${file##*/}" && readlink "$file" && return
      done
    done
  done
  for fd in "/proc/$1/fd/"*; do
    [ -f "$fd" ] || continue
    is_written "$1" "${fd##*/}" || continue
    case $(readlink "$fd") in *.log | *.out | *.err | *.txt) readlink "$fd" && return ;; esac
  done
}

likely_file() {
  for fd in /proc/[0-9]*/fd/1; do
    [ -f "$fd" ] || continue
    pid=${fd#/proc/}
    pid=${pid%%/*}
    case $lineage in *" $pid "*) continue ;; esac
    is_written "$pid" 1 || continue
    file=$(readlink "$fd")
    [ "${file%/*}" = "${log%/*}" ] && { printf '%s\n' "$file"; return; }
    tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qE "$engines" && likely=$file
  done
  printf '%s\n' "${likely-}"
}
engines='sglang|vllm|llama-server|trtllm-serve|text-generation-launcher|lmdeploy|ollama'
