# Part of others: bytes of any kind, from stdin, as hex digits.
hex() { od -An -v -tx1 | tr -d ' \n'; }
