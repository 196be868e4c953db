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
#   R [late]                      renamed away or replaced, and read to its end; the next `O` is its successor. `late`:
#                                 that had happened well before, so what the successor holds need not be new
#   G SIZE                        a file that came in between has been packed: SIZE bytes of log, `-` where not known
#   M | U HEX                     not there | cannot be opened, and why
#   B                             nothing new, still here
#   E                             the end that UNTIL asked for
. ./alive.sh
. ./regular-file.sh
. ./follow-open.sh
. ./follow-siblings.sh
. ./follow-send.sh
. ./follow-copy.sh
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
  id='' gone='' later='' packed='' told_packed='' late='' differs=0 left_at=''
  newline='
'
  find_real
  if [ "$wanted" != - ]; then
    lines=-
    if open_wanted; then
      say 'O %s %s %s %s\n' "$id" "$offset" "$size" "$mtime"
      send_anchor
    else
      left_at=$offset offset=0 # it may be out of reach for now: a share that is not mounted yet
    fi
  fi

  told='' quiet=0 waited=0 look=1 char='' looked=''
  while :; do
    if [ -z "$id" ]; then
      differs=0
      if { [ -f "$file" ] || { [ -n "$gone" ] && [ $((waited % 10)) -eq 0 ]; }; } && open_next; then
        told='' offset=0 quiet=0 look=1
        [ -n "$left_at" ] && [ "$id" = "$wanted" ] && offset=$left_at
        left_at=''
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
        [ "$told" = F ] || say 'U %s\n' "$(kind_of "$file" | hex)"
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
        [ "$1" = "$id" ] && send_from_copy
        say 'T %s %s\n' "$size" $((seen > offset ? seen - offset : 0))
        offset=0 char=moved
      fi
      looked=1
      if [ "$size" -gt "$offset" ]; then
        send
        quiet=0 differs=0 char=''
        if [ -n "$full" ]; then
          [ "$1" = "$id" ] || late=' late'
          look=1
          continue
        fi
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
