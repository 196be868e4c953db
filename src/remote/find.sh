# Part of the scripts that look for processes: everything is read from /proc, without ss, lsof or ps.

# PID: its start in clock ticks since boot in $start, and $state, $parent, $group, $session, $flags, $threads. Fails when
# it is gone.
start_of() {
  stat=''
  # A process name may hold anything, even newlines and `) `: the fields count from the last of these.
  { while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done <"/proc/$1/stat"; } 2>/dev/null
  stat=${stat##*) }
  [ -n "$stat" ] || return 1
  # shellcheck disable=SC2086 # split into fields on purpose
  set -- $stat
  # shellcheck disable=SC2034 # for the caller
  state=$1 parent=$2 group=$3 session=$4 flags=$7 threads=${18} start=${20}
}

# PID: whether it runs; as `start_of`. A leader that has ended while its threads go on is a zombie by its state only.
lives() {
  start_of "$1" || return 1
  case $state in Z | X) [ "$threads" -gt 1 ] ;; esac
}

# After `start_of`: whether it was forked, and has never become a program of its own (PF_FORKNOEXEC in the kernel).
is_forked() { [ $((flags / 64 % 2)) -eq 1 ]; }

# PORT: `INODE UID ADDRESS` of each socket that gets what is sent to that port of 127.0.0.1. The narrowest address wins: who
# listens on 127.0.0.1 itself hides who listens on 0.0.0.0, and that one who listens on [::]. Where there is none of these,
# those that listen on other addresses only (ADDRESS as /proc/net/tcp writes it; else `-`).
listeners() {
  hex_port=$(printf %04X "$1")
  for table in /proc/net/tcp /proc/net/tcp6; do
    [ -r $table ] || continue
    while read -r _ local _ socket_state _ _ _ uid _ inode _; do
      [ "$socket_state" = 0A ] || continue
      case $local in
        0100007F:"$hex_port" | 0000000000000000FFFF00000100007F:"$hex_port") width=1 ;;
        00000000:"$hex_port") width=2 ;;
        00000000000000000000000000000000:"$hex_port") width=3 ;;
        *:"$hex_port") width=4 ;;
        *) continue ;;
      esac
      address=-
      [ $width = 4 ] && address=${local%:*}
      printf '%s %s %s %s\n' $width "$inode" "$uid" "$address"
    done <$table
  done | sort -n | awk 'NR == 1 { narrowest = $1 } $1 == narrowest { print $2, $3, $4 }'
}

# INODE: the descriptors under /proc that have it open, as far as we may look.
open_as() { find -L /proc/[0-9]*/fd -maxdepth 1 -inum "$1" 2>/dev/null; }

# INODE: pids that hold that socket, as far as we may look.
holders_of_socket() {
  open_as "$1" | while read -r fd; do
    [ "$(readlink "$fd")" = "socket:[$1]" ] || continue
    pid=${fd#/proc/}
    printf '%s\n' "${pid%%/*}"
  done | sort -un
}

# FILE: `PID FD` of each descriptor that has it open for writing, as far as we may look. FILE may be a /proc/PID/fd/N
# that is a pipe.
writers_of() {
  inode=$(stat -Lc %i "$1" 2>/dev/null) || return 1
  open_as "$inode" | while read -r fd; do
    # shellcheck disable=SC3013 # dash and busybox know -ef
    [ "$fd" -ef "$1" ] || continue # another file system may use the same number
    pid=${fd#/proc/}
    pid=${pid%%/*}
    is_written "$pid" "${fd##*/}" && printf '%s %s\n' "$pid" "${fd##*/}"
  done
}

is_written() { # PID FD: whether it is open for writing (O_WRONLY or O_RDWR, the low bits of the octal flags)
  while read -r key flags; do
    case $key:$flags in flags:*[1256]) return 0 ;; esac
  done 2>/dev/null <"/proc/$1/fdinfo/$2"
  return 1
}

# ROOTS SESSIONS GROUPS (each a list of numbers): the living processes among the roots, of these sessions and
# process groups, and all their descendants: `PID PARENT START SESSION GROUP` a line, oldest first.
# Two forks, however many processes there are.
family() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v roots="$1" -v sessions="$2" -v groups="$3" '
    function mark(list, into,   words, i, n) { n = split(list, words, " "); for (i = 1; i <= n; i++) into[words[i]] = 1 }
    BEGIN { mark(roots, root); mark(sessions, in_session); mark(groups, in_group) }
    /^[0-9]+ \(/ {
      pid = $1
      rest = $0
      sub(/^.*\) /, "", rest)
      split(rest, field, " ")
      if (field[1] == "Z" || field[1] == "X") next
      parent[pid] = field[2]
      line[pid] = field[2] " " field[20] " " field[4] " " field[3]
      start[pid] = field[20]
      if ((pid in root) || (field[4] in in_session) || (field[3] in in_group)) member[pid] = 1
    }
    END {
      do { grew = 0; for (p in parent) if (!(p in member) && (parent[p] in member)) { member[p] = 1; grew = 1 } } while (grew)
      for (p in member) if (p in line) print start[p], p, line[p]
    }' | sort -n | cut -d' ' -f2-
}
