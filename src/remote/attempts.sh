# Tells what is recorded of the launches under a name.
#
#   attempts.sh names              `name NAME` a line
#   attempts.sh list NAME          every attempt, the first first
#   attempts.sh read NAME NUMBER   one attempt (`latest`: the last), with what is needed to start it again
#
# Each attempt is a block of lines from `attempt N` to the next, or to `end of list`, which is always the last line;
# contents of files are hex encoded, since they may hold any byte. `alive yes|no|other-boot`: whether the process that was recorded runs, by start ticks and boot id.
# `denied HEX`, alone: the folder that hides what there is.
# `writes-to HEX`: the file that its command was seen to send its output to (output-file.sh), where its log has no more than
# some last words; `empty`: its log is, and it is not known whether there is another one.
# `room KIB`, where neither a process nor its end is there: free space, since a full disk may be why.
. ./identity.sh
printf '\n=firedup=\n' 2>/dev/null # an rc file may have printed before
attempt_number() { # FOLDER: its number in $n; fails when it is no attempt
  n=${1##*/}
  case $n in '' | *[!0-9]* | 0*) return 1 ;; esac
}
say_output() { # FOLDER
  its_log=$(cat "$1/log-path" 2>/dev/null) elsewhere=''
  [ -f "$its_log" ] && [ "$(wc -c 2>/dev/null <"$its_log")" -le 2000 ] 2>/dev/null || return
  IFS= read -r elsewhere 2>/dev/null <"$1/writes-to"
  if [ -n "$elsewhere" ] && [ -f "$elsewhere" ]; then
    echo "writes-to $(printf %s "$elsewhere" | hex)"
  elif [ ! -s "$its_log" ]; then
    echo empty
  fi
}
describe() { # FOLDER NUMBER WHAT
  must_read "$1"
  echo "attempt $2"
  echo "folder $(printf %s "$1" | hex)"
  for field in starter pid exit id; do
    [ -f "$1/$field" ] && read -r content <"$1/$field" && echo "$field $content"
  done
  [ -f "$1/log-path" ] && echo "log $(hex <"$1/log-path")"
  [ -e "$1/log-fresh" ] && echo fresh
  say_output "$1"
  [ -e "$1/killed" ] && echo killed
  [ -s "$1/gpus" ] && echo "gpus $(hex <"$1/gpus")"
  [ -f "$1/shown.json" ] && echo "shown $(hex <"$1/shown.json")"
  [ "$3" = read ] && [ -f "$1/launch.json" ] && echo "launch $(hex <"$1/launch.json")"
  if [ ! -f "$1/exit" ]; then
    life=no
    if [ -f "$1/pid" ]; then life_of "$1/pid"; elif [ -f "$1/starter" ]; then life_of "$1/starter"; fi
    # It may have ended, and been recorded, between the two looks.
    if [ $life = no ] && [ -f "$1/exit" ] && read -r content <"$1/exit"; then echo "exit $content"; fi
    echo "alive $life"
    [ $life = no ] && echo "room $(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')"
  fi
}

read -r boot </proc/sys/kernel/random/boot_id
case ${XDG_STATE_HOME-} in
  /*) state=$XDG_STATE_HOME/firedup ;;
  *) state=$HOME/.local/state/firedup ;;
esac

# FOLDER: ends with a word where it may be there, with something in it, and cannot be looked into.
must_read() {
  place=$1
  while [ ! -e "$place" ] && [ -n "$place" ]; do place=${place%/*}; done
  [ -x "${place:-/}" ] && { [ "$place" != "$1" ] || [ -r "$place" ]; } && return
  echo "denied $(printf %s "$place" | hex)"
  echo 'end of list'
  exit 0
}

must_read "$state"
case $1 in
  names)
    for folder in "$state"/*/; do
      [ -d "$folder" ] && must_read "${folder%/}"
      found=
      for attempt in "$folder"[1-9]*/; do
        [ -d "$attempt" ] && attempt_number "${attempt%/}" && found=1 && break
      done
      [ -n "$found" ] || continue
      name=${folder%/}
      echo "name ${name##*/}"
    done
    ;;
  list)
    must_read "$state/$2"
    # By number: a glob sorts 10 before 2.
    for number in $(for folder in "$state/$2"/[1-9]*; do attempt_number "$folder" && echo "$n"; done | sort -n); do
      describe "$state/$2/$number" "$number" list
    done
    ;;
  read)
    must_read "$state/$2"
    number=$3
    if [ "$number" = latest ]; then
      number=$(for folder in "$state/$2"/[1-9]*; do attempt_number "$folder" && echo "$n"; done | sort -n | tail -n 1)
    fi
    [ -n "$number" ] && [ -d "$state/$2/$number" ] && describe "$state/$2/$number" "$number" read
    ;;
esac
echo "end of list"
