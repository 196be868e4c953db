# last-lines.sh FILE LINES BYTES: a mark, then the last LINES lines of FILE, BYTES at most.
file=$1 lines=$2 bytes=$3 LC_ALL=C
export LC_ALL
[ -f "$file" ] && [ -r "$file" ] || exec cat -- "$file"
printf '\n#firedup-last-lines\n'
tail -c "$bytes" -- "$file" | tail -n "$lines"
