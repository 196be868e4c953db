# Part of process.sh and process-of-launch.sh: who goes on when the process that was taken for the server has ended. Needs
# `owner.sh`, for a launch `left_of_launch` of `launched-process.sh`, and $root, $root_start, $root_parent, $root_session,
# $root_command, $root_name, $above_root, $members, $found_by, $alive_at (ticks since boot) of the caller.
# shellcheck disable=SC2154

# The one that goes on in $top, all of them in $heirs, and in $suspect what has to be seen of it before it counts as a
# server. A launcher may end and leave the server running, and a log may have more than one writer. The workers of a
# server that has died are not its heirs.
find_heir() {
  case $found_by in
    log) left=$(outputs_in "$(sources_of "$log")") ;;
    port) left=$(listening_pids "$port") ;;
    launch) left=$(left_of_launch) ;;
    *) return 1 ;;
  esac
  heirs='' forks=''
  for pid in $left; do
    lives "$pid" || continue
    case $above_root in *" $pid:$start "*) continue ;; esac
    is_member "$pid" && of_tree=1 || of_tree=''
    if [ "$found_by" != launch ] && [ -z "$of_tree" ]; then
      # Born after the end, of the same parent: that has started it anew.
      [ "$start" -gt "$alive_at" ] && [ "$parent" = "$root_parent" ] && continue
    fi
    is_leftover "$pid" && continue
    if is_doubtful "$pid"; then forks="$forks $pid"; else heirs="$heirs $pid"; fi
  done
  suspect=silent
  choose_root "$heirs" && return
  heirs=$forks suspect=fork
  choose_root "$heirs"
}

is_member() { # PID, after `start_of` of it
  case $members in *"M $1 "*" $start
"*) return 0 ;; esac
  return 1
}

# PID, after `start_of` of it: whether it is only a worker of the one that has ended. A daemon has a session of its own.
is_leftover() {
  like=/
  if [ "$session" = "$root_session" ] && [ "${ended%% *}" != 0 ]; then
    [ "$found_by" = launch ] && [ -n "$of_tree$ended" ] && is_mere_fork "$1" && return
    [ -n "$of_tree" ] && ! is_shell "$root_name" && like=$root_command
  fi
  is_worker "$1" "$like"
}

# A subshell is forked as well, and may run the server below it.
is_mere_fork() { is_forked && name_of "$1" && ! is_shell "$name"; } # PID, after `start_of` of it

# PID, the same: whether it may be a worker of a server that has died, or what a launcher has left on purpose. The one
# ends well and leaves a daemon; of a shell's end nothing follows for what it has run, of an unknown end nothing at all.
is_doubtful() {
  { [ "$session" = "$root_session" ] || { [ "$found_by" = launch ] && [ "${ended%% *}" != 0 ]; }; } && is_mere_fork "$1"
}

# PID of a writer of the log that nobody saw before: in what is $suspect for it. A server that has died may have left it,
# where it is an orphan, forked, and no daemon that leads a session. It may have inherited the socket as well.
suspect_of() {
  suspect=''
  start_of "$1" && is_forked && [ "$session" != "$1" ] && is_orphan && suspect=orphan
}

is_orphan() { # after `start_of`
  name_of "$parent"
  case $parent:$name in 1:* | *:systemd) return 0 ;; esac
  return 1
}

# Whether the tree ($pids) listens on a TCP port, as every server does that is ready, or that cannot be seen. What a dead
# server's orphaned fork has inherited is no sign of it.
listens() {
  [ -r "/proc/$root/fd" ] && [ -r "/proc/$root/net/tcp" ] || return 0
  files=''
  for pid in $pids; do
    start_of "$pid" || continue
    case $pids in *" $parent "*) ;; *) [ "$pid" != "$root" ] && is_forked && continue ;; esac
    files="$files /proc/$pid/fd"
  done
  # shellcheck disable=SC2086 # a list of paths without blanks
  { ls -l $files 2>/dev/null; cat "/proc/$root/net/tcp" "/proc/$root/net/tcp6" 2>/dev/null; } | awk '
    match($0, /socket:\[[0-9]+\]/) { mine[substr($0, RSTART + 8, RLENGTH - 9)]; next }
    $4 == "0A" && ($10 in mine) { found = 1 }
    END { exit !found }'
}

# What has gone leaves workers behind, and whoever has started it: neither is to be taken for a server later.
bury() {
  buried=" $(printf '%s' "$members" | awk '/^M/ { printf "%s:%s ", $2, $4 }')$above_root"
}
