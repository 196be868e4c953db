# Ends a container, or starts it again: that one alone, by its full id, and only the run that is meant.
#
#   container-act.sh stop|start ENGINE ID STARTED SIGNAL GRACE
#
# STARTED: the start of the run that is to be ended. SIGNAL: without SIG. GRACE: seconds. With a restart policy it is ended
# by `stop`, which begins with the container's own stop signal and tells the engine that this is on purpose; else by
# `kill --signal`, and after GRACE by KILL. Id and start are compared again before each of these.
#
# stdout: `signal NAME 1`, `stopping NAME` for a stop, `failed HEX` with the engine's words; then
# `end gone|absent|changed|survivors`, for start `run STARTED PID` and `end started|failed`. A broken connection does not
# stop it half way.
# shellcheck disable=SC2154 # set by `inspect_container`
. ./identity.sh
. ./container.sh
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C
export PATH LC_ALL
trap '' HUP PIPE INT
printf '\n=firedup=\n' 2>/dev/null
mode=$1 engine=$2 id=$3 started=$4 signal=$5 grace=$6

say() { printf '%s\n' "$*" 2>/dev/null; }
finish() { say "end $1" && exit 0; }
pause() { sleep 0.2 2>/dev/null || sleep 1; }
failed() { say "failed $(printf %s "$1" | grep . | tail -n 1 | tr -cd '[:print:]' | hex)"; }
seconds() { # since boot, in $now
  read -r now _ </proc/uptime
  now=${now%.*}
}
# Is the run that is meant the one that runs? Else: why not.
is_meant() {
  if ! inspect_container "$engine" "$id"; then
    [ "$c_why" = missing ] && finish absent
    failed "$c_words"
    finish survivors
  fi
  [ "$c_id" = "$id" ] || finish changed
  # What waits for its restart has ended, and must not begin again.
  [ "$c_status" = restarting ] && return
  [ "$c_running" = true ] || return 1
  [ "$c_started" = "$started" ] || finish changed
}
await_end() { # SECONDS
  seconds
  end=$((now + $1))
  while :; do
    is_meant || return 0
    seconds
    [ "$now" -lt "$end" ] || return 1
    pause
  done
}

if [ "$mode" = start ]; then
  words=$("$engine" start "$id" 2>&1) || { failed "$words" && finish failed; }
  inspect_container "$engine" "$id" || { failed "$c_words" && finish failed; }
  say "run $c_started $c_pid"
  finish started
fi

is_meant || finish absent
policy=$("$engine" inspect --type container --format '{{.HostConfig.RestartPolicy.Name}}' "$id" 2>/dev/null)
case $policy in
  '' | no) ;;
  *)
    own_signal=$("$engine" inspect --type container --format '{{.Config.StopSignal}}' "$id" 2>/dev/null)
    case $own_signal in '' | *'no value'*) own_signal=SIGTERM ;; esac
    [ "$signal" = KILL ] && grace=0
    say "stopping $own_signal $policy"
    words=$("$engine" stop -t "$grace" "$id" 2>&1) || failed "$words"
    if await_end 10; then finish gone; else finish survivors; fi
    ;;
esac
words=$("$engine" kill --signal "$signal" "$id" 2>&1) && say "signal $signal 1"

if [ "$signal" != KILL ]; then
  if await_end "$grace"; then finish gone; fi
  is_meant || finish gone
  words=$("$engine" kill --signal KILL "$id" 2>&1) && say "signal KILL 1"
fi
if await_end 10; then finish gone; fi
failed "$words"
finish survivors
