# Tells what a pid is, before anything is waited for.
#
#   pid.sh PID
#
# stdout: `running PID TICKS BOOT`, `absent`, `zombie`, `thread LEADER`, or `hidden` (this host hides the processes of
# others, so it may be one of those); then `end`.
. ./identity.sh
. ./find.sh
printf '\n=firedup=\n' # an rc file may have printed before
pid=$1
read -r boot </proc/sys/kernel/random/boot_id
leader=$(sed -n 's/^Tgid:[[:blank:]]*//p' 2>/dev/null <"/proc/$pid/status")
if ! ticks_of "$pid"; then
  if [ "$(id -u)" = 0 ] || [ -r /proc/1/stat ]; then echo absent; else echo hidden; fi
elif [ -n "$leader" ] && [ "$leader" != "$pid" ]; then
  echo "thread $leader"
elif lives "$pid"; then
  echo "running $pid $ticks $boot"
else
  echo zombie
fi
echo end
