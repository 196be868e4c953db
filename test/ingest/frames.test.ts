import { describe, expect, it } from 'vitest';
import { lastBar, lastFrame, splitFrames } from '../../src/ingest/frames.js';

describe('frames', () => {
  it('splits at carriage returns and leaves the empty ones out', () => {
    expect(splitFrames('\ra\r\rb')).toEqual(['a', 'b']);
    expect(splitFrames('plain')).toEqual(['plain']);
    expect(lastFrame('a\rb\r')).toBe('b');
    expect(lastFrame('')).toBe('');
  });
});

describe('bars', () => {
  it('reads the shard format', () => {
    expect(
      lastBar('Loading safetensors checkpoint shards:  25% Completed | 1/4 [00:00<00:02,  1.27it/s]'),
    ).toEqual({
      description: 'Loading safetensors checkpoint shards',
      percent: 25,
      done: '1',
      total: '4',
    });
  });

  it('reads the plain format with its description', () => {
    const bar = lastBar(
      'Capturing batches (bs=160 avail_mem=9.53 GB):   4%|▍         | 1/23 [00:00<00:20,  1.06it/s]',
    );
    expect(bar).toEqual({
      description: 'Capturing batches (bs=160 avail_mem=9.53 GB)',
      percent: 4,
      done: '1',
      total: '23',
    });
    expect(lastBar(' 96%|█▌| 22/23 [00:13<00:00,  2.05it/s]')?.description).toBe('');
    expect(lastBar('model-00001.safetensors:  42%|████ | 2.1G/5.0G [01:02<01:30, 32MB/s]')).toMatchObject({
      done: '2.1G',
      total: '5.0G',
    });
  });

  it('takes the last of several, glued with or without a carriage return', () => {
    expect(lastBar('a:   0%|  | 0/3 [00:00<?, ?it/s]b:  33%|█ | 1/3 [00:01<00:02, 1.00it/s]')).toMatchObject({
      description: 'b',
      done: '1',
    });
    expect(
      lastBar('a:   0%|  | 0/3 [00:00<?, ?it/s]\rc:  66%|█ | 2/3 [00:01<00:02, 1.00s/it]'),
    ).toMatchObject({ description: 'c', done: '2' });
  });

  it('finds none in other lines with percentages', () => {
    for (const text of ['cache hit rate: 7.69%, token usage: 0.00', '100% | done', 'Prefetching: 12% (3/24)'])
      expect(lastBar(text)).toBeNull();
  });

  it('is linear on a line of a megabyte', () => {
    expect(lastBar(`${'0%|'.repeat(300_000)} x: 50%|█ | 1/2 [00:01<00:02, 1.00it/s]`)).toMatchObject({
      done: '1',
    });
  });
});
