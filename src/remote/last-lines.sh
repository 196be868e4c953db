# last-lines.sh FILE LINES BYTES: a mark, then the last LINES lines of FILE, BYTES at most.
# Why it cannot be read stands on stderr, in the words of cat.
. ./regular-file.sh
file=$1 lines=$2 bytes=$3 LC_ALL=C
export LC_ALL
refuse_other_kinds "$file"
if [ ! -f "$file" ] || [ ! -r "$file" ]; then exec cat -- "$file"; fi
printf '\n#firedup-last-lines\n'
tail -c "$bytes" -- "$file" | tail -n "$lines"
