# Looks at the host before a launch, in one go. Changes nothing.
#
#   preflight.sh ITEM…      (each as printf's %b takes it)
#     env:NAME=VALUE        of the launch, where a look depends on it; nothing secret
#     cwd:PATH  log:PATH    (empty: the home folder, the state folder)
#     command:WORD  login-command:WORD  venv:PATH     what is started; by a login shell; in a virtual environment
#     login:yes             it is a line for a login shell, whose profile may set more variables
#     port:N
#     model:ROLE:WORD       a folder, a file, or the id of a repository
#     download:PATH         where the command keeps what it downloads
#     package:NAME          a Python package beside the command: its version
#     hook:METHOD:FOLDER    whether the class of the model `target` has this method; FOLDER is that of the package's models
#
# stdout: lines `KEY WORD…`; a word is `.` and plain characters, or hex. `begin SECTION`, `end SECTION`, at last
# `end all`. Each section is a job of its own, so that a disk or driver that hangs delays nothing else; who reads stops
# at its own deadline. What still hangs some seconds later is killed.
login_path=$PATH
. ./alive.sh
. ./find.sh
. ./model-files.sh
printf '\n=firedup=\n' 2>/dev/null # an rc file may have printed before
exec </dev/null

hex() { od -An -v -tx1 | tr -d ' \n'; }
put() { # KEY TEXT…
  line_out=$1
  shift
  for text_out; do
    case $text_out in
      *[!A-Za-z0-9_./:@%+,=-]*) line_out="$line_out $(printf %.800s "$text_out" | hex)" ;;
      *) line_out="$line_out .$text_out" ;;
    esac
  done
  say '%s\n' "$line_out"
}
put_file() { # KEY FILE: its first 64 KiB, in pieces that pipes do not tear
  $bounded head -c 65536 "$2" 2>/dev/null | hex | fold -w 2000 | while IFS= read -r piece || [ -n "$piece" ]; do
    say '%s %s\n' "$1" "$piece"
  done
}

bounded=''
for seconds in 1.8 1; do
  if timeout -s KILL "$seconds" true 2>/dev/null; then bounded="timeout -s KILL $seconds" && break; fi
done

cwd='' log='' word='' login='' by_login='' download_folder='' venv='' ports='' package='' method='' models_folder='' target='' draft=''
for item; do
  item=$(printf '%b.' "$item") item=${item%.}
  value=${item#*:}
  case $item in
    env:PATH=*) login_path=${value#*=} ;;
    env:[A-Z]*=*) export "${value%%=*}=${value#*=}" ;;
    cwd:*) cwd=$value ;;
    log:*) log=$value ;;
    command:*) word=$value ;;
    login-command:*) word=$value login=1 ;;
    login:*) by_login=1 ;;
    download:*) download_folder=$value ;;
    venv:*) venv=$value ;;
    port:*) ports="$ports $value" ;;
    model:target:*) target=${value#*:} ;;
    model:draft:*) draft=${value#*:} ;;
    package:*) package=$value ;;
    hook:*) method=${value%%:*} models_folder=${value#*:} ;;
  esac
done

from() { # PATH FOLDER: absolute, in $path
  case $1 in
    /*) path=$1 ;;
    '' | \~) path=$HOME ;;
    \~/*) path=$HOME/${1#??} ;;
    *) path=${2%/}/$1 ;;
  esac
}
from "$cwd" "$HOME"
cwd=$path
if [ -n "$download_folder" ]; then from "$download_folder" "$cwd" && download_folder=$path; fi
case ${XDG_STATE_HOME-} in
  /*) state_folder=$XDG_STATE_HOME/firedup ;;
  *) state_folder=$HOME/.local/state/firedup ;;
esac

room() { # KEY PATH: free and whole KiB of its disk, at the nearest folder that is there, and whether we may write there
  near=$2
  while [ ! -d "$near" ] && [ -n "$near" ]; do near=${near%/*}; done
  near=${near:-/}
  writable=no
  [ -w "$near" ] && [ -x "$near" ] && writable=yes
  sizes=$($bounded df -Pk "$near" 2>/dev/null | awk 'END { for (i = 4; i <= NF; i++) if ($i ~ /^[0-9]+%$/ || $i == "-") { print $(i - 1), $(i - 3); exit } }')
  put "$1" "$2" "$near" "$writable" "${sizes% *}" "${sizes#* }"
}

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

see_cwd() {
  kind=missing
  [ -e "$cwd" ] && kind='file'
  [ -d "$cwd" ] && { kind=denied && (cd "$cwd") 2>/dev/null && kind=folder; }
  put cwd "$cwd" $kind
}
see_log() {
  from "$log" "$cwd"
  [ -n "$log" ] || path=$state_folder/log
  if [ -d "$path" ]; then put log-is-folder "$path"; fi
  if [ -e "$path" ] && [ ! -w "$path" ]; then put log-denied "$path"; fi
  room log "${path%/*}/"
}

find_command() { # in $found
  found='' how=none
  if [ -n "$venv" ]; then
    from "$venv" "$cwd"
    venv=$path
    [ -d "$venv" ] || how=no-venv
  fi
  case $word in
    */*)
      from "$word" "$cwd"
      [ -e "$path" ] && how=not-executable
      [ -f "$path" ] && [ -x "$path" ] && found=$path
      ;;
    *)
      if [ -n "$venv" ] && [ -x "$venv/bin/$word" ]; then
        found=$venv/bin/$word
      elif [ -n "$login" ]; then
        command -v bash >/dev/null 2>&1 || how=no-bash
        found=$( (cd "$cwd" 2>/dev/null || cd || exit
          # shellcheck disable=SC2016 # for that shell
          PATH=$login_path $bounded bash -lc 'command -v -- "$1"' bash "$word" 2>/dev/null) | tail -n 1)
      else
        found=$( (cd "$cwd" 2>/dev/null || cd || exit
          PATH=$login_path
          command -v "$word"))
      fi
      ;;
  esac
}
see_command() {
  find_command
  put command "$word" "$found" "$how"
}

class_of_target() { # its first architecture, in $class
  from "$target" "$cwd"
  class=$($bounded cat "$path/config.json" 2>/dev/null | tr -d '\n' |
    sed -n 's/.*"architectures"[[:space:]]*:[[:space:]]*\[[[:space:]]*"\([A-Za-z0-9_]*\)".*/\1/p')
}
# Where the package lies: beside the Python that the command is run by, else beside the command.
see_package() {
  find_command
  [ -n "$found" ] || return 0
  from "$found" "$cwd"
  first=$(head -c 400 "$path" 2>/dev/null | tr '\0' ' ' | head -n 2)
  python=''
  case $first in
    '#!/bin/sh'*"exec' "*) python=${first#*"exec' "} python=${python#\"} python=${python%%[\" ]*} ;;
    '#!'*env\ *) python=${first#*env } python=$(PATH=$login_path command -v "${python%%[!A-Za-z0-9._-]*}") ;;
    '#!'*) python=${first#'#!'} python=${python%%[!A-Za-z0-9._/+@-]*} ;;
  esac
  for place in "${python%/*/*}" "${path%/*/*}" /usr/local /usr "$HOME/.local"; do
    [ -n "$place" ] || continue
    for site in "$place"/lib/python3*/site-packages "$place"/lib/python3*/dist-packages "$place"/lib/python3/dist-packages "$place"/lib64/python3*/site-packages; do
      for info in "$site/$package"-[0-9]*.dist-info; do
        [ -d "$info" ] || continue
        version=${info##*/"$package"-}
        put package "$package" "${version%.dist-info}" "$site"
        see_hook
        return 0
      done
    done
  done
}
see_hook() {
  [ -n "$method" ] && [ -n "$target" ] || return 0
  class_of_target
  [ -n "$class" ] || return 0
  folder=$site/$package/$models_folder
  if [ ! -d "$folder" ]; then
    # Installed with `pip install -e`.
    source=$(sed -n 's/.*"url": *"file:\/\/\([^"]*\)".*/\1/p' "$info/direct_url.json" 2>/dev/null)
    folder=$source/$package/$models_folder
  fi
  [ -d "$folder" ] || return 0
  verdict=lacks todo=$class seen=' '
  while [ -n "$todo" ]; do
    one=${todo%% *} todo=${todo#"$one"} todo=${todo# }
    [ -n "$one" ] || continue
    case $seen in *" $one "*) continue ;; esac
    seen="$seen$one "
    case $one in nn.Module | torch.nn.Module | Module | object | ABC | Protocol) continue ;; esac
    file=$(grep -lE "^class ${one}[(:]" "$folder"/*.py 2>/dev/null | head -n 1)
    if [ -z "$file" ]; then
      verdict=unknown
      continue
    fi
    answer=$(awk -v class="$one" -v method="$method" '
      !inside && $0 ~ "^class " class "[(:]" { inside = head = 1; text = "" }
      head {
        sub(/#.*/, "")
        text = text " " $0
        if (text !~ /:[ \t]*$/) next
        head = 0
        if (sub(/^[^(]*\(/, "", text)) { sub(/\)[ \t]*:[ \t]*$/, "", text); gsub(/\[[^]]*\]/, "", text); gsub(/[, \t]+/, " ", text); bases = text }
        next
      }
      inside && /^[^ \t#)]/ { exit }
      inside && $0 ~ "^[ \t]+(async +)?def +" method "[ \t]*\\(" { has = 1 }
      inside && $0 ~ "^[ \t]+" method "[ \t]*=" { has = 1 }
      inside && /^[ \t]+def +__getattr__/ { dynamic = 1 }
      END { print has ? "has" : dynamic ? "unknown" : "bases " bases }' "$file")
    case $answer in
      has) verdict=has && break ;;
      unknown) verdict=unknown ;;
      bases*)
        bases=${answer#bases}
        case $bases in *=*) verdict=unknown ;; esac
        todo="$todo${bases% }" todo=${todo# }
        ;;
    esac
  done
  put hook "$class" "$method" $verdict "$folder"
}

places_by_login() { # takes over what the profile says of the caches; fails where that is nothing
  found=$(login_variables "$places" | grep -v '^token ') && [ -n "$found" ] || return 1
  while read -r name value; do export "$name=$value"; done <<END
$found
END
}

see_model() { # ROLE WORD
  role=$1
  from "$2" "$cwd"
  find_model "$2" "$path"
  # The profile may say that the cache is elsewhere.
  if [ "$kind" = hub ] && [ -n "$by_login" ] && places_by_login; then find_model "$2" "$path"; fi
  [ -z "$hub" ] || room hub-room "$hub"
  put model "$role" "$place" "$kind"
  case $kind in missing | hub) return ;; esac
  if [ "$kind" != 'file' ]; then
    [ -e "$place/config.json" ] && put config "$role" && put_file "config-$role" "$place/config.json"
    for other in "$place"/params.json "$place"/*.gguf; do [ -e "$other" ] && put no-config-needed "$role" && break; done
  fi
  # shellcheck disable=SC2046 # three numbers
  put weights "$role" $(weigh_model "$place" "$kind")
}

jobs_running=''
begin() { # SECTION COMMAND…
  put begin "$1"
  (
    section=$1
    shift
    "$@" 2>/dev/null
    put end "$section"
  ) &
  jobs_running="$jobs_running $!"
}
begin host see_host
begin shm see_shm
begin state see_state
begin gpus see_gpus
begin gpu-use see_gpu_use
[ -z "$ports" ] || begin ports see_ports
begin cwd see_cwd
begin log see_log
[ -z "$by_login" ] || begin login see_login
[ -z "$word" ] || begin command see_command
[ -z "$package" ] || begin package see_package
[ -z "$target" ] || begin target see_model target "$target"
[ -z "$draft" ] || begin draft see_model draft "$draft"

{ sleep 4 && end_all; } >/dev/null 2>&1 &
watchdog=$!
# shellcheck disable=SC2086 # a list of pids
wait $jobs_running
kill -KILL $watchdog 2>/dev/null
put end all
