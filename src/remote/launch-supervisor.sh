# Part of launch.sh: what stays with the command, written into the attempt's folder.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
cat 2>/dev/null >"$folder/supervisor" <<'END' || refuse no-space "$folder"
# Runs the command of this attempt (`start`) in a session of its own, waits for it and records its end.
# Caught, not ignored: what is ignored here would stay ignored in the command.
trap : HUP INT TERM
folder=$1 mask=$2
log=$(cat "$folder/log-path" && echo .) log=${log%.}
oom_kills() { # of this cgroup so far; `-` where the kernel does not tell: absent is unknown, not zero
  group=''
  while IFS=: read -r level controllers path; do
    [ "$level" = 0 ] && [ -z "$controllers" ] && group=$path
  done </proc/self/cgroup
  while read -r key count; do
    [ "$key" = oom_kill ] && echo "$count" && return
  done <"/sys/fs/cgroup${group%/}/memory.events"
  echo -
} 2>/dev/null
before=$(oom_kills)
# The shell says `Killed` of a command that a signal has ended, and nothing of one that exits with 137 by itself: the
# status is the same. Of SIGINT and SIGPIPE it says nothing either way.
exec 2<>"$folder/said"
# No group leader, so setsid does not fork, and the status is that of the command itself. In a subshell: dash would
# put the redirections on itself meanwhile, and then write its own `Killed` into the log.
(exec setsid sh -c 'folder=$1 mask=$2
  stat=""
  while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done <"/proc/$$/stat"
  set -- ${stat##*) }
  shift 19
  read -r boot </proc/sys/kernel/random/boot_id
  echo "$$ $1 $boot $(date +%s)" >"$folder/pid.new" && mv "$folder/pid.new" "$folder/pid" || exit 125
  umask "$mask"
  . "$folder/start"' sh "$folder" "$mask") </dev/null >>"$log" 2>&1
code=$?
cd /
exec 2>/dev/null
read -r said <"$folder/said"
how=signal
case $code in 130 | 141) ;; *) [ -n "$said" ] || how=exit ;; esac
ended="$code $(date +%s) oom:$before:$(oom_kills) by:$how"
# On a full disk: in place (`<>`), which needs no free block.
record() {
  { echo "$ended" >"$folder/exit.new" || { echo "$ended" 1<>"$folder/exit.reserved" && mv "$folder/exit.reserved" "$folder/exit.new"; }; } &&
    mv "$folder/exit.new" "$folder/exit"
} 2>/dev/null
# What is no longer needed gives a block back.
record || { rm -f "$folder/start" "$folder/exit.new" && record; }
rm -f "$folder/start" "$folder/exit.reserved" "$folder/said"
END
