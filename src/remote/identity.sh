# Part of the scripts that act on processes: a process is known by its pid, its start and the boot.

# PID: its start in clock ticks since boot, in $ticks (field 22 of /proc/PID/stat), and its state, in $process_state;
# fails when there is no such process. A name may hold blanks, brackets and line ends, so: after the last bracket.
ticks_of() {
  stat='' ticks='' process_state=''
  { while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done <"/proc/$1/stat"; } 2>/dev/null
  stat=${stat##*) }
  [ -n "$stat" ] || return 1
  # shellcheck disable=SC2086 # split into fields on purpose
  set -- $stat
  process_state=$1 ticks=${20}
}
# FILE: whether the process that its `PID TICKS BOOT EPOCH …` names is running: yes, no, or other-boot, in $life.
life_of() {
  life=no
  read -r its_pid its_ticks its_boot since _ 2>/dev/null <"$1" && [ -n "$its_boot" ] || return 0
  if [ "$its_boot" != "$boot" ]; then
    life=other-boot
  elif ticks_of "$its_pid" && [ "$ticks" = "$its_ticks" ] && [ "$process_state" != Z ]; then
    life=yes
  fi
}
. ./hex.sh
