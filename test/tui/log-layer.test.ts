import { describe, expect, it } from 'vitest';
import type { LogPaneModel, LogRow } from '../../src/core/view-models/log.js';
import { redact } from '../../src/ingest/redact.js';
import { sanitize } from '../../src/ingest/sanitize.js';
import { unicodeGlyphs } from '../../src/tui/glyphs.js';
import { createLogLayer } from '../../src/tui/log-layer.js';
import { createPainter } from '../../src/tui/painter.js';
import { textWidth } from '../../src/tui/text.js';
import { hostileLines, logPane, logRow } from '../support/screen-fixtures.js';
import { themes } from './open-fixture.js';

const painter = createPainter({ theme: themes[0], depth: '16', glyphs: unicodeGlyphs, sanitize });

const colors = /\u001B\[[\d;]*m/g;

const plain = (text: string): string => text.replace(colors, '');

/** The pane's rows with colours; the first is the title. */
const draw = (
  rows: readonly LogRow[],
  more: Partial<LogPaneModel> = {},
  width = 60,
  height = 6,
): readonly string[] =>
  createLogLayer(painter).draw({ ...logPane(rows), ...more }, { left: 0, top: 3, width, height }, true).rows;

const body = (...args: Parameters<typeof draw>): readonly string[] =>
  draw(...args)
    .slice(1)
    .map((row) => plain(row).trimEnd());

describe('the log layer', () => {
  it('says first what was not searched', () => {
    const filter = {
      text: '(a+)+$',
      editing: false,
      mode: 'filter',
      error: null,
      pattern: /(a+)+$/,
    } as const;
    const matched = { count: 0, earlier: 0, of: 200_000, share: 0 };
    const slow = { line: 199_958, left: 200_000, isStopped: true };
    const stopped = { filter, matched, slow, total: 200_000, isEmpty: false };
    const [narrow = '', ...empty] = draw([], stopped, 80, 5).map(plain);
    expect(narrow).toContain('· too slow: 200,000 lines not searched · /(a+');
    expect(empty.join('')).toContain('the search was given up');
    expect(plain(draw([], stopped, 150, 5)[0] ?? '')).toContain(
      'too slow on line 199,958: stopped, 200,000 lines',
    );
    const left = {
      ...stopped,
      matched: { ...matched, share: 1 },
      slow: { line: 7, left: 1, isStopped: false },
    };
    expect(draw([], left, 80, 5).map(plain).join('')).toContain(
      'no line that was searched passes the filter',
    );
  });

  it('says where matches cannot be marked in time', () => {
    const filter = { text: 'x', editing: false, mode: 'highlight', error: null, pattern: /x/ } as const;
    const layer = createLogLayer(painter);
    const model = { ...logPane([logRow(1, 'xyz')]), filter, timeBox: () => ({ isDone: false, cpuMs: 10 }) };
    const frame = (): readonly string[] =>
      layer.draw(model, { left: 0, top: 0, width: 80, height: 3 }, true).rows;
    const titles = Array.from({ length: 7 }, () => plain(frame()[0] ?? ''));
    expect(titles[0]).not.toContain('not marked');
    expect(titles.at(-1)).toContain('matches not marked: too slow');
    expect(plain(frame()[1] ?? '')).toContain('xyz');
  });

  it('marks whole characters, whatever the pattern makes of them', () => {
    const filter = { text: '.', editing: false, mode: 'highlight', error: null, pattern: /./ } as const;
    const [emoji = ''] = draw([logRow(1, 'a😀')], { filter }, 60, 2).slice(1);
    expect(emoji.split(colors)).toContain('😀');
    const text = 'a😀 e\u0301宽🇩🇪';
    const [line = ''] = draw([logRow(1, text)], { filter }, 60, 2).slice(1);
    expect(plain(line).trim()).toBe(text);
    const parts = line.split(colors);
    expect(parts.filter((part) => /\p{Surrogate}/u.test(part))).toEqual([]);
    expect(parts).toEqual(expect.arrayContaining(['😀', 'e\u0301', '🇩🇪']));
  });

  it('shows the newest lines at the bottom, one a row', () => {
    const rows = Array.from({ length: 9 }, (_, index) => logRow(index + 1, `line ${index + 1}`));
    expect(body(rows)).toEqual(['5', '6', '7', '8', '9'].map((number) => `  line ${number}`));
    expect(body(rows.slice(0, 2))).toEqual(['  line 1', '  line 2', '', '', '']);
  });

  it('never writes more columns than it has, whatever the lines hold', () => {
    const texts = [
      'x'.repeat(500),
      '宽'.repeat(300),
      '🚀'.repeat(90),
      'a\tb'.repeat(60),
      'e\u0301'.repeat(200),
      '',
    ];
    const rows = [...texts.map((text, index) => logRow(index + 1, text)), ...hostileLines];
    for (const width of [40, 61, 100, 133]) {
      for (const wrap of [false, true]) {
        for (const column of [0, 8, 17]) {
          for (const row of draw(rows, { wrap, column }, width, 30)) {
            expect(textWidth(plain(row))).toBeLessThanOrEqual(width);
          }
        }
      }
    }
  });

  it('lets nothing through to the terminal but colours of its own', () => {
    const written = draw(hostileLines, {}, 120, 6).join('\n');
    expect(written.replace(colors, '')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(written).not.toContain('\u001B[5m');
    expect(written).not.toContain('pwned');
  });

  it('drops control characters even where the sanitiser leaves them', () => {
    const careless = createPainter({
      theme: themes[0],
      depth: '16',
      glyphs: unicodeGlyphs,
      sanitize: (text) => text,
    });
    const layer = createLogLayer(careless).draw(
      { ...logPane(hostileLines), title: 'x\u001B[2Jy', note: 'n\u0007' },
      { left: 0, top: 0, width: 120, height: 6 },
      false,
    );
    expect(layer.rows.join('\n').replace(colors, '')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });

  it('marks levels and milestones by a sign, not by colour alone', () => {
    const rows = [
      logRow(1, 'bad', { level: 'error' }),
      logRow(2, 'odd', { level: 'warning' }),
      logRow(3, 'step', { milestone: true }),
      logRow(4, 'plain'),
      logRow(5, '45%', { level: 'progress', seq: null }),
    ];
    expect(body(rows)).toEqual(['✗ bad', '! odd', '◆ step', '  plain', '› 45%']);
  });

  it('shows of a progress bar its last frame only', () => {
    expect(body([logRow(1, ' 10%\r 20%\r 30%'), logRow(2, 'done\r')])).toEqual([
      '   30%',
      '  done',
      '',
      '',
      '',
    ]);
  });

  it('has a gutter of line numbers where there is room', () => {
    const rows = [logRow(99_998, 'a'), logRow(99_999, 'b'), logRow(123_456, 'c')];
    expect(body(rows, {}, 120, 4)).toEqual([' 99998   a', ' 99999   b', '123456   c']);
    expect(body(rows, {}, 80, 4)).toEqual(['  a', '  b', '  c']);
  });

  it('cuts long lines with a mark, and scrolls sideways', () => {
    const rows = [logRow(1, 'abcdefghijklmnopqrstuvwxyz')];
    expect(body(rows, {}, 12, 2)).toEqual(['  abcdefghi…']);
    expect(body(rows, { column: 8 }, 12, 2)).toEqual(['  …jklmnopq…']);
    expect(body(rows, { column: 16 }, 12, 2)).toEqual(['  …rstuvwxyz']);
    expect(body(rows, { column: 64 }, 12, 2)).toEqual(['']);
  });

  it('wraps, and shows the end of what does not fit', () => {
    const rows = [logRow(1, 'first'), logRow(2, 'abcdefghijklmnopqrstuvwx')];
    expect(body(rows, { wrap: true }, 12, 5)).toEqual(['  first', '  abcdefghij', '  klmnopqrst', '  uvwx']);
    expect(body(rows, { wrap: true }, 12, 3)).toEqual(['  klmnopqrst', '  uvwx']);
  });

  it('colours ranks, each its own way, and highlights matches', () => {
    const rows = [
      logRow(1, '[09:12 TP0] ready', { rank: 'TP0' }),
      logRow(2, '[09:12 TP1] ready', { rank: 'TP1' }),
    ];
    const filter = { text: 'read', editing: false, mode: 'highlight', error: null, pattern: /read/ } as const;
    const [, first = '', second = ''] = draw(rows, { filter });
    const rankColor = (row: string): string | undefined => /(\u001B\[\d+m)TP\d/.exec(row)?.[1];
    expect(rankColor(first)).toBeDefined();
    expect(rankColor(first)).not.toBe(rankColor(second));
    expect(first).toContain(`${painter.paint('match', 'read')}`);
    expect(plain(first).trim()).toBe('[09:12 TP0] ready');
  });

  it('says in the title what is shown and that it is held', () => {
    const rows = [logRow(1, 'a')];
    const filter = { text: 'foo', editing: false, mode: 'filter', error: null, pattern: /foo/ } as const;
    const more = { filter, errorsOnly: true, follow: false, newBelow: 1312, total: 20_000 };
    const title = plain(draw(rows, more, 120, 2)[0] ?? '');
    for (const words of [
      '~/logs/server.2.log',
      '/foo/ only',
      'errors only',
      '20,000 lines',
      'held',
      '↓ 1,312 new',
    ]) {
      expect(title).toContain(words);
    }
    expect(textWidth(title)).toBe(120);
    // Where the pane has room left, all that passes is in sight.
    expect(plain(draw(rows, more, 120)[0] ?? '')).toMatch(/= held ─$/);
    expect(plain(draw(rows)[0] ?? '')).toContain('↓ follow');
  });

  it('lets the path give way to the filter, from its beginning', () => {
    const filter = { text: 'shard', editing: false, mode: 'filter', error: null, pattern: /shard/ } as const;
    const more = { filter, milestonesOnly: true, title: '/a/very/long/path/to/the/logs/server.1.log' };
    const title = plain(draw([logRow(1, 'a')], more, 80)[0] ?? '');
    expect(title).toMatch(
      /^──▸Log …\S*server\.1\.log · \/shard\/ only · milestones only ─+ 1 line ↓ follow ─$/,
    );
    expect(plain(draw([logRow(1, 'a')], more, 60)[0] ?? '')).toMatch(
      /^──▸Log …\S+ · \/shard\/ · milestones ─/,
    );
  });

  it('says why there is nothing to show', () => {
    expect(body([], { note: 'not there yet' }).join('')).toContain('not there yet');
    const filter = { text: 'foo', editing: false, mode: 'filter', error: null, pattern: /foo/ } as const;
    expect(body([], { total: 5, isEmpty: false, filter }).join('')).toContain('no line passes the filter');
    expect(body([], { total: 5, isEmpty: false, errorsOnly: true }).join('')).toContain(
      'no error in the log so far',
    );
  });

  it('is dim, without colours of its own, while what it shows is old; its title is not', () => {
    const rows = [logRow(1, 'an error', { level: 'error' }), logRow(2, 'live', { seq: null })];
    const layer = createLogLayer(painter);
    const rect = { left: 0, top: 0, width: 60, height: 3 };
    const styles = (isOld: boolean) =>
      layer
        .draw({ ...logPane(rows), isOld }, rect, true)
        .rows.slice(1)
        .map((row) => [...new Set(row.match(colors))].sort());
    const fresh = styles(false);
    const [dim] = painter.paint('dim', 'x').split('x');
    expect(styles(true)).toEqual([
      ['\u001B[0m', dim],
      ['\u001B[0m', dim],
    ]);
    // Fresh again: the lines that were drawn meanwhile are not kept.
    expect(styles(false)).toEqual(fresh);
    expect(fresh).not.toContainEqual(['\u001B[0m', dim]);
  });

  it('says what a row stands for at its right end, and what Enter would do', () => {
    const fold = { copies: 8, lines: 8, isOpen: false, isRow: true, first: 0 };
    const rows = [
      logRow(1, '[09:12 TP0] begin', { fold }),
      logRow(2, 'x'.repeat(90), { fold: { ...fold, copies: 1, lines: 64 } }),
      logRow(3, 'KeyError: 1', { level: 'error', fold: { ...fold, lines: 176 } }),
      logRow(4, '  File "a.py"', { fold: { ...fold, isOpen: true, isRow: false } }),
      logRow(5, 'KeyError: 2', { fold: { ...fold, isOpen: true, first: 5 } }),
    ];
    const shown = body(rows, {}, 40, 6);
    expect(shown).toEqual([
      `  [09:12 TP0] begin${' '.repeat(17)}▸ ×8`,
      `  ${'x'.repeat(26)}… ▸ 64 lines`,
      `✗ KeyError: 1${' '.repeat(13)}▸ ×8 176 lines`,
      ' │  File "a.py"',
      ` │KeyError: 2${' '.repeat(23)}▾ ×8`,
    ]);
    const [, , , third = '', , fifth = ''] = draw(rows, {}, 40, 6);
    expect(third).toContain(painter.paint('note', ' ▸ ×8 176 lines'));
    expect(fifth).toContain(painter.paint('chosen', ' ▾ ×8'));
    for (const row of draw(rows, { wrap: true }, 40, 12))
      expect(textWidth(plain(row))).toBeLessThanOrEqual(40);
  });

  it('shows of time stamps the time alone, if asked, and of nothing else less', () => {
    const lines = [
      ['[2026-01-14 09:12:40 TP0] at 2026', '[09:12:40 TP0] at 2026'],
      ['INFO 01-14 09:12:40 [core.py:12] x', 'INFO 09:12:40 [core.py:12] x'],
      ['2026-01-14T09:12:40.123456789Z stdout F y', '09:12:40 stdout F y'],
      ['[01/14/2026-09:12:40] [TRT-LLM] [I] z', '[09:12:40] [TRT-LLM] [I] z'],
      ['range 10-12 14-16', 'range 10-12 14-16'],
    ] as const;
    const rows = lines.map(([text], index) => logRow(index + 1, text));
    expect(body(rows, { shortStamps: true }, 80, 6)).toEqual(lines.map(([, short]) => `  ${short}`));
  });

  it('hides secrets in folded rows as in others, before it cuts', () => {
    const redacting = createPainter({
      theme: themes[0],
      depth: '16',
      glyphs: unicodeGlyphs,
      sanitize: (text) => redact(sanitize(text)),
    });
    const secret = 'hf_abcdefghij0123456789abcdefghij';
    const fold = { copies: 8, lines: 8, isOpen: false, isRow: true, first: 0 };
    const rows = [logRow(1, `[09:12:40 TP0] HF_TOKEN=${secret} and more words behind it`, { fold })];
    for (const more of [{}, { wrap: true }, { column: 16 }, { shortStamps: true }]) {
      for (const width of [30, 44, 80]) {
        const layer = createLogLayer(redacting).draw(
          { ...logPane(rows), ...more },
          { left: 0, top: 0, width, height: 6 },
          true,
        );
        expect(layer.rows.map(plain).join('')).not.toMatch(/hf_a|abcdef|456789/);
      }
    }
  });

  it('marks where a jump led, and what the user has marked', () => {
    const rows = [
      logRow(1, 'found', { flag: 'found', level: 'error' }),
      logRow(2, 'marked', { flag: 'marked' }),
    ];
    expect(body(rows, {}, 40, 3)).toEqual(['✗▸found', ' ●marked']);
  });

  it('counts what passes, and how far it has looked', () => {
    const title = (share: number): string =>
      plain(draw([logRow(1, 'a')], { matched: { count: 312, of: 48_120, earlier: 0, share } }, 100)[0] ?? '');
    expect(title(1)).toContain(' 312 of 48,120 ');
    expect(title(0.456)).toContain(' 312 of 48,120, 45 % looked at ');
  });

  it('fills a pane that is held at the top with what comes below', () => {
    const below = [logRow(2, 'b'), logRow(3, 'c'), logRow(4, 'd')];
    const held = { follow: false, rowsBelow: (height: number) => below.slice(0, height) };
    expect(body([logRow(1, 'a')], held, 40, 4)).toEqual(['  a', '  b', '  c']);
  });

  it('draws a line once while it is followed', () => {
    let drawn = 0;
    const counting = createPainter({
      theme: themes[0],
      depth: '16',
      glyphs: unicodeGlyphs,
      sanitize: (text) => {
        drawn += 1;
        return text;
      },
    });
    const layer = createLogLayer(counting);
    const rect = { left: 0, top: 0, width: 80, height: 40 };
    const rows = Array.from({ length: 39 }, (_, index) => logRow(index + 1, `Zeile ü ${index + 1}`));
    layer.draw(logPane(rows), rect, true);
    const first = drawn;
    layer.draw(logPane([...rows.slice(1), logRow(40, 'neu ü')]), rect, true);
    expect(first).toBeGreaterThanOrEqual(39);
    // The new line, and the title's own marks.
    expect(drawn - first).toBeLessThan(20);
  });
});
