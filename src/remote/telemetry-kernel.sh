# Part of telemetry.sh: what the kernel says of memory and GPUs.

# PIDS: the file that counts the OOM kills in the cgroup of the first of them, in $oom_file. A container may see its
# own cgroup as the root, and none of the path.
find_oom_file() {
  one=''
  for one in $1; do break; done
  [ -n "$one" ] || return 0
  v1='' v2=''
  { while IFS=: read -r _ controllers group; do
    case ,$controllers, in
      ,,) v2=${group%/} ;;
      *,memory,*) v1=${group%/} ;;
    esac
  done <"/proc/$one/cgroup"; } 2>/dev/null
  for oom_file in "/sys/fs/cgroup$v2/memory.events" "/sys/fs/cgroup/memory$v1/memory.oom_control" \
    /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    read_oom_kills
    [ "$kills" = - ] || return 0
  done
  oom_file=''
}

read_oom_kills() { # in $kills; `-` where the kernel does not tell: absent is unknown, not zero
  kills=-
  [ -r "$oom_file" ] || return 0
  { while read -r key value; do
    [ "$key" = oom_kill ] && kills=$value && return
  done <"$oom_file"; } 2>/dev/null
}

# Says `k SECONDS_SINCE_BOOT TEXT` for each line of the kernel's log on OOM kills and GPU errors since the start of the
# oldest of $roots, and then of new ones. Without root it may be readable in one way, another or none.
watch_kernel() {
  exec 1>&2
  read_log=''
  if dmesg >/dev/null 2>&1; then
    read_log='dmesg' nap=$((gpu_seconds > 0 ? gpu_seconds * 5 : 10))
  elif command -v journalctl >/dev/null 2>&1 && [ -n "$($bounded journalctl -q -k -b -n 1 --no-pager 2>/dev/null)" ]; then
    read_log='journalctl -q -k -b -o short-monotonic -n 500 --no-pager' nap=30
  fi
  [ -n "$read_log" ] || return 0
  read -r up _ </proc/uptime
  since=${up%.*}
  # The log's clock is not set by NTP: it goes up to a ten-thousandth wrong.
  drift=$((since / 10000 + 5))
  for one in $roots; do
    start_of "$one" && [ $((start / hz)) -lt "$since" ] && since=$((start / hz))
  done
  since=$((since - drift))
  while :; do
    # shellcheck disable=SC2086 # words
    found=$($bounded $read_log 2>/dev/null | awk -v since="$since" '
      /NVRM: (Xid|GPU at)|[Kk]illed process [0-9]|amdgpu.*(GPU reset|ring [^ ]+ timeout)/ && match($0, /\[ *[0-9]+\.[0-9]+\]/) {
        stamp = substr($0, RSTART + 1, RLENGTH - 2)
        sub(/^ */, "", stamp)
        if (stamp + 0 <= since + 0) next
        line[n++] = "k " stamp " " substr($0, RSTART + RLENGTH + 1, 300)
      }
      END { for (i = n > 20 ? n - 20 : 0; i < n; i++) print line[i] }')
    if [ -n "$found" ]; then
      say '%s\n' "$found"
      since=${found##*"${newline}k "}
      since=${since#k }
      since=${since%% *}
    fi
    pause $nap || end_all
  done
}
