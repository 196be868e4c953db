# Follows one log file, and says what happens to it. The reader keeps the position and decides what it believes.
#
#   follow.sh NONCE FILE DEV:INO OFFSET ANCHOR LINES UNTIL CREDIT
#
# DEV:INO and OFFSET say where an earlier run stopped (`-` and 0 for none). ANCHOR is how many bytes before the
# offset are sent again with EVERY read: the reader compares them, because a file that was truncated and has grown
# past the old offset looks like any other growth. LINES: where there is no earlier run, how many last lines of a file
# that is there already, `cBYTES` for its last bytes; `-` for all. UNTIL `end` stops at the end of what is there now, `-`
# never. CREDIT is how many new bytes may be sent until our side asks for more: on stdin, a `+` for each 16 KiB.
#
# stdout, after the hello line:
#   O DEV:INO OFFSET SIZE MTIME   a file is open; OFFSET is not 0 where an earlier run is continued, or after LINES
#   D START LENGTH SIZE           then LENGTH raw bytes of the file from START, then `d GOT`: how many of them count
#                                 (the file may shrink meanwhile; the rest is filler)
#   T SIZE LOST                   shorter than what was read; LOST: bytes seen but never read. Goes on at 0
#   R                             renamed away or replaced, and read to its end; the next `O` is its successor
#   G SIZE                        a file that came in between has been packed: SIZE bytes of log, `-` where not known
#   M | U HEX                     not there | cannot be opened, and why
#   B                             nothing new, still here
#   E                             the end that UNTIL asked for
. ./alive.sh
. ./follow-siblings.sh
hello "$1"
file=$2 wanted=$3 offset=$4 anchor=$5 lines=${6:--} until=${7:--} credit=${8:-}

max_piece=262144 unit=16384
nap=0.1
sleep 0.01 2>/dev/null || nap=1
beats=50 settle=3 # in naps
[ $nap = 1 ] && beats=5 settle=1
# dash can only read whole lines; the others look at one character.
one=''
# shellcheck disable=SC3045 # asked for, not assumed
(IFS= read -r -n 1 _ </proc/uptime) 2>/dev/null && one='-n 1'

hex() { od -An -v -tx1 | tr -d ' \n'; }

open_file() { # PATH: on descriptor 3, with $id, $size, $mtime
  # `command`, or a failure would end a POSIX shell
  command exec 3<"$1" || return 1
  # shellcheck disable=SC2046 # three words
  set -- $(stat -Lc '%d:%i %s %Y' /proc/$me/fd/3 2>/dev/null)
  id=${1-} size=${2-0} mtime=${3-0}
  [ -n "$id" ]
}

seek() { # OFFSET: dd skips from where the descriptor stands, so it is opened anew, whatever its name is by now
  command exec 3</proc/$me/fd/3 || end_all
  [ "$1" -eq 0 ] || dd bs=1 skip="$1" count=0 <&3 >/dev/null 2>&1 # lseek: reads nothing
}

position() {
  while read -r key at; do
    [ "$key" = pos: ] && return
  done </proc/$me/fdinfo/3
}

# Waits until our side takes more.
wait_for_credit() {
  while [ "$credit" -le 0 ]; do
    IFS= read -r more <&7 || end_all
    case $more in *+*) credit=$((credit + unit * ${#more})) ;; esac
  done
}

# Sends the bytes before the offset again and what came after them.
send() {
  [ -n "$credit" ] && [ "$size" -gt "$offset" ] && wait_for_credit
  start=$((offset - anchor))
  [ $start -ge 0 ] || start=0
  length=$((size - start)) full='' most=$max_piece
  [ -n "$credit" ] && [ "$credit" -lt $most ] && most=$credit
  most=$((most + offset - start)) # what stands before the offset costs nothing
  [ $length -gt $most ] && length=$most full=1
  [ $length -gt 0 ] || return 0
  say 'D %s %s %s\n' $start $length "$size"
  seek $start
  dd bs=$length count=1 <&3 2>/dev/null || end_all
  position
  got=$((at - start))
  [ $got -lt $length ] && { dd if=/dev/zero bs=$((length - got)) count=1 2>/dev/null || end_all; }
  say 'd %s\n' $got
  if [ $((start + got)) -gt "$offset" ]; then
    [ -n "$credit" ] && credit=$((credit - start - got + offset))
    offset=$((start + got))
  fi
}

# Opens what an earlier run was reading: under its path, or renamed beside it.
open_wanted() {
  if [ -r "$file" ] && open_file "$file" 2>/dev/null && [ "$id" = "$wanted" ]; then return 0; fi
  open_sibling "$wanted"
}

# Opens what comes next: the file under the path, or one that was there since and is renamed away as well.
open_next() {
  [ -f "$file" ] && open_file "$file" 2>/dev/null # opening a pipe would block
  find_real
  if [ -n "$gone" ]; then
    # Looked for after the opening, so that whatever was there before it is found.
    later_sibling
    [ "$told_packed" = "$gone" ] || for one in $packed; do say 'G %s\n' "$one"; done
    told_packed=$gone
    if [ -n "$later" ]; then
      differs=$settle # its writer has moved on long ago
      open_sibling "$later" || open_file "$file" 2>/dev/null
    fi
  fi
  [ -n "$id" ]
}

find_real() {
  real=$(readlink -f "$file" 2>/dev/null && echo .) # the dot keeps a newline at the end of a name
  real=${real%?.}
}

# The last lines of the open file start at $offset. Where `tail` has read to is the end that they are counted from.
skip_to_last_lines() {
  case $lines in
    -) return ;;
    0) offset=$size ;;
    c*) offset=$((size - ${lines#c})) ;;
    *)
      bytes=$(tail -n "$lines" <&3 2>/dev/null | wc -c)
      position
      offset=$((at - bytes))
      ;;
  esac
  [ "$offset" -ge 0 ] || offset=0
  lines=-
}

# The bytes before the offset go out at once, so that the reader knows them before anything new comes.
send_anchor() {
  [ "$size" -ge "$offset" ] || return
  whole=$size size=$offset
  send
  size=$whole
}

kind_of() { # what lies under the path instead of a file
  if [ -d "$file" ]; then echo 'It is a folder'
  elif [ -p "$file" ]; then echo 'It is a named pipe'
  elif [ -c "$file" ] || [ -b "$file" ]; then echo 'It is a device'
  else echo 'It is not a regular file'; fi
}

finish() {
  say 'E\n'
  end_all
}

is_changed() { # emptied, or another file under the path
  # shellcheck disable=SC3013 # dash and busybox know -ef
  { [ "$offset" -gt 0 ] && [ ! -s /proc/$me/fd/3 ]; } || { [ -e "$file" ] && [ ! "$file" -ef /proc/$me/fd/3 ]; }
}

# What our side says comes through a pipe from the one who listens to it.
follow() {
  exec 7<&0 </dev/null
  read -r me _ </proc/self/stat # not `$$`: the descriptors are those of this part
  case $file in */*) ;; *) file=./$file ;; esac
  id='' gone='' later='' packed='' told_packed='' differs=0
  newline='
'
  find_real
  if [ "$wanted" != - ]; then
    lines=-
    if open_wanted; then
      say 'O %s %s %s %s\n' "$id" "$offset" "$size" "$mtime"
      send_anchor
    else
      offset=0
    fi
  fi

  told='' quiet=0 waited=0 look=1 char=''
  while :; do
    if [ -z "$id" ]; then
      differs=0
      if { [ -f "$file" ] || { [ -n "$gone" ] && [ $((waited % 10)) -eq 0 ]; }; } && open_next; then
        told='' offset=0 quiet=0 look=1
        skip_to_last_lines
        say 'O %s %s %s %s\n' "$id" "$offset" "$size" "$mtime"
        [ "$offset" -gt 0 ] && send_anchor
      elif [ ! -e "$file" ]; then
        lines=- # what comes later is new
        case $told in
          M | H) ;;
          *)
            # Behind a folder that may not be entered it only looks missing.
            why=$( (command exec 3<"$file") 2>&1)
            case $why in
              *denied*) told=H && say 'U %s\n' "$(printf %s "$why" | hex)" ;;
              *) told=M && say 'M\n' ;;
            esac
            ;;
        esac
      elif [ ! -f "$file" ]; then
        [ "$told" = F ] || say 'U %s\n' "$(kind_of | hex)"
        told=F
      else
        [ "$told" = U ] || say 'U %s\n' "$( (command exec 3<"$file") 2>&1 | hex)"
        told=U
      fi
      if [ -z "$id" ]; then
        [ "$until" = end ] && finish
        waited=$((waited + 1))
        [ $((waited % beats)) -eq 0 ] && say 'B\n'
        pause $nap
        continue
      fi
    fi

    # Without a fork while nothing happens: anything to read, emptied, another file under the path?
    if [ -z "$look" ]; then
      char=''
      # shellcheck disable=SC2086,SC2229 # `one` is two words or none
      if { IFS= read -r $one char <&3 && char=moved; } || [ -n "$char" ] || is_changed || [ $((quiet % 10)) -eq 0 ]; then look=1; fi
    fi
    if [ -n "$look" ]; then
      look='' seen=$size
      # The path first, if it is there: what is in its successor was written after the end of this file.
      # shellcheck disable=SC2046 # pairs of words
      set -- $(stat -Lc '%d:%i %s' "$file" /proc/$me/fd/3 2>/dev/null)
      [ $# -ge 4 ] || set -- "$id" 0 "$@"
      size=${4-0}
      if [ "$size" -lt "$offset" ]; then
        say 'T %s %s\n' "$size" $((seen > offset ? seen - offset : 0))
        offset=0 char=moved
      fi
      if [ "$size" -gt "$offset" ]; then
        send
        quiet=0 differs=0 char=''
        [ -n "$full" ] && { look=1; continue; }
      elif [ "$1" = "$id" ]; then
        differs=0
        [ -n "$char" ] && seek "$offset" # what was peeked at is gone again
        if [ "$until" = end ]; then
          [ -e "$file" ] && finish
          leave
          continue
        fi
      elif [ "$2" -gt 0 ] || [ "$until" = end ]; then
        # A moment for other writers of the old file. While the successor is empty, its writer may not have
        # reopened its log yet.
        differs=$((differs + 1))
        if [ $differs -gt $settle ] || [ "$until" = end ]; then
          leave
          continue
        fi
      fi
    fi
    quiet=$((quiet + 1))
    [ $((quiet % beats)) -eq 0 ] && say 'B\n'
    pause $nap
  done
}

hear | follow
