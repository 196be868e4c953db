import { describe, expect, it } from 'vitest';
import { createReading, readAll } from '../../src/triage/reading.js';
import { labelledLogs, linesOf } from '../support/case-files.js';

const logs = labelledLogs();

describe('while a log grows', () => {
  // Newest-first exports never grow; they are judged as a whole.
  it.each(logs.filter((log) => !log.name.includes('newest-first')))(
    '$name: no verdict before its evidence',
    (log) => {
      const reading = createReading();
      for (const line of linesOf(log.text)) {
        reading.read(line, line.number);
        const { ready, death, stopped } = reading.findings();
        for (const evidence of [ready, death, stopped]) {
          if (evidence === null) continue;
          expect(evidence.lineNumber).toBeLessThanOrEqual(line.number);
          expect(linesOf(log.text)[evidence.lineNumber - 1]?.text).toContain(evidence.line);
        }
        if (log.label.outcome !== 'crashed' && !log.name.includes('two-runs')) expect(death).toBeNull();
        if (log.label.outcome === 'loading' || log.label.outcome === 'stalled') expect(ready).toBeNull();
      }
    },
  );

  it.each(logs.filter((log) => log.label.outcome !== 'crashed' && !log.name.includes('two-runs')))(
    '$name: cut anywhere it is never a crash',
    (log) => {
      const reading = createReading();
      for (const line of linesOf(log.text)) {
        reading.read(line, null);
        expect(['loading', 'stalled', 'unknown', 'ready', log.label.outcome]).toContain(
          reading.report().outcome,
        );
      }
    },
  );

  it.each(logs)('$name: looking in between changes nothing', (log) => {
    const lines = linesOf(log.text);
    const watched = createReading();
    for (const line of lines) {
      watched.readPartial(line.text.slice(0, line.text.length >> 1), 1);
      watched.read(line, null);
      watched.findings();
    }
    expect(watched.report()).toEqual(readAll(lines).report());
  });
});
