import { expect, it } from 'vitest';
import { compareRuns } from '../../src/core/compare-runs.js';
import { historyEntry } from '../support/history-entry.js';

const compare = (one: Parameters<typeof historyEntry>[1], other: Parameters<typeof historyEntry>[1]) =>
  compareRuns(historyEntry(2, one), historyEntry(1, other), (seconds) => `${seconds} s`);

it('compares arguments by name and value, whatever their order', () => {
  const rows = compare(
    { serverArgs: { a: 1, map: { x: 1, y: [1, 2] }, c: 'new', only: true } },
    { serverArgs: { c: 'old', gone: null, map: { y: [1, 2], x: 1 }, a: 1 } },
  );
  expect(rows.filter(({ mark, section }) => section === 'arguments' && mark !== 'same')).toEqual([
    { section: 'arguments', name: 'c', value: 'new', was: 'old', mark: 'changed' },
    { section: 'arguments', name: 'only', value: 'true', was: null, mark: 'added' },
    { section: 'arguments', name: 'gone', value: '', was: 'null', mark: 'removed' },
  ]);
});

it('takes ports and seeds that differ each run for no change', () => {
  const rows = compare(
    { serverArgs: { random_seed: 1, port: 1, nccl_port: 5, dist_init_addr: 'h:1', tp_size: 8 } },
    { serverArgs: { random_seed: 2, port: 2, nccl_port: 6, dist_init_addr: 'h:2', tp_size: 8 } },
  );
  const marks = rows.filter(({ section }) => section === 'arguments').map(({ mark }) => mark);
  expect(marks).toEqual(['varies', 'varies', 'varies', 'varies', 'same']);
});

it('tells environment, command, steps before, versions and phase times that differ', () => {
  const rows = compare(
    {
      command: 'sglang serve --tp 4',
      env: { A: '2', NEW: '1' },
      cwd: '/srv',
      before: ['patch'],
      engineVersion: '0.5.10',
      packages: { torch: '2.8.0', nccl: '2.27.3' },
      phases: [{ id: 'weights', model: 'draft', seconds: 4, isDone: true }],
    },
    {
      command: 'sglang serve --tp 8',
      env: { A: '1', OLD: '1' },
      before: ['clean'],
      packages: { torch: '2.7.0' },
      phases: [{ id: 'weights', model: 'draft', seconds: 9, isDone: true }],
    },
  );
  expect(
    rows.filter(({ mark }) => mark !== 'same').map(({ name, value, was, mark }) => [name, value, was, mark]),
  ).toEqual([
    ['command', '--tp 4', 'sglang serve --tp 8', 'changed'],
    ['env', 'A=2', 'A=1', 'changed'],
    ['env', 'NEW=1', null, 'added'],
    ['env', '', 'OLD=1', 'removed'],
    ['cwd', '/srv', '~', 'changed'],
    ['before', 'patch', null, 'added'],
    ['before', '', 'clean', 'removed'],
    ['sglang', '0.5.10', '0.5.9', 'changed'],
    ['torch', '2.8.0', '2.7.0', 'changed'],
    ['Load weights (draft)', '4 s', '9 s', 'changed'],
  ]);
});

it('says of a run alone what it is', () => {
  const rows = compareRuns(historyEntry(1), null, String);
  expect(rows.every(({ mark, was }) => mark === 'same' && was === null)).toBe(true);
  expect(rows.map(({ name }) => name)).toEqual(['tp_size', 'sglang', 'Load weights']);
});
