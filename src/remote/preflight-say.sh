# Part of preflight.sh: how words and files are said.
# shellcheck disable=SC2034,SC2154 # the included files set and read each other's
. ./hex.sh
put() { # KEY TEXT…
  line_out=$1
  shift
  for text_out; do
    case $text_out in
      *[!A-Za-z0-9_./:@%+,=-]*) line_out="$line_out $(printf %.800s "$text_out" | hex)" ;;
      *) line_out="$line_out .$text_out" ;;
    esac
  done
  say '%s\n' "$line_out"
}
put_file() { # KEY FILE: its first 64 KiB, in pieces that pipes do not tear
  $bounded head -c 65536 "$2" 2>/dev/null | hex | fold -w 2000 | while IFS= read -r piece || [ -n "$piece" ]; do
    say '%s %s\n' "$1" "$piece"
  done
}
