import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judgeTrace } from '../../src/judge/judge-trace.js';
import { readTrace } from '../../src/judge/trace.js';
import { hungTraces } from '../traces/make-hung.js';
import { launchTraces } from '../traces/make-launches.js';
import { slowTraces } from '../traces/make-slow.js';
import { traceText } from '../traces/maker.js';

const folder = fileURLToPath(new URL('../traces', import.meta.url));
const drafts = [...slowTraces(), ...hungTraces(), ...launchTraces(10)];

describe('the traces', () => {
  it('are what their makers make', () => {
    for (const draft of drafts) {
      const path = join(folder, `${draft.name}.ndjson`);
      // UPDATE_TRACES=1 writes them anew.
      if (process.env.UPDATE_TRACES) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path, traceText(draft));
      }
      expect(readFileSync(path, 'utf8') === traceText(draft), `${path} is as made`).toBe(true);
    }
  });
});

describe('over every trace, no verdict is false or late', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  it.each(files)('%s', (name) => {
    const path = join(folder, name);
    expect(judgeTrace(readTrace(readFileSync(path, 'utf8'), path)).findings).toEqual([]);
  });
});
