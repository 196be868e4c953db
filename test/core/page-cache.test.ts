import { describe, expect, it } from 'vitest';
import { pageCache } from '../../src/core/page-cache.js';
import { noon, processSample, Story, stamp } from './fold.js';

const begin = `[${stamp(0)} TP0] Load weight begin. avail mem=140.00 GB`;
const end = `[${stamp(0)} TP0] Load weight end. type=DemoForCausalLM, dtype=torch.bfloat16, avail mem=80.00 GB, mem usage=60.00 GB.`;
const args = `[${stamp(0)}] server_args=ServerArgs(model_path='/models/demo', port=30000, tp_size=1)`;

/** A launch whose process has read `read` bytes from the disk at the end of each second of its weights. */
function launch(modelBytes: number | null, read: readonly (number | null)[]): Story {
  const story = new Story().alive(5).emptyLog().write(args);
  if (modelBytes !== null) story.event({ type: 'model-size', at: noon, bytes: modelBytes });
  story.write(begin);
  for (const readBytes of read) {
    story.later(1).sample([processSample({ startTicks: '471100', state: 'R', readBytes, readChars: 1e12 })]);
  }
  return story;
}

describe('whether the weights came from the page cache', () => {
  it('is cold as soon as much has come from the disk', () => {
    expect(pageCache(launch(1000, [100, 200, 500]).state)).toBe('cold');
  });

  it('is warm when they are loaded and next to nothing has come from there', () => {
    const story = launch(1000, [100, 110, 120]);
    expect(pageCache(story.state)).toBe(null);
    expect(pageCache(story.write(end).state)).toBe('warm');
  });

  it('is not known without a size, or where processes cannot be looked into', () => {
    expect(pageCache(launch(null, [0, 500]).write(end).state)).toBe(null);
    expect(pageCache(launch(1000, [null, null]).write(end).state)).toBe(null);
  });

  it('counts what was read before the weights for nothing', () => {
    expect(pageCache(launch(1000, [5000, 5000, 5010]).write(end).state)).toBe('warm');
  });
});
