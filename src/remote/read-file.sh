# read-file.sh NONCE FILE: a mark, then the bytes of FILE. What an rc file printed before the mark is not the file's.
nonce=$1 file=$2
printf '\n#%s\n' "$nonce"
exec cat -- "$file"
