# Tells how a running process was started, so that it can be started again.
#
#   command.sh PID
#
# stdout: `absent`, or `process PID TICKS BOOT UID`, then each hex encoded, and `-` where it may not be read:
# `cmdline`, `environ` (both NUL separated, as the kernel keeps them), `cwd`, `stdout` (what its output goes to); then `end`.
. ./identity.sh
printf '\n=firedup=\n' # an rc file may have printed before
pid=$1
read -r boot </proc/sys/kernel/random/boot_id
if ! ticks_of "$pid" || [ "$process_state" = Z ]; then
  echo absent
  echo end
  exit 0
fi
echo "process $pid $ticks $boot $(sed -n 's/^Uid:[[:blank:]]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null)"
started=$ticks
for file in cmdline environ; do
  if cat "/proc/$pid/$file" >/dev/null 2>&1; then
    echo "$file $(hex <"/proc/$pid/$file")"
  else
    echo "$file -"
  fi
done
for link in cwd fd/1; do
  word=${link%%/*} && [ "$word" = fd ] && word=stdout
  if target=$(readlink "/proc/$pid/$link" 2>/dev/null && echo .); then
    # readlink's own line end goes, one that belongs to the path stays.
    target=${target%??}
    echo "$word $(printf %s "$target" | hex)"
  else
    echo "$word -"
  fi
done
# The same process to the end, or what was read may be of two.
if ! ticks_of "$pid" || [ "$ticks" != "$started" ]; then echo absent; fi
echo end
