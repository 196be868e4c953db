# Where the files of a model are, and how large its weights are. `bounded` is a `timeout …`, or empty; `root` goes before
# the folder of the hub, for a process that sees another one.

find_model() { # WORD PATH: place, kind = folder|file|cached|hub|missing; for a repository's id also hub
  place=$2 kind=missing hub=''
  if [ -d "$2" ]; then
    kind=folder
  elif [ -e "$2" ]; then
    kind='file'
  else
    case $1 in
      /* | ./* | ../* | \~* | *://* | */*/*/* | *[!A-Za-z0-9_./:-]*) ;;
      */*/*.gguf) find_cached "${1%/*}" ;; # one file of a repository
      */*/* | *:*/* | *:*:* | *:) ;;
      *:*) find_cached "${1%:*}" ;; # one quantisation of its GGUF files
      *) find_cached "$1" ;;
    esac
  fi
}

# REPOSITORY: whether it is in the cache, or in $download_folder where the engine was given one.
find_cached() {
  hub=${root-}${HF_HUB_CACHE:-${HUGGINGFACE_HUB_CACHE:-${HF_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/huggingface}/hub}}
  [ -z "${download_folder-}" ] || hub=$download_folder
  kind=hub
  cached=$hub/models--${1%%/*}
  [ "$1" = "${1#*/}" ] || cached=$cached--${1#*/}
  for snapshot in "$cached"/snapshots/*/; do
    for file in "$snapshot"config.json "$snapshot"*.gguf; do [ -e "$file" ] && kind=cached place=${snapshot%/}; done
  done
}

# Bytes (as the index states them, else of the files), number of files, and how many of them their names promise
# (`model-00001-of-00064.safetensors`).
weigh_model() { # PLACE KIND
  if [ "$2" = 'file' ]; then
    echo "$(stat -Lc %s "$1" 2>/dev/null) 1 1"
    return
  fi
  stated=$($bounded head -c 2000 "$1/model.safetensors.index.json" 2>/dev/null | sed -n 's/.*"total_size"[^0-9]*\([0-9][0-9]*\).*/\1/p' | head -n 1)
  # shellcheck disable=SC2012 # only sizes and names of weights are read
  $bounded ls -lL "$1" 2>/dev/null | awk -v stated="$stated" '
    /\.(safetensors|bin|gguf|pt|pth)$/ {
      bytes += $5; n++
      if (match($NF, /-of-[0-9]+\.[a-z]+$/)) { m = substr($NF, RSTART + 4) + 0; shards++; if (m > most) most = m }
    }
    END { if (stated != "") bytes = stated; printf "%.0f %d %d\n", bytes, n, most }'
}
