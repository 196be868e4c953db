# Part of process.sh: who goes on when the process that was taken for the server has ended. Needs `owner.sh` and
# `marker.sh`, and $root, $root_start, $root_parent, $root_session, $root_command, $root_name, $above_root, $members, $found_by,
# $alive_at (ticks since boot) of the caller.
# shellcheck disable=SC2154

# The one that goes on in $top, all of them in $heirs. A launcher may end and leave the server running, and a log may
# have more than one writer. The workers of a server that has died are not its heirs.
find_heir() {
  case $found_by in
    log) left=$(outputs_in "$(sources_of "$log")") ;;
    port) left=$(listening_pids "$port") ;;
    launch) left=$(left_of_launch) ;;
    *) return 1 ;;
  esac
  heirs=''
  for pid in $left; do
    lives "$pid" || continue
    case $above_root in *" $pid:$start "*) continue ;; esac
    is_member "$pid" && of_tree=1 || of_tree=''
    if [ "$found_by" != launch ] && [ -z "$of_tree" ]; then
      # Born after the end, of the same parent: that has started it anew.
      [ "$start" -gt "$alive_at" ] && [ "$parent" = "$root_parent" ] && continue
    fi
    is_leftover "$pid" || heirs="$heirs $pid"
  done
  choose_root "$heirs"
}

is_member() { # PID, after `start_of` of it
  case $members in *"M $1 "*" $start
"*) return 0 ;; esac
  return 1
}

# PID, after `start_of` of it: whether it is only a worker of the one that has ended. A daemon has the same command
# line as who forked it, but a session of its own.
is_leftover() {
  if [ -z "${root_command-}" ] && [ "$found_by" = launch ] && [ "$session" = "$root_session" ]; then
    is_fork "$1" && return
  fi
  like=''
  [ -n "$of_tree" ] && [ "$session" = "$root_session" ] && [ "${ended%% *}" != 0 ] && ! is_shell "$root_name" && like=$root_command
  is_worker "$1" "${like:-/}"
}

# PID, of the session that the launched process led, which nobody saw alive: whether it is a fork of that one, and so
# nothing that goes on without it. It has its command line; at the end of a longer one where a wrapper or a shell became
# the server. Then that must have died of a fault or KILL: of another end, the shell may have left a server behind.
is_fork() {
  case ${ended%% *} in '' | 0) return 1 ;; esac
  mine=$(letters_of "/proc/$1/cmdline")
  line=$(sed 's/.*"command":\["\(.*\)"\][,}].*/\1/' "$folder/launch.json" 2>/dev/null | letters_of -)
  [ -n "$mine" ] || return 1
  case $ended in 13[2-79]*by:signal) line=${line#"${line%"$mine"}"} ;; esac
  [ "$mine" = "$line" ]
}
# Quotes, blanks and escapes are written in two ways.
letters_of() { cat "$1" 2>/dev/null | LC_ALL=C tr -cd A-Za-z0-9_./=:-; }

# What has gone leaves workers behind, and whoever has started it: neither is to be taken for a server later.
bury() {
  buried=" $(printf '%s' "$members" | awk '{ printf "%s:%s ", $2, $4 }')$above_root"
}

# The processes of the launch in $folder besides the launched one: orphans with its mark, or, where a program has
# cleared its environment, that write to its log and were started while it ran; and what descends from these.
left_of_launch() {
  marker=''
  read -r marker 2>/dev/null <"$folder/id"
  last=$(ticks_at "${ended#* }")
  {
    [ -n "$marker" ] && with_marker /proc/[0-9]*/environ | sed 's|^/proc/\([0-9]*\)/.*|\1 mark|'
    [ -n "$log" ] && outputs_in "$(sources_of "$log")" | sed 's/$/ log/'
  } | while read -r pid why; do
    lives "$pid" && [ "$start" -ge "$launched_start" ] || continue
    case $lineage in *" $pid "*) continue ;; esac
    name_of "$parent"
    orphan=''
    case $parent:$name in 1:* | *:systemd) orphan=1 ;; esac
    if is_member "$pid" || { [ -n "$orphan" ] && { [ "$why" = mark ] || [ "$start" -le "$last" ]; }; }; then
      printf '%s\n' "$pid"
    fi
  done | sort -un
}

# EPOCH [WORDS]: the end of that second in ticks since boot; without EPOCH the last moment in which it was alive.
ticks_at() {
  second=${1%% *}
  born=$(sed -n 's/^btime //p' /proc/stat 2>/dev/null)
  if [ -n "$second" ] && [ -n "$born" ]; then echo $(((second + 1 - born) * hz)); else echo "$alive_at"; fi
}
