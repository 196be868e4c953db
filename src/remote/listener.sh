# Who listens on a TCP port that 127.0.0.1 reaches.
#
#   listener.sh NONCE PORT
#
# stdout: `L PID START` for each process that holds a listening socket, `U UID` for a listener whose process
# cannot be read (another user's); `end` in any case.
. ./alive.sh
hello "$1"
. ./find.sh

# shellcheck disable=SC2154 # set by `listeners`
listeners "$2" | while read -r inode uid; do
  seen=''
  for pid in $(holders_of_socket "$inode"); do
    start_of "$pid" && say 'L %s %s\n' "$pid" "$start" && seen=1
  done
  [ -n "$seen" ] || say 'U %s\n' "$uid"
done
say 'end\n'
