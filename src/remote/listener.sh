# Who listens on a TCP port that 127.0.0.1 reaches, or, where nobody does, on other addresses of the host.
#
#   listener.sh NONCE PORT
#
# stdout: `L PID START ADDRESS` for each process that holds a listening socket, `U UID ADDRESS` for a listener whose process
# cannot be read (another user's); ADDRESS as `listeners` tells it. `end` in any case.
. ./alive.sh
hello "$1"
. ./find.sh

# shellcheck disable=SC2154 # set by `listeners`
listeners "$2" | while read -r inode uid address; do
  seen=''
  for pid in $(holders_of_socket "$inode"); do
    start_of "$pid" && say 'L %s %s %s\n' "$pid" "$start" "$address" && seen=1
  done
  [ -n "$seen" ] || say 'U %s %s\n' "$uid" "$address"
done
say 'end\n'
