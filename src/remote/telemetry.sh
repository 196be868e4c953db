# Samples the host, a process tree and the GPUs for as long as it is listened to.
#
#   telemetry.sh NONCE SECONDS GPU_SECONDS PID…      (the PIDs with their descendants are sampled)
#
# stdout, a block each SECONDS (less often for many processes). Only what has changed is said; `-` is not readable:
#   T UPTIME_CENTISECONDS
#   M TOTAL_KIB AVAILABLE_KIB PAGE_CACHE_KIB
#   N RECEIVED_BYTES                             (of the network interfaces)
#   O OOM_KILLS                                  (in the tree's cgroup)
#   P PID PARENT START NAME                      (new, or another name)
#   p PID STATE CPU_TICKS RSS_PAGES READ_CHARS READ_BYTES WRITTEN_BYTES MAJOR_FAULTS WCHAN     (`=` as before)
#   - PID                                        (gone)
#   E
# stderr: what `telemetry-gpus.sh` and `telemetry-kernel.sh` say, from loops of their own: one that hangs delays
# nothing else, and each writes whole lines at once.
. ./alive.sh
PATH=$PATH:/usr/local/nvidia/bin:/usr/local/cuda/bin:/opt/rocm/bin
hz=$(getconf CLK_TCK 2>/dev/null || echo 100)
hello "$1" "hz=$hz page=$(getconf PAGESIZE 2>/dev/null || echo 4096) cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo -)"
. ./find.sh
seconds=$2 gpu_seconds=$3
shift 3
roots=$*
watch_stdin
newline='
'
bounded=''
timeout -s KILL 5 true 2>/dev/null && bounded='timeout -s KILL 15'

centiseconds() { # since boot, in $now
  read -r up _ </proc/uptime
  now=${up%.*}${up#*.}
}

. ./telemetry-gpus.sh
. ./telemetry-kernel.sh

# PIDS: those of them that live, and their descendants, the 64 oldest. As `family` of find.sh, for less.
tree_of() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v roots="$1" '
    BEGIN { n = split(roots, words, " "); for (i = 1; i <= n; i++) root[words[i]] = 1 }
    /^[0-9]+ \(/ {
      pid = $1
      sub(/^.*\) /, "")
      if ($1 == "Z" || $1 == "X") next
      parent[pid] = $2
      start[pid] = $20
      if (pid in root) member[pid] = 1
    }
    END {
      do { grew = 0; for (p in parent) if (!(p in member) && (parent[p] in member)) { member[p] = 1; grew = 1 } } while (grew)
      for (count = 0; count < 64; count++) {
        oldest = ""
        for (p in member) if (oldest == "" || start[p] + 0 < start[oldest] + 0) oldest = p
        if (oldest == "") break
        print oldest
        delete member[oldest]
      }
    }'
}

# Everything below reads with the shell's own means: a fork costs more than all of a process's files.
read_memory() {
  total=- available=- cached=-
  while read -r key value _; do
    case $key in
      MemTotal:) total=$value ;;
      MemAvailable:) available=$value ;; # since Linux 3.14
      Cached:) cached=$value && return ;;
    esac
  done </proc/meminfo
}

# Virtual interfaces repeat what comes through the real ones.
read_network() {
  received=-
  { while read -r name bytes _; do
    case $name in
      lo:* | veth* | docker* | br-* | virbr* | cni* | cali* | flannel* | bond* | *.*:*) continue ;;
      *:) ;;
      *:[0-9]*) bytes=${name#*:} ;; # old kernels leave no blank before a long number
      *) continue ;;
    esac
    [ "$received" = - ] && received=0
    received=$((received + bytes))
  done </proc/net/dev; } 2>/dev/null
}

read_process() { # PID: adds to the block what has changed of it
  stat=''
  # A process name may hold anything, even newlines and `) `.
  { while IFS= read -r line || [ -n "$line" ]; do stat="$stat$line "; done <"/proc/$1/stat"; } 2>/dev/null
  [ -n "$stat" ] || return 1
  pid=$1 name=${stat#*\(}
  name=${name%)*}
  stat=${stat##*) }
  chars=- bytes=- written=- wchan=-
  { while read -r key value; do
    case $key in
      rchar:) chars=$value ;;
      read_bytes:) bytes=$value ;;
      write_bytes:) written=$value && break ;;
    esac
  done <"/proc/$1/io"; } 2>/dev/null
  # shellcheck disable=SC2086 # split into fields on purpose
  set -- $stat
  # Where it sleeps is worth a look only where it cannot be woken.
  [ "$1" = D ] && { read -r wchan || [ -n "$wchan" ] || wchan=-; } 2>/dev/null <"/proc/$pid/wchan"
  identity="$2 ${20} $name"
  figures="$1 $((${12} + ${13})) ${22} $chars $bytes $written ${10} ${wchan:--}"
  was='' had=''
  eval "was=\${identity_$pid-} had=\${figures_$pid-}"
  if [ "$identity" != "$was" ]; then
    block="$block${newline}P $pid $identity"
    eval "identity_$pid=\$identity"
    had=''
  fi
  [ "$figures" = "$had" ] && return
  eval "figures_$pid=\$figures"
  change=''
  for figure in $figures; do
    if [ "$figure" = "${had%% *}" ]; then change="$change ="; else change="$change $figure"; fi
    had=${had#* }
  done
  block="$block${newline}p $pid$change"
}

say_gone() { # of $shown, those that are not in $seen
  for one in $shown; do
    case " $seen " in *" $one "*) continue ;; esac
    block="$block$newline- $one"
    unset "identity_$one" "figures_$one"
  done
}

if [ "$gpu_seconds" = 0 ] || [ -z "$gpu_tool" ]; then
  echo 'g absent' >&2
else
  sample_gpus &
fi
watch_kernel &
tick=0 pids=$roots shown='' told_memory='' told_network='' told_kills='' oom_file=''
while :; do
  centiseconds
  block="T $now"
  # Workers come and go; a look at every process of the host is worth it only now and then.
  if [ -n "$roots" ] && [ $((tick % 5)) -eq 0 ]; then
    pids=$(tree_of "$roots")
    [ -n "$oom_file" ] || find_oom_file "$pids"
    read_oom_kills
    [ "$kills" = "$told_kills" ] || block="$block${newline}O $kills"
    told_kills=$kills
  fi
  read_memory
  [ "$total $available $cached" = "$told_memory" ] || block="$block${newline}M $total $available $cached"
  told_memory="$total $available $cached"
  if [ $((tick % 2)) -eq 0 ]; then
    read_network
    [ "$received" = "$told_network" ] || block="$block${newline}N $received"
    told_network=$received
  fi
  seen='' count=0
  for pid in $pids; do
    read_process "$pid" && seen="$seen $pid" && count=$((count + 1))
  done
  [ "$seen" = "$shown" ] || say_gone
  shown=$seen
  say '%s\nE\n' "$block"
  tick=$((tick + 1))
  pause $((seconds + count / 24)) || end_all
done
