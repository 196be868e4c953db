import { expect, it } from 'vitest';
import { captureFrame, shardFrame } from '../../../src/demo/engine/progress-bar.js';

it('draws weight frames as SGLang 0.5.9 does, each with a line feed', () => {
  expect(shardFrame({ done: 0, total: 64, seconds: 0 })).toBe(
    '\rLoading safetensors checkpoint shards:   0% Completed | 0/64 [00:00<?, ?it/s]\n',
  );
  expect(shardFrame({ done: 2, total: 17, seconds: 8.4 })).toBe(
    '\rLoading safetensors checkpoint shards:  12% Completed | 2/17 [00:08<01:03,  4.20s/it]\n',
  );
});

it('draws capture frames over each other, in eighths of a cell', () => {
  expect(captureFrame(null, { done: 0, total: 23, seconds: 0 })).toBe(
    '\r  0%|          | 0/23 [00:00<?, ?it/s]',
  );
  expect(
    captureFrame('Capturing batches (bs=24 avail_mem=15.68 GB)', { done: 3, total: 8, seconds: 16.2 }),
  ).toBe('\rCapturing batches (bs=24 avail_mem=15.68 GB):  38%|███▊      | 3/8 [00:16<00:27,  5.40s/it]');
});
