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

. ./preflight-say.sh

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

. ./preflight-host.sh
. ./preflight-gpus.sh
. ./preflight-ports.sh
. ./preflight-command.sh
. ./preflight-package.sh
. ./preflight-model.sh

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

{ sleep 7 && end_all; } >/dev/null 2>&1 &
watchdog=$!
# shellcheck disable=SC2086 # a list of pids
wait $jobs_running
kill -KILL $watchdog 2>/dev/null
put end all
