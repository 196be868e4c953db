# Part of telemetry.sh: asks the GPU tool of the host, over and over.
#
# It says (once) `g absent`, or for each call `g N begin TOOL CELLS`, then all at once what it answered and
# `g N end STATUS CENTISECONDS`; `g N stuck PID` while an earlier call hangs in the driver.
#   G ROW            a row of nvidia-smi, or a line that is none: the tools' errors are on their stdout
#   d PLACE CELLS    the row at that place (from 0) as before, but for these last cells
#   a, A ROW…        who has memory on the GPUs; L ROW… (after `l`) the list with the MIG devices; each as before if absent
#   J KIND JSON      amd-smi (metric, static, process) or rocm-smi (rocm); as before if absent
gpu_tool=''
for one in nvidia-smi amd-smi rocm-smi; do
  command -v $one >/dev/null 2>&1 && gpu_tool=$one && break
done

sample_gpus() {
  exec 1>&2
  # Cells after the name; with the fewest of them every driver is content.
  cells=8 n=0 round=0 look=yes told_apps='' told_list='' told_metric='' told_static='' told_process=''
  while :; do
    n=$((n + 1)) answer=''
    # In state D a call cannot be killed, and neither can the next one.
    if [ -n "$look" ] && call=$(grep -lE '^[0-9]+ \((nvidia|amd|rocm)-smi\) D' /proc/[0-9]*/stat 2>/dev/null | head -n 1) && [ -n "$call" ]; then
      call=${call#/proc/}
      say 'g %s stuck %s\n' $n "${call%/stat}"
      pause 5 || end_all
      continue
    fi
    centiseconds
    began=$now
    say 'g %s begin %s %s\n' $n "$gpu_tool" $cells
    case $gpu_tool in
      nvidia-smi) ask_nvidia || continue ;;
      amd-smi) ask_amd ;;
      rocm-smi) ask_rocm ;;
    esac
    round=$((round + 1))
    centiseconds
    took=$((now - began))
    say '%sg %s end %s %s\n' "$answer" $n $status $took
    look=''
    [ $took -gt 500 ] && look=yes
    # A call costs the GPUs something: at least four times as long a pause.
    pause=$gpu_seconds
    [ $((took / 25)) -gt "$pause" ] && pause=$((took / 25))
    pause "$pause" || end_all
  done
}

nvidia() { $bounded nvidia-smi "$@" 2>&1 </dev/null; }

ask_nvidia() { # fails when the driver does not know a field: one unknown field fails the whole call
  case $cells in
    8) fields=,power.limit,mig.mode.current,memory.used,utilization.gpu,temperature.gpu,power.draw ;;
    7) fields=,power.limit,memory.used,utilization.gpu,temperature.gpu,power.draw ;;
    4) fields=,memory.used,utilization.gpu ;;
  esac
  rows=$(nvidia --query-gpu=index,uuid,name,pci.bus_id,memory.total$fields --format=csv,noheader,nounits)
  status=$?
  if [ $status -eq 2 ] && [ $cells -gt 4 ]; then
    cells=$((cells == 8 ? 7 : 4))
    return 1
  fi
  add_rows "$rows"
  [ $status -eq 0 ] && [ $((round % 5)) -eq 0 ] || return 0
  if rows=$(nvidia --query-compute-apps=gpu_uuid,pid,used_memory --format=csv,noheader,nounits); then
    [ "a$rows" = "$told_apps" ] || add_lines a A "$rows"
    told_apps=a$rows
  fi
  [ -n "$has_mig" ] || return 0
  rows=$(nvidia -L) || return 0
  [ "$rows" = "$told_list" ] || add_lines l L "$rows"
  told_list=$rows
}

add_rows() { # ROWS: those that are as before but for the figures, as these
  place=0 has_mig=''
  set -f
  IFS=$newline
  for row in $1; do
    unset IFS
    case $cells in
      4) head=${row%, *, *} ;;
      *) head=${row%, *, *, *, *} ;;
    esac
    case $head in *', Enabled') has_mig=yes ;; esac
    eval "was=\${head_$place-}"
    if [ "$head" != "$row" ] && [ "$head" = "$was" ]; then
      answer="${answer}d $place${row#"$head",}$newline"
    else
      answer="${answer}G $row$newline"
      eval "head_$place=\$head"
    fi
    place=$((place + 1))
  done
  unset IFS
  set +f
}

add_lines() { # MARK PREFIX LINES
  answer="$answer$1$newline"
  set -f
  IFS=$newline
  for row in $3; do answer="$answer$2 $row$newline"; done
  unset IFS
  set +f
}

ask_amd() {
  rows=$($bounded amd-smi metric --mem-usage --usage --power --temperature --json 2>&1 </dev/null)
  status=$?
  json=$(flat_json "$rows")
  [ -n "$json" ] || { add_lines x G "$rows" && return; }
  [ "$json" = "$told_metric" ] || answer="${answer}J metric $json$newline"
  told_metric=$json
  [ $((round % 5)) -eq 0 ] || return 0
  json=$(flat_json "$($bounded amd-smi process --json 2>&1 </dev/null)")
  [ "$json" = "$told_process" ] || answer="${answer}J process $json$newline"
  told_process=$json
  [ $((round % 30)) -eq 0 ] || return 0
  json=$(flat_json "$($bounded amd-smi static --asic --bus --limit --json 2>&1 </dev/null)")
  [ "$json" = "$told_static" ] || answer="${answer}J static $json$newline"
  told_static=$json
}

ask_rocm() {
  rows=$($bounded rocm-smi --showuniqueid --showproductname --showbus --showmeminfo vram --showuse --showtemp --showpower --showmaxpower --json 2>&1 </dev/null)
  status=$?
  json=$(flat_json "$rows")
  [ -n "$json" ] || { add_lines x G "$rows" && return; }
  [ "$json" = "$told_metric" ] || answer="${answer}J rocm $json$newline"
  told_metric=$json
}

flat_json() { # TEXT: the JSON after warnings, in one line, without the long lists of single engines
  printf '%s\n' "$1" | sed -n '/^ *[[{]/,$p' | tr -s ' \t\n' ' ' | sed 's/\("[a-z]*_activity": *\)\[[^]]*\]/\1"-"/g'
}
