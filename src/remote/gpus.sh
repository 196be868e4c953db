# Who has memory in use on the GPUs, by nvidia-smi.
#
#   gpus.sh
#
# stdout: `me UID`, `gpu UUID MIB` each, `holder PID UUID MIB UID TICKS PARENT MARK|- HEX_COMMAND_LINE` each (MIB as
# nvidia-smi says it, perhaps `[N/A]`; PARENT: `init` for an orphan; MARK: the FIREDUP_ATTEMPT that it carries),
# `owner UID NAME`, and `end listed|absent|failed HEX`.
. ./identity.sh
. ./describe.sh
printf '\n=firedup=\n' # an rc file may have printed before
LC_ALL=C PATH=$PATH:/usr/bin:/usr/local/bin:/usr/local/nvidia/bin:/usr/local/cuda/bin
export LC_ALL PATH
echo "me $(id -u)"
command -v nvidia-smi >/dev/null 2>&1 || { echo 'end absent' && exit 0; }
limit='' # a driver that hangs is not waited for
timeout -s KILL 1 true 2>/dev/null && limit='timeout -s KILL 10'
ask() { $limit nvidia-smi "$1" --format=csv,noheader,nounits </dev/null 2>&1; }
apps=$(ask --query-compute-apps=pid,gpu_uuid,used_memory) || { echo "end failed $(printf %s "$apps" | hex)" && exit 0; }
ask --query-gpu=uuid,memory.used | awk -F ', *' 'NF == 2 { gsub(/ /, "", $2); print "gpu", $1, $2 }'
say_owners "$(for pid in $(printf '%s\n' "$apps" | sed -n 's/^ *\([0-9][0-9]*\) *,.*/\1/p'); do
  stat -c %u "/proc/$pid" 2>/dev/null
done | sort -u)"
printf '%s\n' "$apps" | awk -F ', *' 'NF == 3 && $1 ~ /^ *[0-9]+$/ { gsub(/ /, ""); gsub(/,/, " "); print }' |
  while read -r pid gpu memory; do
    uid=$(stat -c %u "/proc/$pid" 2>/dev/null)
    ticks_of "$pid" || ticks=-
    mark=$(tr '\0\n' '\n ' 2>/dev/null <"/proc/$pid/environ" | sed -n 's/^FIREDUP_ATTEMPT=//p' | tr -cd 'A-Za-z0-9_.-')
    echo "holder $pid $gpu ${memory:--} ${uid:--} ${ticks:--} $(parent_or_init "$pid") ${mark:--} $(hex_command "$pid")"
  done
echo 'end listed'
