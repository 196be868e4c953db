# Part of preflight.sh: the host itself, and what the profile of a login shell sets.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
variables='CUDA_VISIBLE_DEVICES SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN VLLM_ALLOW_LONG_MAX_MODEL_LEN HF_HUB_OFFLINE
  SGLANG_USE_MODELSCOPE VLLM_USE_MODELSCOPE'
places='XDG_CACHE_HOME HF_HOME HF_HUB_CACHE HUGGINGFACE_HUB_CACHE'
# Of these, as `NAME VALUE`, what the profile of a login shell sets; of tokens only that there is one.
login_variables() { # NAMES
  # shellcheck disable=SC2016 # for that shell
  $bounded bash -lc 'for name in $1; do [ -n "${!name+set}" ] && printf "=firedup= %s %s\n" "$name" "${!name}"; done
    [ -n "$HF_TOKEN$HUGGING_FACE_HUB_TOKEN" ] && echo "=firedup= token set"' bash "$1" 2>/dev/null | sed -n 's/^=firedup= //p'
}
see_login() {
  login_variables "$variables" | while read -r name value; do
    if [ "$name" = token ]; then put token profile; else put login-env "$name" "$value"; fi
  done
}

see_host() {
  put kernel "$(uname -sr)"
  put user "$(id -un 2>/dev/null || id -u)" "$(id -u)"
  put login-shell "${SHELL-}" "$(readlink -f /bin/sh)"
  for tool in base64 setsid timeout bash python3 py-spy curl wget docker nvidia-smi amd-smi rocm-smi; do
    where=$(command -v $tool) && put tool $tool "$where"
  done
  put python "$($bounded python3 -V 2>&1 | head -n 1)"
  [ -r /proc/self/stat ] && put proc yes
  while read -r _ mount kind options _; do
    [ "$mount $kind" = '/proc proc' ] || continue
    case ,$options, in
      *,hidepid=1,* | *,hidepid=noaccess,*) put hidepid 1 ;;
      *,hidepid=2,* | *,hidepid=invisible,* | *,hidepid=4,* | *,hidepid=ptraceable,*) put hidepid 2 ;;
    esac
  done </proc/self/mounts
  read -r scope 2>/dev/null </proc/sys/kernel/yama/ptrace_scope && put ptrace-scope "$scope"
  if $bounded dmesg >/dev/null 2>&1; then put dmesg yes; else put dmesg no; fi
  while read -r key value _; do
    case $key in MemTotal: | MemAvailable:) put memory "$key" "$value" ;; esac
  done </proc/meminfo
  for name in $variables; do
    eval "[ -n \"\${$name+set}\" ] && put env $name \"\$$name\""
  done
  # Whether, never which.
  for name in HF_TOKEN HUGGING_FACE_HUB_TOKEN HUGGINGFACE_HUB_TOKEN; do
    eval "[ -n \"\${$name-}\" ] && put token $name"
  done
  for file in "${HF_TOKEN_PATH-}" "${HF_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/huggingface}/token"; do
    [ -n "$file" ] && [ -s "$file" ] && put token file
  done
}
see_shm() { room shm /dev/shm; }
see_state() { room state "$state_folder"; }
