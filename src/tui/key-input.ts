import type { Key } from 'ink';

/** One thing that the person did, freed from how terminals and Ink spell it. */
export type Press =
  /** A character or a named key: `a`, `K`, `enter`, `esc`, `up`, `ctrl-d`. */
  | { readonly kind: 'key'; readonly name: string }
  /** Several characters at once: fast typing over a slow link, or a paste on a terminal without bracketed paste. */
  | { readonly kind: 'burst'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'wheel'; readonly lines: number; readonly row: number; readonly column: number }
  | { readonly kind: 'click'; readonly row: number; readonly column: number };

/**
 * Makes presses of what Ink's `useInput` reports, none of what is no key. It remembers whether a paste is under way: bracketed paste
 * comes as `[200~`, the text in any number of pieces, `[201~`.
 */
export function createKeyReader(): (input: string, key: Key) => readonly Press[] {
  let pasted: string | null = null;
  return (input, key) => {
    if (pasted !== null) {
      if (input !== '[201~') {
        pasted += key.return ? '\n' : key.ctrl || key.escape ? '' : input;
        return [];
      }
      const text = pasted;
      pasted = null;
      return [{ kind: 'paste', text }];
    }
    if (input === '[200~') {
      pasted = '';
      return [];
    }
    const mouse = mousePress(input);
    return mouse === null ? keyPresses(input, key) : [mouse];
  };
}

/** SGR mouse reports, `[<button;column;row` and `M` or `m`: 64 and 65 are the wheel, 0 the left button. */
function mousePress(input: string): Press | null {
  const match = /^\[<(\d+);(\d+);(\d+)([Mm])$/.exec(input);
  if (match === null) return null;
  const button = Number(match[1]);
  const at = { column: Number(match[2]) - 1, row: Number(match[3]) - 1 };
  if (button === 64 || button === 65) return { kind: 'wheel', lines: button === 64 ? -3 : 3, ...at };
  return button === 0 && match[4] === 'M' ? { kind: 'click', ...at } : null;
}

function keyPresses(input: string, key: Key): readonly Press[] {
  const name = keyName(input, key);
  if (name !== null) return [{ kind: 'key', name }];
  // What is left of an escape sequence that came in two pieces, a late answer of the terminal, Alt and a key.
  if (input === '' || /^[[O]./.test(input) || key.meta || input.includes('\u001B')) return [];
  if (key.ctrl) return [{ kind: 'key', name: `ctrl-${input}` }];
  return input.split(control).flatMap((text) => (text === '' ? [] : [pressOf(text)]));
}

/** Keys that are no text, among such that came in one piece. Enter and Tab may belong to what is typed or pasted. */
const control = /([\x00-\x08\x0b\x0c\x0e-\x1f\x7f])/;

function pressOf(text: string): Press {
  if (!isOneCharacter(text)) return { kind: 'burst', text };
  return { kind: 'key', name: characterName(text) };
}

/** How a character is called as a key: itself, `enter`, `tab`, `backspace`, `ctrl-c`. */
export function characterName(character: string): string {
  const named = controlNames[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  return code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(code + 96)}` : character;
}

const controlNames: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\x7f': 'backspace',
};

function keyName(input: string, key: Key): string | null {
  if (key.return || input === '\n') return 'enter';
  // Ink flushes a lone ESC after one turn, so a slow arrow key looks like it: Esc only ever closes or clears.
  if (key.escape) return 'esc';
  if (key.tab) return key.shift ? 'shift-tab' : 'tab';
  // Terminals send 0x7f for Backspace, which Ink calls delete.
  if (key.backspace || key.delete) return 'backspace';
  if (key.upArrow) return 'up';
  if (key.downArrow) return 'down';
  if (key.leftArrow) return 'left';
  if (key.rightArrow) return 'right';
  if (key.pageUp) return 'page-up';
  if (key.pageDown) return 'page-down';
  if (key.home) return 'home';
  if (key.end) return 'end';
  return null;
}

const isOneCharacter = (text: string): boolean => [...text].length === 1;
