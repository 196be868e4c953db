# Starts a command detached, under a supervisor that records how it ended, and prints where it runs.
#
#   launch.sh NAME ID CWD LOG_TEMPLATE BYTES     (CWD and LOG_TEMPLATE may be empty; both as printf's %b takes them)
#
# stdin: BYTES bytes: line 1 what may be shown (JSON, redacted), line 2 what is needed to start it again (JSON),
# then the start script, which sets the environment and becomes the command. It comes on stdin and is kept in
# files of mode 0600, so that no value of the environment ever stands on a command line.
#
# stdout: `started N PID TICKS BOOT EPOCH` or `again N …` (the attempt with this ID exists already), followed by
# `folder HEX`, `log HEX` and, where that log was empty, `fresh`; or `refused REASON HEX`, and then nothing was started and
# nothing is left behind. Last, in any case, `end`.
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
  printf 'refused %s %s\nend\n' "$1" "$(printf %s "$2" | hex)"
  exit 0
}
answer() { # WORD N: what is recorded of that attempt
  read -r pid ticks pid_boot started _ <"$base/$2/pid"
  printf '%s %s %s %s %s %s\n' "$1" "$2" "$pid" "$ticks" "$pid_boot" "$started"
  printf 'folder %s\nlog %s\n' "$(printf %s "$base/$2" | hex)" "$(hex <"$base/$2/log-path")"
  [ -e "$base/$2/log-fresh" ] && printf 'fresh\n'
  printf 'end\n'
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
# One that does not say soon who it is counts as dead, so that saying it is won by one as well (noclobber).
say_once() { (set -C && echo "$2" >"$1") 2>/dev/null; } # FILE LINE
ticks_of $$
tries=0
while :; do
  until mkdir "$base/$number" 2>/dev/null; do
    # One that is refused takes its folder back: it may be gone by the time that we look.
    if [ -d "$base/$number" ]; then
      number=$((number + 1))
    elif [ $((tries = tries + 1)) -ge 5 ]; then
      refuse state-folder "$base"
    fi
  done
  folder=$base/$number
  who="$$ $ticks $boot $(date +%s) $(uname -n) $(client) $(id -un)"
  echo "$id" 2>/dev/null >"$folder/id" || refuse no-space "$folder"
  say_once "$folder/starter" "$who" && break
  # Somebody has waited for us in vain, and may have started: we come after them.
  [ -s "$folder/starter" ] || refuse no-space "$folder"
  rm -rf "$folder"
  number=$((number + 1))
done
whose() { # FOLDER: `FROM USER` of who started that attempt
  read -r _ _ _ _ _ from user 2>/dev/null <"$1/starter" && echo "${from:--} $user"
}
for other in "$base"/[1-9]*; do
  if ! attempt_number "$other" || [ "$n" -ge $number ] || [ -f "$other/exit" ]; then continue; fi
  [ -x "$other" ] || ! [ -d "$other" ] || refuse attempt-denied "$other"
  [ -d "$other" ] || continue
  # It may be between its mkdir and this file; if not, nobody is to wait for it again.
  wait_for "$other/starter" 20 || say_once "$other/starter" "0 0 $boot 0" || wait_for "$other/starter" 20
  if [ -f "$other/pid" ]; then
    life_of "$other/pid"
  else
    life_of "$other/starter" && its_pid=-
  fi
  [ $life = yes ] && refuse running "$n $its_pid $since $(whose "$other")"
done

. ./launch-left-behind.sh

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

. ./launch-log.sh

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

. ./launch-supervisor.sh

# setsid twice: the first becomes a group leader, so the second forks and returns at once; util-linux and busybox
# (whose setsid has no -f) agree in this. No `&`: whatever a shell starts with it has SIGINT ignored for good, and
# then Python cannot be interrupted. Neither log nor folder of the command stand on its command line: a `pkill -f` for
# the server should not hit it.
(exec setsid setsid sh "$folder/supervisor" "$folder" "$mask") </dev/null >/dev/null 2>&1
wait_for "$folder/pid" 100 && answer started $number
folder='' # it may still come up: what is there is evidence
refuse no-start "$base/$number"
