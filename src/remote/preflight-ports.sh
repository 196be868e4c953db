# Part of preflight.sh: who listens on the ports that the launch wants.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
see_ports() {
  for port in $ports; do
    hex_port=$(printf %04X "$port")
    for table in /proc/net/tcp /proc/net/tcp6; do
      [ -r $table ] || continue
      while read -r _ local _ socket_state _ _ _ uid _ inode _; do
        [ "$socket_state" = 0A ] || continue
        [ "${local##*:}" = "$hex_port" ] || continue
        holder=$(holders_of_socket "$inode" | head -n 1)
        address=${local%:*}
        # `::` takes what is sent by IPv4 as well, but where it was told not to.
        if [ "$address" = 00000000000000000000000000000000 ] &&
          $bounded ss -6Hltne "sport = :$port" 2>/dev/null | grep "ino:$inode " | grep -q 'v6only:1'; then
          address=v6only
        fi
        put listener "$port" "$address" "$uid" "$holder"
        [ -n "$holder" ] && put_process "$holder"
      done <$table
    done
  done
}
