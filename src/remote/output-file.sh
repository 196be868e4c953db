# Part of process.sh and process-of-launch.sh: the file that its process writes to. Needs `owner.sh`, and $root, $log,
# $folder of the caller.
# shellcheck disable=SC2154
. ./hex.sh

# Which file the process writes to, where no log was given, or the one that was is not there. Where that is there and
# empty, which file one of its tree writes to instead; and the log itself, once it is written to, and not only by a shell
# that says how the server ended: there is much in it, or for seconds nobody has had the other file open. Of a launch the
# other file is noted, for who looks after the end (attempts.sh).
tell_file() {
  if [ -z "$log" ] || [ ! -e "$log" ]; then
    file=$(output_file_of "$root")
    # What has been removed can be named, but not read.
    [ -n "$log" ] || case $file in *' (deleted)') return ;; esac
    tell_once W
  elif [ ! -s "$log" ]; then
    empty=''
    for one in $pids; do
      file=$(output_file_of "$one")
      # shellcheck disable=SC3013 # dash and busybox know -ef
      [ -f "$file" ] && [ ! "$file" -ef "$log" ] || continue
      [ -s "$file" ] && { tell_elsewhere && return; }
      empty=${empty:-$file}
    done
    awaited=${empty:-$awaited}
    return
  fi
  [ -n "$told_file" ] || { IFS= read -r noted 2>/dev/null <"$folder/writes-to" && told_file="E $noted"; }
  if [ -s "$log" ] && [ "${told_file%% *}" = E ] && [ "$told_file" != "E $log" ]; then
    idle=${idle:-$scan}
    for one in $pids; do
      [ "$(output_file_of "$one")" = "${told_file#E }" ] && idle=$scan
    done
    file=$log
    if [ $((scan - idle)) -ge 10 ] || [ "$(wc -c <"$log")" -gt 2000 ]; then
      tell_once E
      [ -z "$folder" ] || rm -f "$folder/writes-to"
      noted=''
    fi
  fi
}
told_file='' idle='' noted='' awaited=''

# A server may put out nothing until it ends, as by a wrong flag: then into the file that was seen empty.
tell_last_file() {
  file=$awaited
  [ -s "$file" ] && [ -e "$log" ] && [ ! -s "$log" ] && tell_elsewhere
}

tell_elsewhere() { # $file; of a launch it is noted as well
  tell_once E
  awaited=''
  [ -n "$folder" ] && [ "$file" != "$noted" ] || return 0
  noted=$file
  { printf '%s\n' "$file" >"$folder/writes-to.new" && mv "$folder/writes-to.new" "$folder/writes-to"; } 2>/dev/null
}

tell_once() { # MARK: of $file, unless it was the last one told
  [ -n "$file" ] && [ "$1 $file" != "$told_file" ] && say '%s %s\n' "$1" "$(printf %s "$file" | hex)"
  told_file=${file:+"$1 $file"}
}

output_file_of() { # PID
  for fd in "/proc/$1/fd/1" "/proc/$1/fd/2"; do
    [ -f "$fd" ] && is_written "$1" "${fd##*/}" && readlink "$fd" && return
    [ -p "$fd" ] || continue
    inode=$(stat -Lc %i "$fd")
    # `tee` and its like at the other end write the file. Another reader may write anything.
    # shellcheck disable=SC2044 # paths below /proc
    for end in $(open_as "$inode"); do
      reader=${end#/proc/}
      reader=${reader%%/*}
      is_written "$reader" "${end##*/}" && continue
      is_filter "$reader" || continue
      for file in "/proc/$reader/fd/"*; do
        [ -f "$file" ] && is_written "$reader" "${file##*/}" && readlink "$file" && return
      done
    done
  done
  for fd in "/proc/$1/fd/"*; do
    [ -f "$fd" ] || continue
    is_written "$1" "${fd##*/}" || continue
    case $(readlink "$fd") in *.log | *.out | *.err | *.txt) readlink "$fd" && return ;; esac
  done
}
