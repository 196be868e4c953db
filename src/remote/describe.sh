# Part of the scripts that tell of processes: needs `identity.sh`.

hex_command() { # PID: its command line, else its name
  line=$(hex 2>/dev/null <"/proc/$1/cmdline")
  [ -n "$line" ] || line=$(hex 2>/dev/null <"/proc/$1/comm")
  printf %s "$line"
}

say_owners() { # UIDS
  for uid in $1; do
    owner=$(getent passwd "$uid" 2>/dev/null || awk -F: -v uid="$uid" '$3 == uid' /etc/passwd 2>/dev/null)
    [ -n "$owner" ] && printf 'owner %s %s\n' "$uid" "${owner%%:*}" 2>/dev/null
  done
}

# PID: its parent's pid, or `init` where that adopts orphans.
parent_or_init() {
  its_parent=$(sed -n 's/^PPid:[[:blank:]]*//p' 2>/dev/null <"/proc/$1/status")
  its_name=''
  read -r its_name 2>/dev/null <"/proc/$its_parent/comm"
  if [ "$its_parent" = 1 ] || [ "$its_name" = systemd ]; then echo init; else echo "${its_parent:--}"; fi
}
