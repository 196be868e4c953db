import { describe, expect, it } from 'vitest';
import { sglang } from '../../src/engines/sglang/profile.js';
import { vllm } from '../../src/engines/vllm/profile.js';
import { requiredLiterals } from '../../src/ingest/literals.js';
import { readPrefix } from '../../src/ingest/prefix.js';
import { WordFinder } from '../../src/ingest/word-finder.js';
import { rulesOf } from '../../src/triage/rules.js';

const patterns = [...rulesOf(sglang).prefixes, ...rulesOf(vllm).prefixes];
const message = (text: string): string => text.slice(readPrefix(text, patterns).end);

describe('prefixes', () => {
  it.each([
    ['SGLang', '[2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['SGLang with ranks', '[2026-02-22 23:29:22.123 DP1 PP0 TP3 EP3] Load weight begin.'],
    ['vLLM', '(Worker_TP0 pid=12) INFO 10-01 08:42:36 [pynccl.py:103] Load weight begin.'],
    ['vLLM before 0.8', 'INFO 03-26 07:01:15 __init__.py:190] Load weight begin.'],
    [
      'nested processes',
      '(Worker pid=12) (Worker_TP1 pid=12) INFO 10-01 08:42:36 [a.py:1] Load weight begin.',
    ],
    ['docker', '2026-02-22T23:29:22.123456789Z [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['compose', 'deepseek-r1-1  | [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['compose in brackets', '[sglang]     | [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['Kubernetes', '[2025-11-06T02:08:27.278Z] [2025-11-06 02:08:27 TP0] Load weight begin.'],
    ['a cloud console', 'ERROR 2025-07-22T00:01:19.209237575Z [2025-07-22 00:01:19 TP0] Load weight begin.'],
    ['journald', 'Feb 22 23:29:22 gpu-1 sglang[812]: [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['Ray', '(SGLangEngine pid=23902, ip=10.0.0.1) [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['mpirun', '[1,0]<stderr>: [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['srun', '0: [2026-02-22 23:29:22 TP0] Load weight begin.'],
    ['torchrun', '[rank0]: Load weight begin.'],
    [
      'a Python wrapper',
      '2025-03-07 23:50:27,531 - __main__ - INFO - [2025-03-07 23:50:27 TP0] Load weight begin.',
    ],
  ])('of %s are taken off', (_who, text) => {
    expect(message(text)).toBe('Load weight begin.');
  });

  it('tell rank, time and source', () => {
    expect(readPrefix('[2026-02-22 23:29:22 DP1 TP3] x', patterns)).toMatchObject({
      rank: 'DP1 TP3',
      stamp: '2026-02-22 23:29:22',
      known: true,
      source: '',
    });
    expect(readPrefix('(Worker_TP0 pid=12) ERROR 10-01 08:42:36 [a.py:1] x', patterns)).toMatchObject({
      rank: 'Worker_TP0',
      level: 'ERROR',
      depth: 3,
    });
    expect(readPrefix('plain words', patterns)).toMatchObject({ rank: null, end: 0, known: false });
  });

  it('keep the indentation of what they stand before', () => {
    expect(message('2026-02-22T23:29:22.1Z   File "/x.py", line 1, in f')).toBe(
      '  File "/x.py", line 1, in f',
    );
    expect(
      message('(EngineCore_DP0 pid=1) ERROR 11-29 12:00:00 [core.py:1]   File "/x.py", line 1, in f'),
    ).toBe('  File "/x.py", line 1, in f');
  });
});

describe('required words', () => {
  it.each<[string, readonly string[] | null]>([
    ['Load weight begin\\.', ['Load weight begin.']],
    ['Load (?:weight|pool) begin', ['Load ', ' begin'].slice(1)],
    ['(?:alpha|beta) x?', ['alpha', 'beta']],
    ['alpha+b', ['alpha']],
    ['(?:optional)?\\d+ Killed', [' Killed']],
    ['(?!not this)that one', ['that one']],
    ['\\d+|Killed', null],
    ['[A-Z]\\w*', null],
  ])('of %s', (source, words) => {
    expect(requiredLiterals(source)).toEqual(words);
  });

  it('are found in one pass, words within words too', () => {
    const finder = new WordFinder([['weight'], ['Load weight begin', 'nothing'], ['begin'], ['absent']]);
    const found: number[] = [];
    const count = finder.find('é Load weight begin. Load weight begin.', found);
    expect(found.slice(0, count).sort()).toEqual([0, 1, 2]);
    expect(finder.find('plain', found)).toBe(0);
  });
});
