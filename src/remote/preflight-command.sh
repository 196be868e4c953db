# Part of preflight.sh: folder, log and program of the command.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
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
