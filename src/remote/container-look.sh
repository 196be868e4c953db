# Tells what a container is, whatever engine knows it.
#
#   container-look.sh NAME
#
# stdout: `engine NAME`, `inspect HEX` and `image HEX`, the JSON of its inspection and of its image's configuration,
# then `end found`; or `failed ENGINE HEX`, the
# engine's words, `runs ENGINE HEX` for each container that runs, and `end none|missing|denied|daemon|other`.
. ./identity.sh
. ./container.sh
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LC_ALL=C
export PATH LC_ALL
printf '\n=firedup=\n'
say() { printf '%s\n' "$*" 2>/dev/null; }

worst=none
for engine in $(engines -); do
  if inspect_container "$engine" "$1"; then
    say "engine $engine"
    # shellcheck disable=SC2086 # two words or none
    say "inspect $($limit "$engine" inspect --type container "$c_id" 2>/dev/null | hex)"
    # shellcheck disable=SC2086 # two words or none
    image=$($limit "$engine" inspect --type container --format '{{.Image}}' "$c_id" 2>/dev/null)
    # shellcheck disable=SC2086 # two words or none
    say "image $($limit "$engine" image inspect --format '{{json .Config}}' "$image" 2>/dev/null | hex)"
    say 'end found'
    exit 0
  fi
  say "failed $engine $(printf %s "$c_words" | hex)"
  case $worst:$c_why in
    *:denied | none:* | other:* | daemon:missing) worst=$c_why ;;
  esac
  # shellcheck disable=SC2086 # two words or none
  [ "$c_why" = missing ] && $limit "$engine" ps --format '{{.Names}}' 2>/dev/null | head -n 50 | while read -r name; do
    say "runs $engine $(printf %s "$name" | hex)"
  done
done
say "end $worst"
