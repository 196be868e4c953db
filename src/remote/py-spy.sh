# py-spy.sh PID TICKS: the stacks of a process, known by its start (empty: not known), by py-spy from PATH or from beside the interpreter that
# it runs in. 127: there is none.
. ./identity.sh
pid=$1 LC_ALL=C
ticks_of "$pid" && { [ -z "$2" ] || [ "$ticks" = "$2" ]; } || { echo "process $pid has gone" >&2 && exit 1; }
export LC_ALL
beside=$(dirname -- "$(readlink -- "/proc/$pid/exe")")/py-spy
for tool in "$beside" "$(command -v py-spy)"; do
  [ -n "$tool" ] && [ -x "$tool" ] && exec timeout 20 "$tool" dump --pid "$pid"
done
exit 127
