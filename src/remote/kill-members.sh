# Part of kill.sh: who is a member of the tree, from look to look.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
# One look at all processes: `p PID STATE PPID GROUP SESSION THREADS TICKS`. grep puts the file's name before every
# line, so a name with a line end in it cannot pass for another process.
table() {
  grep -sH '' /proc/[0-9]*/stat | awk '
    function row(   i, n, f) {
      while ((i = index(text, ") ")) > 0) text = substr(text, i + 2)
      n = split(text, f, " ")
      if (n >= 20) print "p", pid, f[1], f[2], f[3], f[4], f[18], f[20]
    }
    { colon = index($0, ":"); split(substr($0, 1, colon), part, "/") }
    part[3] != pid { if (pid != "") row(); pid = part[3]; text = "" }
    { text = text substr($0, colon + 1) " " }
    END { if (pid != "") row() }'
}
# Who has the marker in its environment, with the name of its parent: `m PID NAME`.
marked() {
  [ "$marker" = - ] && return
  with_marker /proc/[0-9]*/environ | while read -r environ; do
    pid=${environ#/proc/} pid=${pid%/environ} parent_name=''
    parent=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$pid/status")
    read -r parent_name 2>/dev/null <"/proc/$parent/comm"
    say "m $pid $parent_name"
  done
}
# What is known, and what this look adds. In and out: `k PID TICKS` a member, `s`/`g` a session/group of the tree,
# `o SESSION GROUP` those of the server itself, `a PID TICKS` one that is asked for besides: no tie leads from it to
# others. Out also `l PID PPID TICKS STATE`, the members that live, and `t` where the look has seen this script itself.
# shellcheck disable=SC2016 # an awk program
members='
  function add(p) {
    if ((p in state) && !(p in member) && !(p in guarded)) { member[p] = 1; changed = 1 }
  }
  # A leader that has ended while its threads go on is a zombie by its state only.
  function runs(p) { return (state[p] != "Z" && state[p] != "X") || threads[p] > 1 }
  # A session is of the tree when a member leads it, or when its leader has gone and it is not the one that the
  # server itself was started in (an interactive shell, a start script with other children).
  function ours(id, own) { return (id in member) || (!(id in state) && own != "" && (id == root || id != own)) }
  function same(id) { return !(id in state) || ((id in known) && ticks[id] == known[id]) }
  $1 == "k" { known[$2] = $3 }
  $1 == "s" { old_session[$2] }
  $1 == "g" { old_group[$2] }
  $1 == "o" { own_session = $2; own_group = $3 }
  $1 == "m" { mark[$2] = $3 }
  $1 == "a" { also[$2] = $3 }
  $1 == "p" { state[$2] = $3; parent[$2] = $4; group[$2] = $5; session[$2] = $6; threads[$2] = $7; ticks[$2] = $8 }
  END {
    guarded[0]; guarded[1]; guarded[2]
    for (p = self; (p in state) && !(p in guarded); p = parent[p]) guarded[p]
    for (p in guarded) { not_session[session[p]]; not_group[group[p]] }
    for (p in known) if ((p in state) && ticks[p] == known[p]) add(p)
    if (own_session == "" && (root in member)) { own_session = session[root]; own_group = group[root] }
    if (own_session == "" && launched) { own_session = root; own_group = root }

    # A number stays taken while its session lives. Once it is seen empty or led by a stranger it is not ours any more.
    for (p in state) { peopled_session[session[p]]; peopled_group[group[p]] }
    for (id in old_session) if ((id in peopled_session) && same(id)) in_session[id]
    for (id in old_group) if ((id in peopled_group) && same(id)) in_group[id]

    for (p in mark) if (ticks[p] + 0 >= root_ticks + 0 && (parent[p] == 1 || mark[p] == "systemd" || (parent[p] in member))) add(p)
    # The server has gone: before its end its number could not be given to another, so its session was its own.
    if (launched && ended_ticks >= 0 && !(root in state))
      for (p in state) if (session[p] == root && ticks[p] + 0 <= ended_ticks) add(p)

    do {
      changed = 0
      for (p in state) if ((parent[p] in member) || (session[p] in in_session) || (group[p] in in_group)) add(p)
      for (p in member) {
        id = session[p]
        if (!(id in in_session) && !(id in not_session) && ours(id, own_session)) { in_session[id]; changed = 1 }
        id = group[p]
        if (!(id in in_group) && !(id in not_group) && ours(id, own_group)) { in_group[id]; changed = 1 }
      }
    } while (changed)

    if (self in state) print "t"
    if (own_session != "") print "o", own_session, own_group
    for (id in in_session) print "s", id
    for (id in in_group) print "g", id
    for (p in member) {
      print "k", p, ticks[p]
      if (runs(p)) print "l", p, parent[p], ticks[p], state[p]
    }
    for (p in also) {
      print "a", p, also[p]
      if ((p in state) && ticks[p] == also[p] && !(p in member) && !(p in guarded) && runs(p)) print "l", p, parent[p], ticks[p], state[p]
    }
  }'
# Takes the next look: $living holds `PID PPID TICKS STATE UID` a line. Nobody is taken for gone by a look that has seen
# nothing at all, as on a host that is out of processes or memory.
look() {
  for _ in 1 2 3 4 5; do
    look_once && return
    pause
  done
  finish blind
}
look_once() {
  seen_now=$({ say "$memory" && marked && table; } | awk -v self=$$ -v root="$root" -v root_ticks="$root_ticks" \
    -v launched="$launched" -v ended_ticks="$ended_ticks" "$members")
  case "
$seen_now
" in *"
t
"*) ;; *) return 1 ;; esac
  memory=$(say "$seen_now" | grep '^[kosga] ')
  status_files=''
  for pid in $(say "$seen_now" | sed -n 's/^l \([0-9]*\) .*/\1/p' | sort -n); do status_files="$status_files /proc/$pid/status"; done
  living=''
  [ -n "$status_files" ] || return 0
  # shellcheck disable=SC2086 # a list of paths without blanks
  living=$({ say "$seen_now" && grep -sH '^Uid:' $status_files; } | awk '
    $1 == "l" { rest[$2] = $2 " " $3 " " $4 " " $5 }
    $1 ~ /:Uid:$/ { split($1, part, "/"); if (part[3] in rest) print rest[part[3]], $2 }
    END { print "." }')
  case $living in *.) living=${living%.} ;; *) return 1 ;; esac
  # The line end before the dot.
  living=${living%?}
}
