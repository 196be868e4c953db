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
cat /proc/[0-9]*/stat 2>/dev/null | LC_ALL=C awk -v roots="$roots" '
  { s = $0; sub(/^.*\) /, "", s); split(s, f, " "); parent[$1 + 0] = f[2] }
  END {
    n = split(roots, list, " ")
    for (i = 1; i <= n; i++) mine[list[i]] = 1
    do { grew = 0; for (p in parent) if (!(p in mine) && (parent[p] in mine)) { mine[p] = 1; grew = 1 } } while (grew)
    # As in alive.sh: what hangs before who waits for it.
    for (p in mine) {
      d = 0
      for (q = p; parent[q] in mine; q = parent[q]) d++
      at[d] = at[d] p "\n"
      if (d > deepest) deepest = d
    }
    for (d = deepest; d >= 0; d--) printf "%s", at[d]
  }' | while read -r pid; do kill -KILL "$pid" 2>/dev/null; done
