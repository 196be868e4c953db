# Ends scripts of ours that a lost connection has left behind, with everything that they started.
#
#   alive-reap.sh PID TICKS BOOT MARK …     (by fours; MARK is a word within its command line)
read -r boot 2>/dev/null </proc/sys/kernel/random/boot_id || boot=-
roots=''
while [ $# -ge 4 ]; do
  stat=''
  read -r stat 2>/dev/null <"/proc/$1/stat"
  # Field 22 is the start; the name in parentheses may hold anything.
  start=$(printf '%s\n' "${stat##*) }" | { read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ ticks _; echo "$ticks"; })
  if [ -n "$stat" ] && [ "$start" = "$2" ] && [ "$boot" = "$3" ]; then
    case $(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline") in *"$4"*) roots="$roots $1" ;; esac
  fi
  shift 4
done
[ -n "$roots" ] || exit 0
. ./descendants.sh
# shellcheck disable=SC2086 # pids
for pid in $(descendants_of $roots); do kill -KILL "$pid" 2>/dev/null; done
