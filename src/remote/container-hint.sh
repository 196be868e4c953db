# Part of process.sh and process-of-launch.sh. Needs container-engines.sh, and $root and `say` of the caller.
# shellcheck disable=SC2154 # these
named=''

# A process that was found otherwise, and runs in a container of an engine here: `k NAME`, once. Not where we are in it too.
tell_its_container() {
  its_id=$(grep -o '[0-9a-f]\{64\}' "/proc/$root/cgroup" 2>/dev/null | head -n 1)
  if [ -z "$its_id" ] || [ -n "$named" ] || grep -qs "$its_id" /proc/self/cgroup; then return; fi
  named=1
  for one in $(engines -); do
    # shellcheck disable=SC2086 # two words or none
    its_name=$($limit "$one" inspect --type container --format '{{.Name}}' "$its_id" 2>/dev/null) || continue
    its_name=${its_name#/}
    case $its_name in '' | *[!a-zA-Z0-9_.-]*) continue ;; esac
    say 'k %s\n' "$its_name"
    return
  done
}
