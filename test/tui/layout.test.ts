import { describe, expect, it } from 'vitest';
import { type Layout, type LayoutInput, layout, type Rect } from '../../src/tui/layout.js';

const input = (columns: number, rows: number, more: Partial<LayoutInput> = {}): LayoutInput => ({
  columns,
  rows,
  phaseCount: 13,
  gpuCount: 8,
  zoomed: null,
  insert: null,
  ...more,
});

const placed = (value: LayoutInput): Layout => {
  const result = layout(value);
  if (result.kind === 'too-small') throw new Error('too small');
  return result;
};

const rects = (value: Layout): readonly Rect[] =>
  [value.header, value.phases, value.gpus, value.insert, value.log, value.status, value.footer].filter(
    (rect) => rect !== null,
  );

describe('layout', () => {
  it('fills every cell of the screen once, whatever the size and what is open', () => {
    const inserts = [
      null,
      { kind: 'body' },
      ...[4, 9, 17, 60].flatMap((height) => [
        { kind: 'card', height } as const,
        { kind: 'dialog', height } as const,
      ]),
    ];
    for (let columns = 40; columns <= 220; columns += 7) {
      for (let rows = 10; rows <= 60; rows++) {
        for (const insert of inserts as LayoutInput['insert'][]) {
          for (const zoomed of [null, 'log', 'phases', 'gpus'] as const) {
            for (const [phaseCount, gpuCount] of [
              [13, 8],
              [0, 0],
              [1, 1],
              [16, 16],
            ] as const) {
              const gpusIdle = rows % 2 === 0;
              const value = input(columns, rows, { insert, zoomed, phaseCount, gpuCount, gpusIdle });
              const covered = rects(placed(value)).reduce(
                (sum, { width, height }) => sum + width * height,
                0,
              );
              if (covered !== columns * rows) throw new Error(`${JSON.stringify(value)} covers ${covered}`);
              const outside = rects(placed(value)).some(
                ({ left, top, width, height }) =>
                  left < 0 || top < 0 || height < 1 || left + width > columns || top + height > rows,
              );
              if (outside) throw new Error(`${JSON.stringify(value)} leaves the screen`);
            }
          }
        }
      }
    }
  });

  it('has phases left, GPUs right and the log below at 100 columns and more', () => {
    for (const [columns, rows] of [
      [100, 30],
      [120, 40],
      [200, 50],
    ] as const) {
      const { phases, gpus, log } = placed(input(columns, rows));
      expect(phases?.top).toBe(gpus?.top);
      expect(phases?.left).toBe(0);
      expect(gpus?.left).toBe(phases?.width);
      expect(log?.width).toBe(columns);
      expect(log?.top).toBe((phases?.top ?? 0) + (phases?.height ?? 0));
      expect(phases?.height).toBeGreaterThanOrEqual(13 + 2);
      expect(log?.height).toBeGreaterThanOrEqual(10);
    }
  });

  it('stacks at 80x24: five rows of phases at most, eight GPUs one row each, five lines of log at least', () => {
    const { phases, gpus, log } = placed(input(80, 24));
    expect(phases).toMatchObject({ frame: 'rule', height: 5, width: 80 });
    expect(gpus).toMatchObject({ frame: 'rule', height: 9, width: 80 });
    expect((log?.height ?? 0) - 1).toBeGreaterThanOrEqual(5);
  });

  it('sums phases and GPUs up in one row each at 40x12, and keeps five lines of log', () => {
    const { phases, gpus, log } = placed(input(40, 12));
    expect(phases).toMatchObject({ frame: 'bare', height: 1 });
    expect(gpus).toMatchObject({ frame: 'bare', height: 1 });
    expect((log?.height ?? 0) - 1).toBeGreaterThanOrEqual(5);
  });

  it.each([
    [39, 12],
    [40, 9],
    [39, 9],
    [1, 1],
    [0, 0],
  ])('is too small at %ix%i', (columns, rows) => {
    expect(layout(input(columns, rows))).toEqual({ kind: 'too-small' });
  });

  it('gives a zoomed pane the whole body', () => {
    const { phases, gpus, log } = placed(input(120, 40, { zoomed: 'log' }));
    expect([phases, gpus]).toEqual([null, null]);
    expect(log?.height).toBe(40 - 1 - 2 - 1);
  });

  it('keeps the log under a card when it leaves room for five lines, and else gives the card the pane', () => {
    const tall = placed(input(200, 50, { insert: { kind: 'card', height: 14 } }));
    expect(tall.insert?.height).toBe(14);
    expect(tall.log?.height).toBeGreaterThanOrEqual(6);
    const low = placed(input(80, 24, { insert: { kind: 'card', height: 17 } }));
    expect(low.log).toBeNull();
    // Eight GPUs keep a row each beside it; the phases are told in one.
    expect([low.phases?.height, low.gpus?.height, low.insert?.height]).toEqual([1, 9, 11]);
  });

  it('folds idle GPUs beside a crash at 80x24, so that five lines of log stay below its card', () => {
    for (const height of [12, 17, 60]) {
      const card = { kind: 'card', height } as const;
      const { phases, gpus, insert, log } = placed(input(80, 24, { insert: card, gpusIdle: true }));
      expect([phases?.height, gpus]).toMatchObject([1, { frame: 'bare', height: 1 }]);
      expect(insert?.height).toBe(Math.min(height, 13));
      expect(log?.height).toBeGreaterThanOrEqual(6);
    }
    // Where there is room for all of it nothing is folded.
    const tall = placed(input(90, 60, { insert: { kind: 'card', height: 17 }, gpusIdle: true }));
    expect([tall.gpus?.height, tall.insert?.height]).toEqual([9, 17]);
    expect(placed(input(80, 24, { gpusIdle: true })).gpus?.height).toBe(9);
  });

  it('shows a question as a whole, and folds what stands beside it for that', () => {
    for (const [columns, rows, height] of [
      [80, 24, 19],
      [100, 30, 21],
      [40, 12, 9],
    ] as const) {
      expect(placed(input(columns, rows, { insert: { kind: 'dialog', height } })).insert?.height).toBe(
        height,
      );
    }
  });

  it('gives a card all of the body where it would have less than it needs', () => {
    const { phases, gpus, insert } = placed(input(40, 12, { insert: { kind: 'card', height: 17 } }));
    expect([phases, gpus, insert?.height]).toEqual([null, null, 9]);
  });

  it('shows eight rows of sixteen GPUs at 80x24, and five lines of log', () => {
    const { gpus, log } = placed(input(80, 24, { gpuCount: 16 }));
    expect(gpus).toMatchObject({ frame: 'rule', height: 10 });
    expect(log?.height).toBe(6);
  });
});
