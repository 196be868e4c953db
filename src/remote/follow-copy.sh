# Part of follow.sh: what a log held that was copied away and then emptied (logrotate's copytruncate).

# Sends from the copy what the log had got since the last look, and opens the log again. The reader compares the bytes
# before the offset, so another file than the copy costs no more than a gap of unknown size. One that is not of now is
# none, unless the log was emptied while nobody looked.
send_from_copy() {
  copy=$(newest_copy)
  [ -n "$copy" ] && command exec 3<"$copy" || return 0
  emptied=$size
  size=$(stat -Lc %s /proc/$me/fd/3 2>/dev/null)
  while [ "${size:-0}" -gt "$offset" ]; do
    sent=$offset
    send
    [ "$offset" -gt "$sent" ] || break
  done
  size=$emptied
  command exec 3<"$file" || end_all
}

# In its own words of `NAME.1`, `NAME-20260101`, `NAME.bak`: at least as long as what was read, the last one changed.
newest_copy() {
  now=$(date +%s)
  for name in "$file" "$real"; do
    for one in "$name"[._-]*; do
      case $one in *.gz | *.xz | *.zst | *.bz2) continue ;; esac
      [ -f "$one" ] && [ -r "$one" ] && stat -Lc '%Y %s %n' "$one"
    done
  done 2>/dev/null | sort -rn | while read -r changed length one; do
    [ -z "$looked" ] || [ $((now - changed)) -le 60 ] || break
    if [ "$length" -ge "$offset" ]; then printf '%s\n' "$one" && break; fi
  done
}
