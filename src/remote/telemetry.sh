# Samples the host, a process tree and the GPUs for as long as it is listened to.
#
#   telemetry.sh NONCE SECONDS GPU_SECONDS PID…      (the PIDs with their descendants are sampled)
#
# stdout, a block each SECONDS:
#   T UPTIME_CENTISECONDS
#   M TOTAL_KIB AVAILABLE_KIB
#   P PID PARENT START STATE CPU_TICKS RSS_PAGES READ_CHARS READ_BYTES NAME    (`-` where it may not be read)
#   E
# stderr, from a loop of its own, so that a GPU tool that hangs delays nothing else and no line is torn:
#   g absent | g N stuck PID | g N begin CELLS, G N LINE…, [A N LINE…], g N end STATUS CENTISECONDS
# The tool's errors are on its stdout (G lines), with the status telling that they are.
. ./alive.sh
PATH=$PATH:/usr/local/nvidia/bin:/usr/local/cuda/bin
hello "$1" "hz=$(getconf CLK_TCK 2>/dev/null || echo 100) page=$(getconf PAGESIZE 2>/dev/null || echo 4096) cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo -)"
. ./find.sh
seconds=$2 gpu_seconds=$3
shift 3
roots=$*
watch_stdin

centiseconds() { # since boot, in $now
  read -r up _ </proc/uptime
  now=${up%.*}${up#*.}
}

bounded=''
timeout -s KILL 5 true 2>/dev/null && bounded='timeout -s KILL 15'
# In state D a call cannot be killed, and neither can the next one.
stuck_call() { grep -lE '^[0-9]+ \(nvidia-smi\) D' /proc/[0-9]*/stat 2>/dev/null | head -n 1; }
ask() { $bounded nvidia-smi "$@" --format=csv,noheader,nounits 2>&1 </dev/null; }
send_lines() { # PREFIX: each line of stdin
  while IFS= read -r line; do say '%s %s\n' "$1" "$line"; done
}

sample_gpus() {
  exec 1>&2
  cells=6 # after the name: memory total and used, utilisation; these three, which one driver or another does not know:
  more=,temperature.gpu,power.draw,power.limit
  n=0 apps_in=0 # rounds until the processes are asked for
  while :; do
    n=$((n + 1))
    call=$(stuck_call)
    if [ -n "$call" ]; then
      call=${call#/proc/}
      say 'g %s stuck %s\n' $n "${call%/stat}"
      sleep 5
      continue
    fi
    centiseconds
    began=$now
    say 'g %s begin %s\n' $n $cells
    answer=$(ask --query-gpu=index,uuid,name,memory.total,memory.used,utilization.gpu$more)
    status=$?
    # One unknown field fails the whole call: go on without these.
    [ $status -eq 2 ] && [ -n "$more" ] && { more='' cells=3; continue; }
    printf '%s\n' "$answer" | send_lines "G $n"
    if [ $status -eq 0 ]; then
      [ $apps_in -eq 0 ] && { apps_in=5; ask --query-compute-apps=gpu_uuid,pid,used_memory | send_lines "A $n"; }
      apps_in=$((apps_in - 1))
    fi
    centiseconds
    took=$((now - began))
    say 'g %s end %s %s\n' $n $status $took
    # A call costs the GPUs something: at least four times as long a pause.
    pause=$gpu_seconds
    [ $((took / 25)) -gt "$pause" ] && pause=$((took / 25))
    sleep "$pause" || end_all
  done
}

read_memory() {
  total=- available=-
  while read -r key value _; do
    case $key in
      MemTotal:) total=$value ;;
      MemAvailable:) available=$value && return ;;
      Cached:) return ;; # older than Linux 3.14
    esac
  done </proc/meminfo
}

read_process() { # PID: its line in $process
  stat=''
  { while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done <"/proc/$1/stat"; } 2>/dev/null
  [ -n "$stat" ] || return 1
  pid=$1 name=${stat#*\(}
  name=${name%)*}
  stat=${stat##*) }
  chars=- bytes=-
  { while read -r key value; do
    case $key in
      rchar:) chars=$value ;;
      read_bytes:) bytes=$value && break ;;
    esac
  done <"/proc/$1/io"; } 2>/dev/null
  # shellcheck disable=SC2086 # split into fields on purpose
  set -- $stat
  process="P $pid $2 ${20} $1 $((${12} + ${13})) ${22} $chars $bytes $name"
}

if [ "$gpu_seconds" = 0 ] || ! command -v nvidia-smi >/dev/null 2>&1; then
  echo 'g absent' >&2
else
  sample_gpus &
fi
tick=0 pids=$roots
while :; do
  # Workers come and go; a look at every process is worth it only now and then.
  [ -n "$roots" ] && [ $((tick % 5)) -eq 0 ] && pids=$(family "$roots" '' '' | head -n 64 | cut -d' ' -f1)
  centiseconds
  read_memory
  block="T $now
M $total $available"
  for pid in $pids; do
    read_process "$pid" && block="$block
$process"
  done
  say '%s\nE\n' "$block"
  tick=$((tick + 1))
  sleep "$seconds" || end_all
done
