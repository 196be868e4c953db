import { describe, expect, it } from 'vitest';
import { isSearching } from '../../src/core/filter.js';
import type { Intent } from '../../src/core/intents.js';
import { lastLogLines } from '../../src/core/last-lines.js';
import { selectScreen } from '../../src/core/select/screen.js';
import type { LogPaneModel } from '../../src/core/view-models/log.js';
import { crashedRun, Story } from './fold.js';

const log = (story: Story): LogPaneModel => selectScreen(story.state).log;

/** What the pane shows in `height` rows: the text, and what it stands for. */
const rows = (story: Story, height = 50): readonly string[] =>
  log(story)
    .rows(height)
    .map(({ text, fold }) =>
      fold === null ? text : `${text} ×${fold.copies}/${fold.lines}${fold.isOpen ? ' open' : ''}`,
    );

const press = (story: Story, ...intents: readonly Intent[]): Story => {
  for (const intent of intents) story.key(intent);
  return story;
};

const type = (text: string): Intent => ({ kind: 'filter-text', text });
/** Enter in a pane of `height` rows. */
const pressEnter = (story: Story, height = 20): Story => {
  const lowest = log(story)
    .rows(height)
    .findLast(({ fold }) => fold !== null);
  return story.key({ kind: 'open', rows: height, fold: lowest?.fold?.first ?? null });
};

const copies = (text: string): readonly string[] =>
  Array.from({ length: 8 }, (_, rank) => `[2026-03-01 12:00:00 TP${rank}] ${text}`);

const trace = [
  'Traceback (most recent call last):',
  '  File "/opt/a.py", line 3, in load',
  '    raise KeyError(name)',
  "KeyError: 'gate.weight'",
];

const story = (...lines: readonly string[]): Story => new Story().emptyLog().write(...lines);

describe('folded rows', () => {
  it('open and close by Enter: the lowest in sight, which holds the log', () => {
    const told = story('a', ...copies('begin'), ...trace, 'b');
    const folded = ['a', `${copies('begin')[0]} ×8/8`, "KeyError: 'gate.weight' ×1/4", 'b'];
    expect(rows(told)).toEqual(folded);
    pressEnter(told);
    expect(rows(told).slice(2)).toEqual([
      ...trace.slice(0, 3).map((text) => `${text} ×1/4 open`),
      `${trace[3]} ×1/4 open`,
      'b',
    ]);
    expect(log(told).follow).toBe(false);
    expect(rows(pressEnter(told))).toEqual(folded);
    // Above, once the lower ones are out of sight.
    pressEnter(press(told, { kind: 'scroll', lines: -2 }));
    expect(rows(told)).toHaveLength(9);
  });

  it('can be done without', () => {
    const told = press(story(...copies('begin'), ...trace), { kind: 'toggle', what: 'folds' });
    expect(rows(told)).toEqual([...copies('begin'), ...trace]);
    expect(told.state.notice?.text).toContain('every line');
    press(told, { kind: 'toggle', what: 'folds' });
    expect(rows(told)).toHaveLength(2);
  });

  it('are stepped over as one row', () => {
    const told = press(story('a', ...copies('begin'), ...trace, 'b'), { kind: 'scroll', lines: -1 });
    expect(rows(told, 1)).toEqual(["KeyError: 'gate.weight' ×1/4"]);
    expect(rows(press(told, { kind: 'scroll', lines: -1 }), 1)).toEqual([`${copies('begin')[0]} ×8/8`]);
    expect(rows(press(told, { kind: 'scroll', lines: -1 }), 1)).toEqual(['a']);
  });

  it('hide nothing from the filter, from the dump and from the search', () => {
    const told = story(...copies('begin'), ...trace, 'b');
    expect(rows(press(told, type('raise')))).toEqual([trace[2]]);
    expect(rows(press(told, type('TP5')))).toEqual([copies('begin')[5]]);
    expect(rows(press(told, type('begin')))).toEqual(copies('begin'));
    expect(lastLogLines(told.state, 40)).toEqual([...copies('begin'), ...trace, 'b']);
    press(told, type('opt/a'), { kind: 'toggle-filter-mode' });
    expect(rows(told)).toHaveLength(3);
    // A match inside of a group opens it; copies that say the same are one.
    expect(rows(press(told, { kind: 'match', direction: -1 })).at(-1)).toContain('File "/opt/a.py"');
    press(told, type('begin'), { kind: 'scroll-to', end: 'bottom' }, { kind: 'match', direction: -1 });
    expect(rows(told)).toEqual([`${copies('begin')[0]} ×8/8`]);
    press(told, { kind: 'match', direction: -1 });
    expect(told.state.notice?.text).toBe('the only match');
  });

  it('are those of errors only as well: the exception stands for its traceback', () => {
    expect(rows(press(story('a', ...trace, 'b'), { kind: 'toggle', what: 'errors-only' }))).toEqual([
      "KeyError: 'gate.weight' ×1/4",
    ]);
  });

  it('keep a held log as it is while a bar goes on below', () => {
    const bar = (done: number): string =>
      `Loading: ${done * 10}% Completed | ${done}/10 [00:01<00:09, 1.0it/s]`;
    const told = press(story('a', bar(1), bar(2), 'b', bar(3)), { kind: 'scroll', lines: -1 });
    const held = ['a', `${bar(2)} ×1/2`, 'b'];
    expect(rows(told)).toEqual(held);
    told.write(bar(4), bar(5));
    expect(rows(told)).toEqual(held);
    expect(rows(press(told, { kind: 'scroll-to', end: 'bottom' }))).toEqual(['a', 'b', `${bar(5)} ×1/5`]);
  });
});

describe('the filter', () => {
  it('counts, includes, excludes and takes ranks', () => {
    const told = story(...copies('begin'), ...copies('end of draft'), 'plain');
    press(told, type('begin|end !draft @TP3'));
    expect(rows(told)).toEqual([copies('begin')[3]]);
    expect(log(told).matched).toEqual({ count: 1, of: 17, earlier: 0, share: 1 });
    expect(rows(press(told, type('@TP3')))).toHaveLength(2);
  });

  it('takes the tracebacks of a rank with its lines', () => {
    const [first = '', ...more] = trace;
    const told = new Story({ engine: 'sglang' }).emptyLog();
    told.write(
      ...copies('begin'),
      `[2026-03-01 12:00:00 TP3] Scheduler hit an exception: ${first}`,
      ...more,
      '',
      'x',
    );
    press(told, type('@TP3'));
    expect(rows(told).slice(1)).toEqual([expect.stringContaining('Scheduler hit'), ...more]);
    expect(rows(press(told, { kind: 'toggle', what: 'errors-only' }))).toHaveLength(4);
    expect(rows(press(told, type('raise @TP3')))).toEqual([more[1]]);
    expect(rows(press(told, type('raise @TP2')))).toEqual([]);
  });

  it('keeps what it found while a pattern cannot be read, and says why', () => {
    const told = press(story('alpha', 'beta'), { kind: 'edit-filter' }, type('al'), type('al('));
    expect(rows(told)).toEqual(['alpha']);
    expect(log(told).filter.error).toMatch(/[Uu]nterminated/);
    press(told, { kind: 'filter-done' });
    expect([log(told).filter.text, log(told).filter.error, rows(told)]).toEqual(['al', null, ['alpha']]);
    expect(told.state.notice?.text).toMatch(/no regular expression/);
    expect(rows(press(told, { kind: 'filter-clear' }))).toHaveLength(2);
  });

  it('takes new lines as they come, and counts those below a held log', () => {
    const told = press(story('x1', 'y', 'x2', 'y', 'x3'), type('x'), { kind: 'scroll', lines: -1 });
    told.write('y', 'x4');
    expect(rows(told)).toEqual(['x1', 'x2']);
    expect(log(told)).toMatchObject({ newBelow: 2, follow: false });
    expect(rows(press(told, { kind: 'scroll-to', end: 'bottom' }))).toEqual(['x1', 'x2', 'x3', 'x4']);
  });

  it('is looked through in slices where the log is long', () => {
    const told = new Story({}, 20_000).emptyLog();
    told.write(...Array.from({ length: 12_000 }, (_, index) => `line ${index + 1}`));
    press(told, type('line 1$|000$'));
    expect(rows(told).at(-1)).toBe('line 12000');
    expect(isSearching(told.state)).toBe(true);
    expect(log(told).matched?.share).toBeLessThan(1);
    while (isSearching(told.state)) told.event({ type: 'search', at: told.now, lines: 1000 });
    expect(rows(told)).toHaveLength(13);
    expect(log(told).matched).toEqual({ count: 13, of: 12_000, earlier: 0, share: 1 });
  });

  it('goes round at the ends, and says so', () => {
    const told = press(story('x1', 'y', 'x2', 'y', 'x3', 'y'), type('x'), { kind: 'toggle-filter-mode' });
    const found = (): string | undefined =>
      log(told)
        .rows(9)
        .find(({ flag }) => flag === 'found')?.text;
    press(told, { kind: 'match', direction: -1 }, { kind: 'match', direction: -1 });
    expect(found()).toBe('x2');
    press(told, { kind: 'match', direction: -1 }, { kind: 'match', direction: -1 });
    expect([found(), told.state.notice?.text]).toEqual(['x3', 'no match above: from the end']);
    press(told, { kind: 'match', direction: 1 });
    expect([found(), told.state.notice?.text]).toEqual(['x1', 'no match below: from the top']);
    press(told, type('nothing'), { kind: 'match', direction: 1 });
    expect(told.state.notice?.text).toBe('no match below');
  });

  it('goes from line to line of a rank as well', () => {
    const told = press(story(...copies('begin'), 'plain', ...copies('end')), {
      kind: 'toggle',
      what: 'folds',
    });
    press(told, type('@TP3'), { kind: 'toggle-filter-mode' }, { kind: 'match', direction: -1 });
    expect(rows(told)).toHaveLength(13);
    expect(rows(told).at(-1)).toBe(copies('end')[3]);
    expect(log(told).matched).toEqual({ count: 2, of: 17, earlier: 0, share: 1 });
  });

  it('shows errors and milestones where both are asked for', () => {
    const told = story(...crashedRun(0));
    const errors = rows(press(told, { kind: 'toggle', what: 'errors-only' }));
    const both = rows(press(told, { kind: 'toggle', what: 'milestones-only' }));
    const milestones = rows(press(told, { kind: 'toggle', what: 'errors-only' }));
    expect(errors.length * milestones.length).toBeGreaterThan(0);
    expect([...both].sort()).toEqual([...new Set([...errors, ...milestones])].sort());
  });

  it('remembers what was looked for, also what was cleared', () => {
    const told = story('alpha', 'beta', 'gamma');
    const up: Intent = { kind: 'filter-recall', direction: -1 };
    const down: Intent = { kind: 'filter-recall', direction: 1 };
    const text = (): string => log(told).filter.text;
    press(told, { kind: 'edit-filter' }, up);
    expect(text()).toBe('');
    press(told, type('al'), { kind: 'filter-done' }, { kind: 'filter-clear' });
    press(told, { kind: 'edit-filter' }, type('be'), { kind: 'filter-clear' });
    press(told, { kind: 'edit-filter' }, type('ga'), up);
    expect([text(), rows(told)]).toEqual(['be', ['beta']]);
    expect([press(told, up) && text(), press(told, up) && text()]).toEqual(['al', 'al']);
    expect([press(told, down) && text(), press(told, down) && text()]).toEqual(['be', 'ga']);
    expect(press(told, down) && text()).toBe('ga');
    // One that is on already is no earlier one.
    press(told, up, { kind: 'filter-done' }, { kind: 'edit-filter' }, up);
    expect(text()).toBe('al');
  });

  it('says that there is nothing to look for', () => {
    expect(press(story('a'), { kind: 'match', direction: 1 }).state.notice?.text).toContain('type a pattern');
  });
});

describe('places in the log', () => {
  it('have marks, which come back over filters', () => {
    const told = story('a', 'b', 'c', 'd');
    press(
      told,
      { kind: 'scroll', lines: -2 },
      { kind: 'mark' },
      { kind: 'scroll-to', end: 'bottom' },
      type('d'),
    );
    press(told, { kind: 'to-mark' });
    expect(told.state.notice?.text).toContain('filter is off');
    expect(
      log(told)
        .rows(9)
        .find(({ flag }) => flag === 'found')?.text,
    ).toBe('b');
    press(told, { kind: 'mark' });
    expect(told.state.view.marks).toEqual([]);
    expect(press(told, { kind: 'to-mark' }).state.notice?.text).toContain('no line is marked');
  });

  it('say which line the verdict rests on where that is kept no more', () => {
    const lines = [...crashedRun(0), ...Array.from({ length: 1100 }, (_, index) => `later ${index}`)];
    const told = new Story()
      .emptyLog()
      .alive(60)
      .write(...lines);
    press(told, { kind: 'to-evidence' });
    expect(told.state.notice?.text).toMatch(/^line \d+ is no longer kept here/);
  });

  it('go from the verdict to its line: by v, or by Enter on the card', () => {
    const lines = [...crashedRun(0), ...Array.from({ length: 30 }, (_, index) => `later ${index}`)];
    for (const intent of [{ kind: 'to-evidence' }, { kind: 'open' }] as const) {
      const told = new Story()
        .emptyLog()
        .alive(60)
        .write(...lines);
      expect(selectScreen(told.state).card).not.toBeNull();
      press(told, intent);
      expect(selectScreen(told.state).card).toBeNull();
      const found = log(told)
        .rows(9)
        .find(({ flag }) => flag === 'found');
      expect(found?.text).toContain('KeyError');
    }
  });
});
