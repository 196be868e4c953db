# How large the weights of a server's model are on disk, seen as the server's process sees its files: a container has
# others. Says `bytes N`, unless that cannot be read, and `end`.
#
#   model-size.sh PID MODEL      (MODEL: a folder, a file, or the id of a repository)
printf '\n=firedup=\n'
. ./model-files.sh
bounded=''
timeout -s KILL 4 true 2>/dev/null && bounded='timeout -s KILL 4'

root=/proc/$1/root
{ [ -r "$root/proc" ] && folder=$(readlink "/proc/$1/cwd"); } 2>/dev/null || { root='' && folder=$HOME; }
for name in HF_HUB_CACHE HUGGINGFACE_HUB_CACHE HF_HOME XDG_CACHE_HOME HOME; do
  value=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/environ" | sed -n "s/^$name=//p" | head -n 1)
  [ -z "$value" ] || export "$name=$value"
done

case $2 in
  /*) path=$root$2 ;;
  \~/*) path=$root$HOME/${2#??} ;;
  *) path=$root${folder%/}/$2 ;;
esac
find_model "$2" "$path"
case $kind in missing | hub) echo end && exit ;; esac
# shellcheck disable=SC2046 # three numbers
set -- $(weigh_model "$place" "$kind")
[ "${1:-0}" = 0 ] || printf 'bytes %s\n' "$1"
echo end
