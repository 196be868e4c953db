/**
 * The simulated `nvidia-smi` of a demo's host as a POSIX shell script: the output formats, error texts (on stdout)
 * and exit codes are those of driver 535. It reads the `gpus` files of its own folder at each call; memory of a
 * process that is gone counts as free.
 */
export const nvidiaSmiScript = String.raw`#!/bin/sh
# Simulated nvidia-smi of a firedup demo.
LC_ALL=C exec awk -v self="$0" -- '
function alive(pid, ticks,   line, part) {
  if ((getline line < ("/proc/" pid "/stat")) <= 0) return 0
  close("/proc/" pid "/stat")
  sub(/^.*\) /, "", line)
  split(line, part, " ")
  return part[1] != "Z" && part[20] == ticks
}
function gpu_cell(field, i) {
  unit = ""
  if (field == "index") return idx[i]
  if (field == "uuid" || field == "gpu_uuid") return uuid[i]
  if (field == "name" || field == "gpu_name") return name[i]
  if (field == "count") return n
  if (field == "timestamp") return now
  if (field == "driver_version") return "535.261.03"
  if (field == "pci.bus_id" || field == "gpu_bus_id") return sprintf("00000000:%02X:00.0", 27 + 16 * i)
  if (field == "serial") return sprintf("16500230%05d", 41 + i)
  if (field == "pstate") return busy[i] ? "P0" : "P8"
  if (field == "persistence_mode") return "Enabled"
  if (field == "compute_mode") return "Default"
  if (field == "mig.mode.current") return "Disabled"
  if (field == "fan.speed" || field == "temperature.memory") return "[N/A]"
  if (field ~ /^clocks_(throttle|event)_reasons\.active$/) return busy[i] ? "0x0000000000000000" : "0x0000000000000001"
  if (field ~ /^ecc\.errors\.(un)?corrected\.volatile\.total$/) return 0
  unit = " MiB"
  if (field == "memory.total") return total[i]
  if (field == "memory.used") return used[i]
  if (field == "memory.free") return total[i] - used[i]
  if (field == "memory.reserved") return 0
  unit = " %"
  if (field == "utilization.gpu") return util[i]
  if (field == "utilization.memory") return int(util[i] / 3)
  unit = " W"
  if (field == "power.draw" || field == "power.draw.instant" || field == "power.draw.average") return power[i]
  if (field ~ /^(enforced\.)?power\.(limit|default_limit|max_limit)$/) return "700.00"
  unit = " MHz"
  if (field == "clocks.sm" || field == "clocks.current.sm" || field == "clocks.gr") return busy[i] ? 1980 : 345
  if (field == "clocks.mem" || field == "clocks.current.memory") return busy[i] ? 3201 : 2619
  unit = ""
  if (field == "temperature.gpu") return temp[i]
  return "?"
}
function app_cell(field, a) {
  unit = ""
  if (field == "gpu_uuid") return uuid[app_gpu[a]]
  if (field == "gpu_name") return name[app_gpu[a]]
  if (field == "pid") return app_pid[a]
  if (field == "process_name" || field == "name") return app_name[a]
  if (field == "timestamp") return now
  unit = " MiB"
  if (field == "used_memory" || field == "used_gpu_memory") return app_used[a]
  return "?"
}
function cell(field, row) { return ask == "gpu" ? gpu_cell(field, row) : app_cell(field, row) }
function app(i, pid, mib, title) { app_gpu[apps] = i; app_pid[apps] = pid; app_used[apps] = mib; app_name[apps] = title; apps++ }
function refuse() {
  print "Invalid combination of input arguments. Please run nvidia-smi -h for help.\n"
  exit 2
}
BEGIN {
  gpus = self; sub(/[^\/]*$/, "../gpus", gpus)
  header = units = 1
  for (a = 1; a < ARGC; a++) {
    word = ARGV[a]; value = word; sub(/^[^=]*=/, "", value)
    if (word ~ /^--query-gpu=/) { ask = "gpu"; fields = value }
    else if (word ~ /^--query-compute-apps=/) { ask = "apps"; fields = value }
    else if (word ~ /^--format=/) { csv = value ~ /(^|,)csv(,|$)/; header = value !~ /noheader/; units = value !~ /nounits/ }
    else if (word == "-L" || word == "--list-gpus") ask = "list"
    else refuse()
  }
  if (ask == "" || (ask != "list" && !csv)) refuse()
  if (fields ~ /timestamp/) "date +%Y/%m/%d\\ %H:%M:%S.000" | getline now
  n = apps = 0
  while ((getline line < (gpus "/inventory")) > 0) {
    split(line, part, " ")
    idx[n] = part[1]; uuid[n] = part[2]; total[n] = part[3]
    name[n] = line; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", name[n])
    used[n] = 4; util[n] = 0; power[n] = sprintf("%.2f", 74.1 + (n * 7) % 5); temp[n] = 28 + n % 4; busy[n] = 0
    at[part[1]] = n; n++
  }
  while ((getline line < (gpus "/foreign")) > 0) {
    split(line, part, " ")
    i = at[part[1]]; used[i] += part[3]; busy[i] = 1
    app(i, part[2], part[3], "[Not Found]")
  }
  for (i = 0; i < n; i++) {
    if ((getline line < (gpus "/use-" idx[i])) <= 0) continue
    split(line, part, " ")
    if (!alive(part[1], part[2])) continue
    used[i] += part[3]; util[i] = part[4]; power[i] = part[5]; temp[i] = part[6]; busy[i] = 1
    app(i, part[1], part[3], "sglang::scheduler_TP" idx[i])
  }
  if (ask == "list") {
    for (i = 0; i < n; i++) printf "GPU %s: %s (UUID: %s)\n", idx[i], name[i], uuid[i]
    exit 0
  }
  gsub(/ /, "", fields)
  wanted = split(fields, field, ",")
  # One field that it does not know fails the whole call, before anything is printed.
  idx[-1] = -1
  for (f = 1; f <= wanted; f++) if (cell(field[f], -1) == "?") {
    printf "Field \"%s\" is not a valid field to query.\n\n", field[f]
    exit 2
  }
  rows = ask == "gpu" ? n : apps
  for (row = header ? -1 : 0; row < rows; row++) {
    out = ""
    for (f = 1; f <= wanted; f++) {
      value = cell(field[f], row)
      if (row < 0) { value = field[f]; sub(/^ /, "", unit); if (unit != "" && units) value = value " [" unit "]" }
      else if (units) value = value unit
      out = out (f > 1 ? ", " : "") value
    }
    print out
  }
}' "$@" </dev/null
`;
