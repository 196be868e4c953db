# Part of preflight.sh: GPUs, their tool, and who uses them.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
see_gpus() {
  PATH=$PATH:/usr/local/nvidia/bin:/usr/local/cuda/bin
  if command -v nvidia-smi >/dev/null 2>&1; then
    answer=$($bounded nvidia-smi --query-gpu=index,uuid,name,memory.total,memory.used,driver_version --format=csv,noheader,nounits 2>&1)
    put gpu-status $?
    printf '%s\n' "$answer" | head -n 40 | while IFS= read -r line; do put gpu "$line"; done
    return
  fi
  amd=0
  for node in /sys/class/kfd/kfd/topology/nodes/*/properties; do
    while read -r key value; do
      [ "$key" = simd_count ] && [ "$value" -gt 0 ] && amd=$((amd + 1))
    done 2>/dev/null <"$node"
  done
  [ $amd -gt 0 ] && put amd-gpus $amd
  for tool in amd-smi rocm-smi; do
    command -v $tool >/dev/null 2>&1 || continue
    answer=$($bounded $tool version 2>&1) || answer=$($bounded $tool --version 2>&1)
    put amd-tool $tool $? "$(printf '%s\n' "$answer" | head -n 1)"
    return
  done
}
see_gpu_use() {
  PATH=$PATH:/usr/local/nvidia/bin:/usr/local/cuda/bin
  command -v nvidia-smi >/dev/null 2>&1 || return 0
  $bounded nvidia-smi --query-compute-apps=pid,gpu_uuid,used_memory --format=csv,noheader,nounits 2>/dev/null |
    head -n 128 | while IFS= read -r line; do
    pid=${line%%,*}
    case $pid in '' | *[!0-9]*) continue ;; esac
    put gpu-app "$line"
    put_process "$pid"
  done
}
put_process() { # PID: who runs it, and its command line with its NULs
  owner=$(stat -c %U "/proc/$1" 2>/dev/null) || owner=''
  say 'process .%s .%s %s\n' "$1" "$owner" "$(head -c 800 "/proc/$1/cmdline" 2>/dev/null | hex)"
}
