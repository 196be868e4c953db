# read-file.sh NONCE FILE: a mark, then the bytes of FILE. What an rc file printed before the mark is not the file's.
# Why it cannot be read stands on stderr, in the words of cat.
. ./regular-file.sh
nonce=$1 file=$2 LC_ALL=C
export LC_ALL
printf '\n#%s\n' "$nonce"
refuse_other_kinds "$file"
exec cat -- "$file"
