# facts.sh: who and where this is, one `key=value` a line. Works in dash, bash and busybox.
LC_ALL=C
export LC_ALL
printf 'firedup-facts\n'
printf 'os=%s\n' "$(uname -s 2>/dev/null)"
printf 'hostname=%s\n' "$(hostname 2>/dev/null || uname -n)"
printf 'user=%s\n' "$(id -un 2>/dev/null || id -u)"
read -r boot </proc/sys/kernel/random/boot_id 2>/dev/null
printf 'boot=%s\n' "$boot"
# busybox has no %N: then the letter stays, and whole seconds must do.
printf 'clock=%s\n' "$(date +%s.%N)"
printf 'zone=%s\n' "$(date +%z)"
printf 'end=\n'
