import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import { inputLine } from '../../src/tui/input-line.js';
import { burstKeys, keyActions } from '../../src/tui/key-actions.js';
import { createKeyReader, type Press } from '../../src/tui/key-input.js';
import { keyLabel } from '../../src/tui/key-labels.js';
import { type KeyAction, type KeyContext, keyGroups, keymap } from '../../src/tui/keymap.js';
import { keysPage } from '../../src/tui/keys-page.js';

const page = { rows: 21, columns: 80 };

const long = { sinceLastPressMs: 1000, sinceBurstMs: 1000 };

const act = (press: Press, context: KeyContext = 'main', text = ''): readonly KeyAction[] =>
  keyActions(press, { context, page, input: inputLine(text), ...long }).actions;

const key = (name: string): Press => ({ kind: 'key', name });

const contexts: readonly KeyContext[] = [
  'main',
  'overlay',
  'filter',
  'kill',
  'relaunch',
  'edit',
  'running',
  'answer',
  'login',
];

describe('keys', () => {
  it.each([
    ['K', { kind: 'ask-kill' }],
    ['R', { kind: 'ask-relaunch' }],
    ['D', { kind: 'dump' }],
    ['/', { kind: 'edit-filter' }],
    ['&', { kind: 'toggle-filter-mode' }],
    ['n', { kind: 'match', direction: 1 }],
    ['N', { kind: 'match', direction: -1 }],
    ['e', { kind: 'toggle', what: 'errors-only' }],
    ['o', { kind: 'toggle', what: 'milestones-only' }],
    ['f', { kind: 'toggle', what: 'follow' }],
    ['w', { kind: 'toggle', what: 'wrap' }],
    ['j', { kind: 'scroll', lines: 1 }],
    ['up', { kind: 'scroll', lines: -1 }],
    ['ctrl-d', { kind: 'scroll', lines: 10 }],
    ['page-up', { kind: 'scroll', lines: -20 }],
    ['g', { kind: 'scroll-to', end: 'top' }],
    ['G', { kind: 'scroll-to', end: 'bottom' }],
    ['left', { kind: 'scroll-sideways', columns: -8 }],
    ['t', { kind: 'overlay', overlay: 'triage' }],
    ['h', { kind: 'overlay', overlay: 'history' }],
    ['s', { kind: 'overlay', overlay: 'arguments' }],
    ['a', { kind: 'apply-remedy' }],
    ['p', { kind: 'py-spy' }],
    ['c', { kind: 'connect-now' }],
    ['tab', { kind: 'focus-next' }],
    ['2', { kind: 'focus', pane: 'gpus' }],
    ['z', { kind: 'toggle', what: 'zoom' }],
    ['enter', { kind: 'open' }],
    ['y', { kind: 'copy' }],
    ['m', { kind: 'toggle', what: 'mouse' }],
    ['T', { kind: 'next-theme' }],
    ['?', { kind: 'overlay', overlay: 'help' }],
    ['q', { kind: 'back' }],
    ['esc', { kind: 'filter-clear' }],
    ['ctrl-c', { kind: 'leave' }],
    ['ctrl-z', { kind: 'suspend' }],
    ['ctrl-l', { kind: 'redraw' }],
  ] as const)('%s does what the contract says', (name, action) => {
    expect(act(key(name))).toEqual([action]);
  });

  it('has no key twice in one context, and a word of help for each', () => {
    for (const context of contexts) {
      const names = keymap.filter((row) => row.contexts.includes(context)).flatMap((row) => row.keys);
      expect(names).toEqual([...new Set(names)]);
    }
    for (const row of keymap) {
      expect(row.help).not.toBe('');
      expect(keyGroups).toContain(row.group);
    }
  });

  it('acts destructively on no key but y, and on y only while it is asked', () => {
    for (const context of contexts) {
      const confirming = keymap.filter(
        (row) => row.contexts.includes(context) && row.act(page, row.keys[0] ?? '').kind === 'confirm',
      );
      expect(confirming.flatMap((row) => row.keys)).toEqual(
        context === 'kill' || context === 'relaunch' ? ['y'] : [],
      );
    }
  });

  it.each(['enter', 'esc', 'n', 'q'])('cancels a question on %s', (name) => {
    expect(act(key(name), 'kill')).toEqual([{ kind: 'cancel' }]);
    expect(act(key(name), 'relaunch')).toEqual([{ kind: 'cancel' }]);
  });

  it('confirms by one y, never by several at once or a paste', () => {
    expect(act(key('y'), 'kill')).toEqual([{ kind: 'confirm' }]);
    for (const text of ['yy', 'y\r', 'Ky', 'yyyyyyyy']) {
      expect(act({ kind: 'burst', text }, 'kill')).toEqual([]);
      expect(act({ kind: 'paste', text }, 'kill')).toEqual([]);
    }
    expect(act({ kind: 'paste', text: 'y' }, 'relaunch')).toEqual([]);
    expect(act({ kind: 'paste', text: 'K' }, 'main')).toEqual([]);
  });

  it('takes no answer that comes faster than a person can give it', () => {
    const state = { context: 'kill', page, input: inputLine(''), ...long } as const;
    for (const soon of [{ sinceLastPressMs: 3 }, { sinceBurstMs: 200 }]) {
      expect(keyActions(key('y'), { ...state, ...soon }).actions).toEqual([]);
      expect(keyActions(key('n'), { ...state, ...soon }).actions).toEqual([{ kind: 'cancel' }]);
    }
  });

  it('edits in the relaunch question only', () => {
    expect(act(key('e'), 'relaunch')).toEqual([{ kind: 'edit' }]);
    expect(act(key('e'), 'kill')).toEqual([]);
  });

  it('obeys a few keys that come in one piece, and as many as are held down', () => {
    expect(burstKeys('ta', 'main')).toEqual(['t', 'a']);
    expect(burstKeys('h\r', 'main')).toEqual(['h', 'enter']);
    expect(burstKeys('j'.repeat(50), 'main')).toHaveLength(50);
    expect(burstKeys('jjj', 'kill')).toEqual(['j', 'j', 'j']);
    expect(burstKeys('/a filter of any length, 12 %\r', 'main')).toHaveLength(30);
  });

  it('obeys nothing of what looks like a paste, and in a question nothing but scrolling', () => {
    for (const text of ['rm -rf', 'KRKRKRKRKR', 'yK\ny\n /x', 'läuft'])
      expect(burstKeys(text, 'main')).toEqual([]);
    for (const text of ['yy', 'jy', 'n\r', 'y\r']) {
      expect(burstKeys(text, 'kill')).toEqual([]);
      expect(burstKeys(text, 'relaunch')).toEqual([]);
    }
  });

  it('takes what is typed into a filter faster than it is read', () => {
    expect(act({ kind: 'burst', text: 'oo\r' }, 'filter', 'f')).toEqual([
      { kind: 'filter-text', text: 'foo' },
      { kind: 'filter-done' },
    ]);
  });

  it.each(['q', 'K', 'R', 'y', '?', 'j', '/', '1'])('takes %s as a letter while typing', (letter) => {
    expect(act(key(letter), 'filter', 'x')).toEqual([{ kind: 'filter-text', text: `x${letter}` }]);
    expect(act(key(letter), 'edit', 'x')).toEqual([{ kind: 'edit-text', text: `x${letter}` }]);
  });

  it('edits the line being typed, and ends it', () => {
    expect(act(key('backspace'), 'filter', 'ab')).toEqual([{ kind: 'filter-text', text: 'a' }]);
    expect(act(key('ctrl-w'), 'edit', 'a b')).toEqual([{ kind: 'edit-text', text: 'a ' }]);
    expect(act(key('enter'), 'filter', 'ab')).toEqual([{ kind: 'filter-done' }]);
    expect(act(key('esc'), 'filter', 'ab')).toEqual([{ kind: 'filter-clear' }]);
    expect(act(key('enter'), 'edit', 'ab')).toEqual([{ kind: 'edit-done' }]);
    expect(act(key('ctrl-c'), 'filter', 'ab')).toEqual([{ kind: 'leave' }]);
    expect(act(key('page-up'), 'filter', 'ab')).toEqual([]);
  });

  it('pastes the first line into an input', () => {
    expect(act({ kind: 'paste', text: 'one\ntwo' }, 'filter', 'x')).toEqual([
      { kind: 'filter-text', text: 'xone' },
    ]);
  });

  it('writes the page for the docs, every key on it', () => {
    const page = keysPage();
    for (const row of keymap) expect(page).toContain(`| ${row.help} |`);
    expect(page).toContain('| `j` `↓` | a line down | main, overlay, ');
  });

  it('names keys for people', () => {
    expect(['ctrl-d', 'page-up', 'up', 'K'].map((name) => keyLabel(name))).toEqual(['^d', 'PgUp', '↑', 'K']);
    expect(keyLabel('up', true)).toBe('Up');
  });
});

describe('reading keys', () => {
  const none = Object.fromEntries(
    'upArrow downArrow leftArrow rightArrow pageDown pageUp home end return escape ctrl shift tab backspace delete meta super hyper capsLock numLock'
      .split(' ')
      .map((name) => [name, false]),
  ) as unknown as Key;
  const read = (...events: readonly (readonly [string, Partial<Key>?])[]): readonly Press[] => {
    const reader = createKeyReader();
    return events.flatMap(([input, flags]) => reader(input, { ...none, ...flags }));
  };

  it('names what Ink reports', () => {
    expect(
      read(
        ['', { return: true }],
        ['\n'],
        ['', { delete: true }],
        ['c', { ctrl: true }],
        ['K', { shift: true }],
      ),
    ).toEqual(['enter', 'enter', 'backspace', 'ctrl-c', 'K'].map(key));
    expect(read(['', { escape: true, meta: true }], ['', { upArrow: true }], ['宽'])).toEqual(
      ['esc', 'up', '宽'].map(key),
    );
  });

  it('takes a bracketed paste as one, whatever is in it', () => {
    expect(
      read(['[200~'], ['yK'], ['', { return: true }], ['q'], ['', { escape: true }], ['[201~'], ['j']),
    ).toEqual([{ kind: 'paste', text: 'yK\nq' }, key('j')]);
  });

  it('drops what is left of a sequence that came in two pieces, and late answers of the terminal', () => {
    expect(read(['[A'], ['[?62;4c'], ['[I'], ['OA'], ['x', { meta: true }], [''])).toEqual([]);
  });

  it('finds keys that are no text among those that come in one piece', () => {
    expect(read(['jj\x03'], ['ab\x7fc'], ['x\ry'])).toEqual([
      { kind: 'burst', text: 'jj' },
      key('ctrl-c'),
      { kind: 'burst', text: 'ab' },
      key('backspace'),
      key('c'),
      { kind: 'burst', text: 'x\ry' },
    ]);
  });

  it('reads the mouse', () => {
    expect(read(['[<64;10;5M'], ['[<65;1;1M'], ['[<0;3;4M'], ['[<0;3;4m'])).toEqual([
      { kind: 'wheel', lines: -3, row: 4, column: 9 },
      { kind: 'wheel', lines: 3, row: 0, column: 0 },
      { kind: 'click', row: 3, column: 2 },
    ]);
  });
});
