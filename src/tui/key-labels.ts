import type { KeyRow } from './keymap.js';

/** How the keys of a row are written: each of them, or from the first to the last of a run of digits. */
export function keyLabels({ keys }: KeyRow, ascii = false): readonly string[] {
  const [first = '', last = ''] = [keys[0], keys.at(-1)];
  if (keys.length > 3 && keys.every((name) => /^\d$/.test(name))) return [`${first}-${last}`];
  return keys.map((name) => keyLabel(name, ascii));
}

/** How a key is written for people: `^d`, `PgUp`, `Enter`. */
export function keyLabel(name: string, ascii = false): string {
  if (name.startsWith('ctrl-')) return `^${name.slice(5)}`;
  return (ascii ? undefined : arrowLabels[name]) ?? labels[name] ?? name;
}

const arrowLabels: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→' };

const labels: Readonly<Record<string, string>> = {
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  'shift-tab': 'S-Tab',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  'page-up': 'PgUp',
  'page-down': 'PgDn',
};
