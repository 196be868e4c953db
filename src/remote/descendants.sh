# Part of the scripts that end others: who descends from whom, in the order in which they are to be killed.

# PID…: these and all that descends from them, what hangs before the shell that waits for it: that goes on then, finds that
# nobody listens, and may end its killer in the middle of this, but what is left still hangs together, and it finds all of it.
descendants_of() {
  cat /proc/[0-9]*/stat 2>/dev/null | LC_ALL=C awk -v roots="$*" '
    { s = $0; sub(/^.*\) /, "", s); split(s, f, " "); parent[$1 + 0] = f[2] }
    END {
      n = split(roots, list, " ")
      for (i = 1; i <= n; i++) mine[list[i]] = 1
      do { grew = 0; for (p in parent) if (!(p in mine) && (parent[p] in mine)) { mine[p] = 1; grew = 1 } } while (grew)
      for (p in mine) {
        d = 0
        for (q = p; parent[q] in mine; q = parent[q]) d++
        at[d] = at[d] " " p
        if (d > deepest) deepest = d
      }
      for (d = deepest; d >= 0; d--) print at[d]
    }'
}
