# Part of launch.sh: the place of this attempt's log, in $log and $log_folder, opened for writing.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
# A log for each attempt; one that another attempt wrote, under whatever name, is never opened again.
taken() { # PATH
  for recorded in "$state"/*/[1-9]*/log-path; do
    [ "$recorded" != "$folder/log-path" ] && [ -f "$recorded" ] && [ "$(cat "$recorded" && echo .)" = "$1." ] && return 0
  done
  return 1
}
log=$folder/log
if [ -n "$template" ]; then
  from_home "$template" "$cwd"
  stem='' rest=$path suffix=$number
  while [ "$rest" != "${rest#*'{attempt}'}" ]; do
    stem=$stem${rest%%'{attempt}'*}$number rest=${rest#*'{attempt}'} suffix=1
  done
  stem=$stem$rest log=$stem
  [ $suffix = 1 ] || log=$stem.$suffix
fi
while printf %s "$log" 2>/dev/null >"$folder/log-path" || refuse no-space "$folder"; taken "$log"; do
  suffix=$((suffix + 1)) log=$stem.$suffix
done
log_folder=${log%/*}/
[ -d "$log" ] && refuse log-is-folder "$log"
[ -n "$template" ] && umask "$mask"
mkdir -p "$log_folder" 2>/dev/null || refuse log-folder "$log_folder"
# All that a log holds which was empty is this attempt's own.
[ -s "$log" ] || (umask 077 && true 2>/dev/null >"$folder/log-fresh")
# Not `:`, a special builtin: a shell ends where a redirection of one fails.
{ true >>"$log"; } 2>/dev/null || refuse log-denied "$log"
umask 077
