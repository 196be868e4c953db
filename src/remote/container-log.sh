# The log of a container, each line with its time, as its engine gives it.
#
#   container-log.sh NONCE ENGINE NAME read|follow|wait SINCE|- TAIL|- [ID STARTED]
#
# read: what is there; follow: that, and what comes, until the container ends or another run of it begins; wait: nothing,
# until there is another run than that of ID and STARTED. SINCE is a time; `-`: from the end of the run before.
#
# stdout, after the hello line: the lines themselves, which begin with a time, or words of the engine; and, each on a
# line of its own after a line end:
#   =NONCE run ID STARTED FINISHED RUNNING     before the lines
#   =NONCE end STATUS                          after them
#   =NONCE failed WHY HEX                      it cannot be asked; WHY is `missing` for a container that is not there
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./alive.sh
. ./container.sh
. ./hex.sh
hello "$1" "mark=$1"
nonce=$1 engine=$2 name=$3 mode=$4 since=$5 tail=$6 old="${7:-} ${8:-}"
watch_stdin

mark() { # WORDS
  say '\n=%s %s\n' "$nonce" "$*"
}
look() {
  inspect_container "$engine" "$name" && return
  [ "$c_why:$told" = "missing:missing" ] || mark "failed $c_why $(printf %s "$c_words" | hex)"
  told=$c_why
  return 1
}

told=''
if [ "$mode" = wait ]; then
  while :; do
    if look; then
      # A run that has its end already, too: it may be over before the next look.
      [ "$c_id $c_started" = "$old" ] || { [ "$c_status" = created ] && [ -z "$c_error" ]; } || break
      told=''
    elif [ "$c_why" != missing ]; then
      end_all
    fi
    sleep 1
  done
  mark again
  end_all
fi

look || end_all
# Another run than the one that was read: its end is judged first, by its last words.
case $old in -*) ;; "$c_id $c_started") ;; *) sleep 3 ;; esac
mark "run $c_id $c_started $c_finished $c_running"
if [ "$since" = - ]; then
  since=''
  # While it runs, the last end is that of the run before.
  case $c_running:$c_finished in true:0001-*) ;; true:*) since=$c_finished ;; esac
fi
set -- --timestamps
[ -z "$since" ] || set -- "$@" --since "$since"
[ "$tail" = - ] || set -- "$@" --tail "$tail"
if [ "$mode" = read ]; then
  "$engine" logs "$@" "$c_id" 2>&1
  mark "end $?"
  end_all
fi
"$engine" logs "$@" --follow "$c_id" 2>&1 &
logs=$!
run="$c_id $c_started"
# Some versions follow on into the next run.
while sleep 5; do
  inspect_container "$engine" "$c_id" && [ "$c_id $c_started" != "$run" ] && kill "$logs" 2>/dev/null
done >/dev/null 2>&1 &
wait "$logs"
mark "end $?"
end_all
