/**
 * One command line for any login shell that reads the multiplexer from stdin and runs it; `input` is the first that
 * must be written there. `dd` takes exactly its bytes, so that what follows on stdin is left to the script.
 */
export function muxCommand(nonce: string): { readonly command: string; readonly input: string } {
  if (!/^[0-9a-f]+$/.test(nonce)) throw new RangeError('The nonce must be hexadecimal.');
  const input = `mx_nonce=${nonce}\n${muxScript}`;
  return { command: `exec sh -c 'eval "$(dd bs=1 count=${Buffer.byteLength(input)} 2>/dev/null)"'`, input };
}

/** Commands that run at once; each has a worker that waits for it on the host. */
export const muxSlots = 8;

/** Pieces of output that the host sends ahead of our reading, for each stream. */
export const muxWindow = 8;

/**
 * POSIX sh (dash, bash, busybox): runs commands for us over one session, where `MaxSessions` leaves no more.
 *
 * To it, a line each: `r SLOT RUN COMMAND`, `i SLOT RUN BYTES` (stdin), `q SLOT RUN` (end of stdin), `o SLOT` and
 * `e SLOT` (a piece of output was read), `c SLOT RUN` (nobody reads on), `.` (we live). COMMAND and BYTES are for
 * `printf %b`. From it: a hello line; `w SLOT` (a worker is ready), `s RUN` (started), `a RUN` (a line of stdin was passed on), `o|e RUN DATA`
 * (packed output), `o|e RUN .` (end of a piece), `o|e RUN -` (end of the stream), `x RUN CODE`.
 * Each line is one write of less than PIPE_BUF: they never mix.
 *
 * The workers are parts of one pipeline, for a shell without job control lets what it starts by `&` ignore SIGINT for
 * ever, and a server that is launched through here must not. Names begin with `mx_`: an exported variable of the
 * user's keeps its value. Without a line for 24 s it ends, and with it the stdin of all commands.
 */
export const muxScript = `
trap '' PIPE
mx_dir=
for mx_base in "\${XDG_RUNTIME_DIR:-}" "\${TMPDIR:-}" /dev/shm /tmp /var/tmp "\${HOME:-}"; do
  if [ -z "$mx_base" ] || [ ! -d "$mx_base" ]; then continue; fi
  mx_dir=$mx_base/.firedup-$mx_nonce
  (umask 077 && mkdir "$mx_dir" && mkfifo "$mx_dir/try") 2>/dev/null && break
  rmdir "$mx_dir" 2>/dev/null
  mx_dir=
done
if [ -z "$mx_dir" ] || ! read -r _ </proc/self/stat; then printf '\\n#%s mux=none\\n' "$mx_nonce"; exit 1; fi
if [ "$(printf ABC | base64 -w 2400 2>/dev/null)" = QUJD ]; then mx_packing=base64; else mx_packing=hex; fi
if [ $mx_packing = base64 ]; then mx_pack() { base64 -w 2400; }
else mx_pack() { od -An -v -tx1 | tr -d ' \\n' | fold -w 2400; }
fi

# Everything that this script says: whole lines.
mx_say() { printf "$@" >&9 2>/dev/null; }

mx_pump() { # SLOT RUN STREAM: one output of a command, a window ahead of the reader
  exec 5<>"$mx_dir/$1.$3c"
  printf '${'\\n'.repeat(muxWindow)}' >&5
  while mx_data=$(dd bs=32768 count=1 2>/dev/null | mx_pack) && [ -n "$mx_data" ]; do
    read -r _ <&5
    [ -e "$mx_dir/gone.$2" ] || [ -e "$mx_dir/over" ] && break
    for mx_line in $mx_data; do mx_say '%s %s %s\\n' "$3" "$2" "$mx_line" || exit 0; done
    mx_say '%s %s .\\n' "$3" "$2" || exit 0
  done <"$mx_dir/$1.$3"
  mx_say '%s %s -\\n' "$3" "$2"
}

mx_feed() { # SLOT RUN: the stdin of a command
  mx_say 's %s\\n' "$2"
  mx_open=1
  while read -r mx_verb mx_run mx_bytes <&4; do
    # The end of all is for the worker, too.
    [ "$mx_verb" != z ] || { printf 'z\\n' >&4; break; }
    [ "$mx_run" = "$2" ] || continue
    [ "$mx_verb" = i ] || break
    [ -z "$mx_open" ] || printf %b "$mx_bytes" 2>/dev/null || mx_open=
    mx_say 'a %s\\n' "$2"
  done
}

mx_work() { # SLOT
  exec 4<>"$mx_dir/$1.i"
  mx_say 'w %s\\n' "$1"
  while [ ! -e "$mx_dir/over" ] && read -r mx_verb mx_run mx_bytes <&4; do
    [ "$mx_verb" = z ] && break
    [ "$mx_verb" = r ] || continue
    mx_command=$(printf %b "$mx_bytes")
    mx_pump "$1" "$mx_run" o &
    mx_pump "$1" "$mx_run" e &
    mx_feed "$1" "$mx_run" | {
      (trap - PIPE; exec "\${SHELL:-/bin/sh}" -c "$mx_command") >"$mx_dir/$1.o" 2>"$mx_dir/$1.e" 3<&- 4<&- 9>&-
      mx_code=$?
      printf 'q %s\\n' "$mx_run" 1<>"$mx_dir/$1.i"
      mx_say 'x %s %s\\n' "$mx_run" "$mx_code"
    }
    wait
    rm -f "$mx_dir/gone.$mx_run"
  done
}

mx_end() { # the end of all commands' stdin and outputs, and of the workers; who is not yet listening sees the file
  : >"$mx_dir/over"
  for mx_slot in $mx_slots; do mx_wake "$mx_slot" z; done
}

mx_wake() { # SLOT LINE: a line for the worker, and credit for pumps that are to see what has happened
  for mx_verb in o e; do printf '\\n\\n' 1<>"$mx_dir/$1.\${mx_verb}c"; done
  printf '%s\\n' "$2" 1<>"$mx_dir/$1.i"
}

mx_listen() {
  read -r mx_pid _ </proc/self/stat
  printf '%s\\n' "$mx_pid" >"$mx_dir/listener"
  while read -r mx_verb mx_slot mx_rest; do
    : >"$mx_dir/beat"
    case $mx_verb in
      r|i|q) printf '%s %s\\n' "$mx_verb" "$mx_rest" 1<>"$mx_dir/$mx_slot.i" ;;
      o|e) printf '\\n' 1<>"$mx_dir/$mx_slot.\${mx_verb}c" ;;
      c) : >"$mx_dir/gone.$mx_rest"; mx_wake "$mx_slot" "q $mx_rest" ;;
    esac
  done
  mx_end
  read -r mx_pid <"$mx_dir/sleeper" && kill "$mx_pid"
}

mx_guard() { # the dead-man switch: sshd would notice a black hole only after a quarter of an hour
  while :; do
    sleep 12 &
    printf '%s\\n' $! >"$mx_dir/sleeper"
    # The listener may have ended in between, and have read the one before.
    [ -e "$mx_dir/over" ] && kill $!
    wait $!
    [ -e "$mx_dir/over" ] && return
    [ -e "$mx_dir/beat" ] || break
    rm -f "$mx_dir/beat"
  done
  read -r mx_pid <"$mx_dir/listener" && kill -KILL "$mx_pid"
  mx_end
}

mx_slots='${Array.from({ length: muxSlots }, (_, index) => index + 1).join(' ')}'
for mx_slot in $mx_slots; do
  for mx_verb in i o e oc ec; do mkfifo "$mx_dir/$mx_slot.$mx_verb"; done
done
: >"$mx_dir/beat"
exec 3<&0 9>&1 2>/dev/null
mx_say '\\n#%s mux=%s\\n' "$mx_nonce" "$mx_packing"
mx_listen <&3 | mx_guard ${Array.from({ length: muxSlots }, (_, index) => `| mx_work ${index + 1}`).join(' ')}
rm -rf "$mx_dir"
`;
