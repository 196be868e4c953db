# Part of follow.sh: sends pieces of the open log.

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
