/** Pieces that a terminal acts on: titles, clipboard, modes, answers, resets, other character sets, one-byte C1. */
export const hostilePieces = [
  '\x1b]0;stolen\x07',
  '\x1b]2;stolen\x1b\\',
  '\x1b]52;c;c3RvbGVu\x07',
  '\x1b]52;p;c3RvbGVu\x1b\\',
  '\x1b]8;;http://stolen.example/\x07link\x1b]8;;\x07',
  '\x1b]1337;File=inline=1:AAAA\x07',
  '\x1b]777;notify;stolen;stolen\x07',
  '\x1b[?1049l',
  '\x1b[?1049h',
  '\x1b[?25h',
  '\x1b[?7l',
  '\x1b[?1000h\x1b[?1003h\x1b[?1006h',
  '\x1b[?2004h',
  '\x1b[?1h\x1b=',
  '\x1b[2J\x1b[H',
  '\x1b[3J',
  '\x1b[6n',
  '\x1b[c',
  '\x1b[21t',
  '\x1b[8;3;3t',
  '\x1b[22;0t\x1b[23;0t',
  '\x1b[5;10r',
  '\x1bc',
  '\x1b7\x1b8',
  '\x1b(0lqqk\x1b(B',
  '\x0e\x0f',
  '\x1bP+q544e\x1b\\',
  '\x1b_Gf=24;AAAA\x1b\\',
  '\x1b^stolen\x1b\\',
  '\x1bktitle\x1b\\',
  '\x1bPtmux;\x1b\x1b]0;stolen\x07\x1b\\',
  '\x1b[38;5;1m',
  '\x1b]0;never ended',
  '\x1b[',
  '\x1b',
  '\x07\x08\x0b\x0c\x7f',
  '\u009b2J',
  '\u009d0;stolen\u009c',
  '\u0090q\u009c',
  '\u202estolen\u202c',
  '\u200b\u2066',
  '\r\x1b[K',
] as const;

const words = [
  'INFO',
  'Loading',
  'weights',
  'é€😀',
  '日本',
  '100%',
  'KeyError:',
  'x'.repeat(60),
  ' ',
] as const;

/** A line of nasty and plain pieces and of random bytes, without `\n`. `random` is 0 to 1. */
export function hostileLine(random: () => number): Buffer {
  const pieces: Buffer[] = [];
  for (let count = 1 + Math.floor(random() * 8); count > 0; count -= 1) {
    const kind = random();
    if (kind < 0.55) pieces.push(Buffer.from(pick(hostilePieces, random)));
    else if (kind < 0.85) pieces.push(Buffer.from(pick(words, random)));
    else
      pieces.push(
        Buffer.from(
          Array.from({ length: 12 }, () => Math.floor(random() * 256)).filter((byte) => byte !== 10),
        ),
      );
  }
  return Buffer.concat(pieces);
}

/** Hostile text that can be a name on the host: no NUL, no slash, no newline; at most `length` characters. */
export function hostileName(random: () => number, length: number): string {
  let name = '';
  while (name.length < length) name += pick(hostilePieces, random);
  return name.replaceAll(/[\0/\n]/g, '').slice(0, length);
}

const pick = <T>(list: readonly T[], random: () => number): T => {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error('an empty list');
  return found;
};
