# Part of the long-running scripts: what they say, and how they end when nobody listens any more.
# Arguments of all of them: $1 is the nonce that opens their output (an rc file may have printed before it).
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
# So that a broken pipe is seen as a failed write, and what hangs can still be ended.
trap '' PIPE

hello() { # NONCE KEY=VALUE…
  read -r boot 2>/dev/null </proc/sys/kernel/random/boot_id || boot=-
  nonce=$1
  shift
  stat=''
  read -r stat 2>/dev/null </proc/$$/stat
  # shellcheck disable=SC2086 # words
  say '\n#%s pid=%s ticks=%s boot=%s %s\n' "$nonce" "$$" "$(start_of ${stat##*) })" "$boot" "$*"
  [ -r /proc/self/stat ] || { say 'X no-proc\n'; exit 0; }
}

start_of() { # the fields of /proc/PID/stat from the third: the start, in ticks since boot
  [ $# -ge 20 ] && shift 19
  echo "$1"
}

say() { # FORMAT WORDS…: one write; the end of everything when nobody reads it
  # shellcheck disable=SC2059 # the format is the script's own
  printf "$@" 2>/dev/null || end_all
}

# SECONDS: waits. A loop that looks ten times a second costs a host as much by its `sleep`s as by all it looks at; bash
# and busybox can wait without one, for a line from a pipe that only they have open and never write to.
open_silent_pipe() {
  exec 9<<END
END
  exec 9<>/proc/self/fd/9
}
pause() { sleep "$1"; }
# shellcheck disable=SC3045 # asked for, not assumed
if [ -n "${BASH_VERSION-}" ] && (eval 'exec 9<> <(:)') 2>/dev/null; then
  eval 'exec 9<> <(:)'
  pause() { read -rt "$1" -u 9 _ || [ $? -gt 128 ] || sleep "$1"; }
elif (read -rt 1 _ </dev/null || [ $? -eq 1 ] && open_silent_pipe) 2>/dev/null; then
  open_silent_pipe
  # Its status does not tell a time that is over from the end of a file; the clock does.
  pause() {
    read -r pause_from _ </proc/uptime
    read -rt "$1" -u 9 _
    read -r pause_to _ </proc/uptime
    [ "$pause_from" != "$pause_to" ] || sleep "$1"
  }
fi

. ./descendants.sh

# Kills this script and everything it started, whatever group `timeout` put that into.
end_all() {
  read -r self _ </proc/self/stat
  descendants=$(descendants_of $$)
  for one in $descendants; do
    [ "$one" = "$self" ] || [ "$one" = $$ ] || kill -KILL "$one" 2>/dev/null
  done
  kill -KILL $$ 2>/dev/null
  exit 0
}

# Dead-man switch. Our side sends a line every few seconds. EOF means that the connection was cut; 25 s without a
# line that it hangs in a black hole, which sshd itself would notice only after a quarter of an hour.
watch_stdin() {
  exec 8<&0 </dev/null
  hear <&8 >/dev/null 2>&1 &
  exec 8<&-
}

# Hands on what our side says besides (lines of `+`), for a script that is the right side of a pipe from this.
hear() {
  limit=
  if timeout 5 true 2>/dev/null; then limit='timeout 25'; elif timeout -t 5 true 2>/dev/null; then limit='timeout -t 25'; fi
  # dash has no `read -t`. The dot keeps a lone newline from looking like the end.
  while beat=$($limit dd bs=64 count=1 2>/dev/null && echo .) && [ "$beat" != . ]; do
    case $beat in *+*) printf '%s\n' "${beat%.}" 2>/dev/null || break ;; esac
  done
  end_all
}
