# Starts a command detached, under a supervisor that records how it ended, and prints where it runs.
#
#   launch.sh NAME ID CWD LOG_TEMPLATE BYTES     (CWD and LOG_TEMPLATE may be empty; both as printf's %b takes them)
#
# stdin: BYTES bytes: line 1 what may be shown (JSON, redacted), line 2 what is needed to start it again (JSON),
# then the start script, which sets the environment and becomes the command. It comes on stdin and is kept in
# files of mode 0600, so that no value of the environment ever stands on a command line.
#
# stdout: `started N PID TICKS BOOT EPOCH` or `again N …` (the attempt with this ID exists already), followed by
# `folder HEX`, `log HEX` and, where that log was empty, `fresh`; or `refused REASON HEX`, and then nothing was started and nothing is left behind.
# Refused as well is a start while an earlier attempt of this name runs, or has ended and left processes behind:
# `running N PID|- SINCE FROM|- USER`, `leftover N PID,PID… SINCE FROM|- USER`.
# Runs in dash, bash and busybox sh. Sets no locale: the command would inherit it.
. ./identity.sh
. ./marker.sh
printf '\n=firedup=\n' 2>/dev/null # an rc file may have printed before
mask=$(umask) # the command, and a log of the user's own, are to have the one of the login
umask 077
unset FIREDUP_ATTEMPT
name=$1 id=$2 bytes=$5
cwd=$(printf '%b.' "$3") cwd=${cwd%.}
template=$(printf '%b.' "$4") template=${template%.}

refuse() { # REASON DETAIL: answers, and takes back what this attempt has made
  [ -n "$folder" ] && rm -rf "$folder"
  printf 'refused %s %s\n' "$1" "$(printf %s "$2" | hex)"
  exit 0
}
answer() { # WORD N: what is recorded of that attempt
  read -r pid ticks pid_boot started _ <"$base/$2/pid"
  printf '%s %s %s %s %s %s\n' "$1" "$2" "$pid" "$ticks" "$pid_boot" "$started"
  printf 'folder %s\nlog %s\n' "$(printf %s "$base/$2" | hex)" "$(hex <"$base/$2/log-path")"
  [ -e "$base/$2/log-fresh" ] && printf 'fresh\n'
  exit 0
}
attempt_number() { # FOLDER: its number in $n; fails when it is no attempt
  n=${1##*/}
  case $n in '' | *[!0-9]* | 0*) return 1 ;; esac
}
client() { # from which address the login came; `-` for none
  for word in ${SSH_CONNECTION-} -; do echo "$word" && return; done
}
pause() { sleep 0.1 2>/dev/null || sleep 1; }
wait_for() { # FILE TENTHS: until it has content
  tenths=0
  while [ ! -s "$1" ] && [ $tenths -lt "$2" ]; do pause && tenths=$((tenths + 1)); done
  [ -s "$1" ]
}

folder=''
read -r boot 2>/dev/null </proc/sys/kernel/random/boot_id || refuse no-proc ''
command -v setsid >/dev/null 2>&1 || refuse no-setsid ''
case ${XDG_STATE_HOME-} in
  /*) state=$XDG_STATE_HOME/firedup ;;
  *) state=$HOME/.local/state/firedup ;;
esac
base=$state/$name
mkdir -p "$base" 2>/dev/null || refuse state-folder "$base"
chmod 700 "$state" "$base" 2>/dev/null

# The same launch, asked for again after the link broke in the middle of it.
for other in "$base"/[1-9]*; do
  if [ -f "$other/id" ] && [ "$(cat "$other/id")" = "$id" ] && wait_for "$other/pid" 50; then
    answer again "${other##*/}"
  fi
done

# The number is taken by mkdir, which only one can win. Of two that start at once the lower number goes on.
number=1
for other in "$base"/[1-9]*; do
  if attempt_number "$other" && [ "$n" -ge $number ]; then number=$((n + 1)); fi
done
until mkdir "$base/$number" 2>/dev/null; do
  [ -d "$base/$number" ] || refuse state-folder "$base"
  number=$((number + 1))
done
folder=$base/$number
ticks_of $$
{ echo "$$ $ticks $boot $(date +%s) $(uname -n) $(client) $(id -un)" >"$folder/starter.new" && echo "$id" >"$folder/id" &&
  mv "$folder/starter.new" "$folder/starter"; } 2>/dev/null || refuse no-space "$folder"
whose() { # FOLDER: `FROM USER` of who started that attempt
  read -r _ _ _ _ _ from user 2>/dev/null <"$1/starter" && echo "${from:--} $user"
}
for other in "$base"/[1-9]*; do
  if ! attempt_number "$other" || [ "$n" -ge $number ] || [ -f "$other/exit" ]; then continue; fi
  [ -d "$other" ] || continue
  # It may be between its mkdir and this file; if not, nobody is to wait for it again.
  wait_for "$other/starter" 20 || echo "0 0 $boot 0" >"$other/starter"
  if [ -f "$other/pid" ]; then
    life_of "$other/pid"
  else
    life_of "$other/starter" && its_pid=-
  fi
  [ $life = yes ] && refuse running "$n $its_pid $since $(whose "$other")"
done

# Processes that an ended attempt has left behind, in $left, and its number in $n: orphans with its mark (it can only
# have been inherited), and whoever is still in the session that its command led. A few moments after the end of a
# server some of its helpers are still on their way out.
own_line=' '
ancestor=$$
while [ "${ancestor:-0}" -gt 1 ]; do
  own_line="$own_line$ancestor "
  ancestor=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$ancestor/status")
done
is_orphan() { # PID
  parent=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$1/status")
  [ "$parent" = 1 ] && return 0
  read -r parent_name 2>/dev/null <"/proc/$parent/comm" && [ "$parent_name" = systemd ]
}
left_behind() {
  marker=''
  for other in "$base"/[1-9]*; do
    attempt_number "$other" && [ "$n" -lt $number ] && [ -f "$other/id" ] || continue
    marker="$marker${marker:+
FIREDUP_ATTEMPT=}$(cat "$other/id")"
  done
  [ -n "$marker" ] || return 1
  found=$(with_marker /proc/[0-9]*/environ | while read -r environ; do
    pid=${environ#/proc/} pid=${pid%/environ}
    case $own_line in *" $pid "*) continue ;; esac
    its_id=$(tr '\0\n' '\n ' 2>/dev/null <"$environ" | sed -n 's/^FIREDUP_ATTEMPT=//p')
    ticks_of "$pid" && [ "$process_state" != Z ] && is_orphan "$pid" && echo "$pid $its_id $ticks"
  done
    cat /proc/[0-9]*/stat 2>/dev/null | awk '
      /^[0-9]+ \(/ { pid = $1; sub(/^.*\) /, ""); if ($1 != "Z" && $1 != "X") print pid, "session", $20, $4 }')
  for other in "$base"/[1-9]*; do
    attempt_number "$other" && [ "$n" -lt $number ] && [ -f "$other/pid" ] || continue
    read -r its_pid its_ticks its_boot since _ <"$other/pid"
    [ "$its_boot" = "$boot" ] || continue
    # Without a recorded end the number of the session may be another's by now: then the mark alone counts.
    last=-1
    read -r _ ended _ 2>/dev/null <"$other/exit" && last=$(((ended + 1 - born) * hz))
    left=$(echo "$found" | awk -v id="$(cat "$other/id")" -v root="$its_pid" -v from="$its_ticks" -v last="$last" '
      $2 == "session" { if ($1 == root) taken = 1; else if ($4 == root && $3 + 0 >= from + 0 && $3 + 0 <= last) member[$1]; next }
      $2 == id && $3 + 0 >= from + 0 { pids[$1] }
      END { if (!taken) for (p in member) pids[p]; for (p in pids) line = line (line == "" ? "" : ",") p; print line }')
    [ -n "$left" ] && return 0
  done
  return 1
}
hz=$(getconf CLK_TCK 2>/dev/null) || hz=100
born=$(sed -n 's/^btime //p' /proc/stat)
tenths=0
while left_behind; do
  [ $tenths -ge 20 ] && refuse leftover "$n $left $since $(whose "$other")"
  pause && tenths=$((tenths + 4))
done

# A payload that was cut (the link broke) must not be run.
cat >"$folder/payload" 2>/dev/null || refuse no-space "$folder"
[ "$(($(wc -c <"$folder/payload")))" = "$bytes" ] || refuse cut-payload ''
{ LC_ALL=C sed -n 1p "$folder/payload" >"$folder/shown.json" &&
  LC_ALL=C sed -n 2p "$folder/payload" >"$folder/launch.json" &&
  LC_ALL=C sed 1,2d "$folder/payload" >"$folder/start"; } 2>/dev/null || refuse no-space "$folder"
rm -f "$folder/payload"

from_home() { # PATH FOLDER: PATH in $path, absolute; `~/` is the home folder, a relative one is below FOLDER
  case $1 in
    /*) path=$1 ;;
    \~) path=$HOME ;;
    \~/*) path=$HOME/${1#??} ;;
    *) path=${2%/}/$1 ;;
  esac
}
from_home "${cwd:-$HOME}" "$HOME"
cwd=$path
[ -d "$cwd" ] || refuse cwd-missing "$cwd"
cd "$cwd" 2>/dev/null || refuse cwd-denied "$cwd"

# A log for each attempt; one that another attempt wrote, under whatever name, is never opened again.
taken() { # PATH
  for recorded in "$state"/*/[1-9]*/log-path; do
    [ "$recorded" != "$folder/log-path" ] && [ -f "$recorded" ] && [ "$(cat "$recorded" && echo .)" = "$1." ] && return 0
  done
  return 1
}
log=$folder/log
if [ -n "$template" ]; then
  from_home "$template" "$cwd"
  stem='' rest=$path suffix=$number
  while [ "$rest" != "${rest#*'{attempt}'}" ]; do
    stem=$stem${rest%%'{attempt}'*}$number rest=${rest#*'{attempt}'} suffix=1
  done
  stem=$stem$rest log=$stem
  [ $suffix = 1 ] || log=$stem.$suffix
fi
while printf %s "$log" 2>/dev/null >"$folder/log-path" || refuse no-space "$folder"; taken "$log"; do
  suffix=$((suffix + 1)) log=$stem.$suffix
done
log_folder=${log%/*}/
[ -d "$log" ] && refuse log-is-folder "$log"
[ -n "$template" ] && umask "$mask"
mkdir -p "$log_folder" 2>/dev/null || refuse log-folder "$log_folder"
# All that a log holds which was empty is this attempt's own.
[ -s "$log" ] || (umask 077 && true 2>/dev/null >"$folder/log-fresh")
# Not `:`, a special builtin: a shell ends where a redirection of one fails.
{ true >>"$log"; } 2>/dev/null || refuse log-denied "$log"
umask 077

# Room is tried by writing, not asked for: quotas and reserved blocks count too.
for place in "$folder" "$log_folder"; do
  room=$place/.firedup-room-$$
  dd if=/dev/zero of="$room" bs=65536 count=1 >/dev/null 2>&1
  written=$(wc -c 2>/dev/null <"$room")
  rm -f "$room"
  [ "$((written))" = 65536 ] || refuse no-space "$place"
done
# What was in use on the GPUs before, so that a kill can tell whether all of it has come back. Within 5 s, or not at all.
limit=''
timeout -s KILL 1 true 2>/dev/null && limit='timeout -s KILL 5'
for tool in nvidia-smi /usr/bin/nvidia-smi /usr/local/nvidia/bin/nvidia-smi; do
  command -v "$tool" >/dev/null 2>&1 || continue
  $limit "$tool" --query-gpu=uuid,memory.used --format=csv,noheader,nounits </dev/null >"$folder/gpus" 2>/dev/null ||
    rm -f "$folder/gpus"
  break
done
# Reserved now, so that a disk that fills later cannot lose the exit status.
for file in exit.reserved said; do printf '%63s\n' '' 2>/dev/null >"$folder/$file" || refuse no-space "$folder"; done

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

# setsid twice: the first becomes a group leader, so the second forks and returns at once; util-linux and busybox
# (whose setsid has no -f) agree in this. No `&`: whatever a shell starts with it has SIGINT ignored for good, and
# then Python cannot be interrupted. Neither log nor folder of the command stand on its command line: a `pkill -f` for
# the server should not hit it.
(exec setsid setsid sh "$folder/supervisor" "$folder" "$mask") </dev/null >/dev/null 2>&1
wait_for "$folder/pid" 100 && answer started $number
folder='' # it may still come up: what is there is evidence
refuse no-start "$base/$number"
