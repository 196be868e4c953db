# last-lines.sh FILE LINES BYTES: a mark, then the last LINES lines of FILE, BYTES at most.
file=$1 lines=$2 bytes=$3 LC_ALL=C
export LC_ALL
# What cannot be read says so in the words of cat.
if [ ! -f "$file" ] || [ ! -r "$file" ]; then exec cat -- "$file"; fi
printf '\n#firedup-last-lines\n'
tail -c "$bytes" -- "$file" | tail -n "$lines"
