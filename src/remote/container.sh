# Part of the scripts that look at a container: which engine knows it, and in what state it is.
# shellcheck disable=SC2034 # for those who include it

. ./container-engines.sh

# Words as docker 20 to 28 and podman 4 give them by `json`; the last may hold blanks.
state_format='{{json .Id}} {{json .State.Pid}} {{json .State.Running}} {{json .State.StartedAt}} {{json .State.FinishedAt}} {{json .State.ExitCode}} {{json .State.OOMKilled}} {{json .RestartCount}} {{json .State.Status}} {{json .State.Error}}'

bare() { # "WORD": without its quotes, in $word
  word=${1#\"} word=${word%\"}
}

# ENGINE CONTAINER: its state, in $c_id, $c_pid, $c_running, $c_started, $c_finished, $c_code, $c_oom, $c_restarts,
# $c_status, $c_error. Fails with $c_why (missing, denied, daemon, other) and the engine's $c_words.
inspect_container() {
  # shellcheck disable=SC2086 # two words or none
  c_words=$($limit "$1" inspect --type container --format "$state_format" "$2" 2>&1)
  c_line=$(printf '%s\n' "$c_words" | grep '^"[0-9a-f]\{64\}" ' | head -n 1)
  if [ -z "$c_line" ]; then
    c_words=$(printf '%s\n' "$c_words" | grep -v '^\[\]$' | grep . | tail -n 1 | tr -cd '[:print:]' | cut -c1-300)
    case $c_words in
      *[Nn]'o such '*) c_why=missing ;;
      *'permission denied'*) c_why=denied ;;
      *'annot connect to '* | *'daemon running'*) c_why=daemon ;;
      *) c_why=other ;;
    esac
    return 1
  fi
  c_why='' c_words=''
  read -r c_id c_pid c_running c_started c_finished c_code c_oom c_restarts c_status c_error <<END
$c_line
END
  bare "$c_id" && c_id=$word
  bare "$c_started" && c_started=$word
  bare "$c_finished" && c_finished=$word
  bare "$c_status" && c_status=$word
  bare "$c_error" && c_error=$word
  # While it waits for its restart it counts as running, without a process.
  [ "${c_pid:-0}" -gt 0 ] 2>/dev/null || c_running=false
  return 0
}

# ISO_TIME: seconds since the epoch. Days by the civil calendar, without `date -d`.
iso_seconds() {
  printf '%s\n' "$1" | awk '{
    y = substr($0, 1, 4) + 0; m = substr($0, 6, 2) + 0; d = substr($0, 9, 2) + 0
    s = substr($0, 12, 2) * 3600 + substr($0, 15, 2) * 60 + substr($0, 18, 2)
    if (m <= 2) { y--; m += 12 }
    days = 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + d - 1 - 719468
    if (match($0, /[+-][0-9][0-9]:[0-9][0-9]$/)) {
      zone = substr($0, RSTART + 1, 2) * 3600 + substr($0, RSTART + 4, 2) * 60
      s += substr($0, RSTART, 1) == "+" ? -zone : zone
    }
    printf "%d\n", days * 86400 + s
  }'
}
