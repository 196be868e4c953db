# Part of process-of-launch.sh: the process of a launch of ours, as its folder records it, and what else belongs to that.
# Needs `owner.sh` and `heir.sh`, and the functions of `process-loop.sh`.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./marker.sh

# One look for it; the launch tells what becomes of it, once it was seen.
search() { [ -n "$seen" ] || search_launch; }

moved_on() { return 1; }

search_launch() {
  launched='' launched_start=''
  read -r launched launched_start launched_boot _ 2>/dev/null <"$folder/pid"
  if [ -z "$launched" ]; then
    tell 'U the launch has recorded no process yet'
  elif [ "$launched_boot" != "$boot" ]; then
    root=$launched
    tell_gone
  elif start_of "$launched" && [ "$start" = "$launched_start" ] && adopt "$launched" launch; then
    :
  else
    root=$launched root_session=$launched found_by=launch
    end_of_root
  fi
}

read_end() { # the supervisor writes it a moment after the end
  read -r launched launched_start _ 2>/dev/null <"$folder/pid"
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    read -r ended 2>/dev/null <"$folder/exit" && break
    sleep 0.1 2>/dev/null
  done
}

# The processes of the launch in $folder besides the launched one: orphans with its mark, or, where a program has
# cleared its environment, that write to its log and were started while it ran; and what descends from these.
left_of_launch() {
  marker=''
  read -r marker 2>/dev/null <"$folder/id"
  last=$(ticks_at "${ended#* }")
  {
    [ -n "$marker" ] && with_marker /proc/[0-9]*/environ | sed 's|^/proc/\([0-9]*\)/.*|\1 mark|'
    [ -n "$log" ] && outputs_in "$(sources_of "$log")" | sed 's/$/ log/'
  } | while read -r pid why; do
    lives "$pid" && [ "$start" -ge "$launched_start" ] || continue
    case $lineage in *" $pid "*) continue ;; esac
    if is_member "$pid" || { is_orphan && { [ "$why" = mark ] || [ "$start" -le "$last" ]; }; }; then
      printf '%s\n' "$pid"
    fi
  done | sort -un
}

# EPOCH [WORDS]: the end of that second in ticks since boot; without EPOCH the last moment in which it was alive.
ticks_at() {
  second=${1%% *}
  born=$(sed -n 's/^btime //p' /proc/stat 2>/dev/null)
  if [ -n "$second" ] && [ -n "$born" ]; then echo $(((second + 1 - born) * hz)); else echo "$alive_at"; fi
}
