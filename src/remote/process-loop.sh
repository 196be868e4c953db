# Part of process.sh and process-of-container.sh: looks for the process, then at its tree, again and again. They have
# `search`, `end_of_root`, `recall` and `told_tree`, and $slower: how many times rarer a search becomes that finds nobody.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
watch_stdin

nap=0.5 per_search=4 per_scan=8 # in naps
sleep 0.01 2>/dev/null || nap=1 per_search=2 per_scan=4
[ "$slower" -gt 1 ] || per_search=$((per_search / 2)) # a search costs little
me=$(id -u)
told='' root='' seen=''

tell() { # LINE, unless it was the last thing said
  [ "$1" = "$told" ] || say '%s\n' "$1"
  told=$1
}

name_of() { # PID: in $name
  name=''
  read -r name 2>/dev/null <"/proc/$1/comm"
}

command_of() { command=$(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline"); } # PID: its command line in $command

now_in_ticks() { # in $ticks_now
  read -r uptime _ </proc/uptime
  cents=${uptime#*.}
  ticks_now=$((${uptime%.*} * hz + (1$cents - 100) * hz / 100))
}

adopt() { # PID FOUND_BY [PIDS: others that are roots of its tree as well] [SUSPECT, see `doubt`]
  lives "$1" || return 1
  root=$1 root_start=$start root_parent=$parent root_session=$session roots="$1 ${3-}" found_by=$2 seen=1
  members='' suspect=${4-} commands='' sessions='' groups='' scan=0 ended=''
  user=$(stat -c %U "/proc/$root" 2>/dev/null)
  name_of "$root"
  root_name=$name
  now_in_ticks
  alive_at=$ticks_now
  above_root=' ' ancestor=$root_parent
  while [ "$ancestor" -gt 1 ] && start_of "$ancestor"; do
    above_root="$above_root$ancestor:$start " ancestor=$parent
  done
}

scan_tree() {
  tree=$(family "$roots" "$sessions" "$groups")
  pids=" $(printf '%s\n' "$tree" | cut -d' ' -f1 | tr '\n' ' ')"
  doubt
  new='' known=''
  while read -r pid its_parent its_start its_session its_group; do
    [ -n "$pid" ] || continue
    # Sessions and groups that were opened within the tree belong to it, even when a member loses its parent.
    case $pids in *" $its_session "*) sessions="$sessions $its_session" ;; esac
    case $pids in *" $its_group "*) groups="$groups $its_group" ;; esac
    name_of "$pid"
    key="$pid:$its_start:${name%% *}" # its command changes when it becomes another program
    known="$known $key "
    case $commands in *" $key "*) ;; *) new="$new $pid" ;; esac
    block="${block}M $pid $its_parent $its_start
"
  done <<END
$tree
END
  command_of "$root"
  commands=$known root_command=$command
  # shellcheck disable=SC2086 # numbers
  sessions=$(printf '%s\n' $sessions | sort -un | tr '\n' ' ') groups=$(printf '%s\n' $groups | sort -un | tr '\n' ' ')
  [ "$block" = "$members" ] && [ -z "$new" ] && return
  members=$block
  told="A $root $root_start $found_by"
  say '%s %s %s\n' "$told" $((alive_at - root_start)) "${user:--}"
  for pid in $new; do
    command=$(tr '\0\n' '  ' 2>/dev/null <"/proc/$pid/cmdline" | cut -c1-1500)
    [ -n "$command" ] || name_of "$pid"
    say 'C %s %s\n' "$pid" "${command:-[$name]}"
  done
  say '%send\n' "$block"
}

# What speaks against its being a server, in $block: what only an answer of its port clears, or nothing does; or it is
# `silent` for as long as it listens nowhere.
doubt() {
  [ "$suspect" = silent ] && listens && suspect=''
  block=${suspect:+"D $suspect
"}
}

lost_member() {
  for pid in $pids; do [ -d "/proc/$pid" ] || return 0; done
  return 1
}

tick=0 look='' scan=0 alive_at=0 above_root=' '
# shellcheck disable=SC2086 # four words, or six
[ -n "$before" ] && recall $before
while :; do
  if [ -z "$root" ]; then
    # The second look comes soon: it decides whether nobody is there.
    [ $((tick % per_search)) -eq 0 ] || [ $tick -eq 1 ] && search
    [ $tick -eq 40 ] && per_search=$((per_search * slower)) # a search may look at every open file of the host
  elif lives "$root" && [ "$start" = "$root_start" ]; then
    now_in_ticks
    alive_at=$ticks_now
  else
    end_of_root
  fi
  if [ -n "$root" ]; then
    # Who has gone is seen without a look at every process.
    [ $((scan % per_scan)) -eq 0 ] || lost_member && scan_tree
    scan=$((scan + 1))
    told_tree
  fi
  tick=$((tick + 1))
  pause $nap || end_all
done
