# Part of process.sh and process-of-launch.sh: what becomes of the process, and the parts that both have. Needs `moved_on`
# of those that include it, of the one for a launch `read_end` as well, and the functions of `process-loop.sh`.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./alive.sh
. ./hello-ticks.sh
. ./find.sh
. ./owner.sh
. ./heir.sh
. ./output-file.sh
. ./ended-marks.sh
. ./container-engines.sh
. ./container-hint.sh
slower=3

# The root has ended: what goes on is the process from now on, or it is gone.
end_of_root() {
  ended=''
  [ -n "$folder" ] && read_end
  # What the launch recorded is the end of the launched process, not of one that went on after it.
  [ -z "$folder" ] || [ "$root" = "$launched" ] || ended=''
  if find_heir; then
    [ "$found_by" = launch ] || heirs=''
    # The tree is looked at anew, so that nothing of an earlier one is left in it.
    adopt "$top" "$found_by" "$heirs" "$suspect" && return
  fi
  bury
  tell_end
}

tell_gone() {
  ended=''
  [ -n "$folder" ] && read_end
  tell_end
}

tell_end() {
  tell_last_file
  # Marked before the first signal; what crashed before that has its end recorded by then.
  # shellcheck disable=SC3013 # dash and busybox know -nt
  if [ -n "$folder" ] && [ -e "$folder/killed" ]; then
    # Shells do not agree on -nt where there is nothing to compare with.
    if [ ! -e "$folder/exit" ] || [ ! "$folder/killed" -nt "$folder/exit" ]; then say 'K\n'; fi
  fi
  # shellcheck disable=SC2154 # set by `adopt`
  grep -qsx "$root:$root_start" "$(marks)" && say 'K\n'
  tell "G $root${ended:+ $ended}"
  seen=1 root=''
}

# Once its tree has been told: where it runs, and what it writes to.
told_tree() {
  [ $((scan % per_scan)) -eq 1 ] && moved_on && return
  [ $scan -eq 2 ] && tell_its_container
  # A server that dies at once takes along what tells where it has written.
  { [ $((scan % 10)) -eq 1 ] || [ "$scan" -lt 10 ]; } && tell_file
}

recall() { # BOOT PID START FOUND_BY [SUSPECT]
  if [ "$1" = "$boot" ] && start_of "$2" && [ "$start" = "$3" ] && adopt "$2" "$4" '' "${5-}"; then return; fi
  [ -n "$folder" ] && [ "$1" != "$boot" ] && return # the launch tells what is known of it
  root=$2 root_start=$3 root_session=$2 found_by=$4
  now_in_ticks
  alive_at=$ticks_now
  if [ -n "$folder" ]; then end_of_root; else tell_gone; fi
}
