import { describe, expect, it } from 'vitest';
import { clientRules } from '../../src/engines/shared/clients.js';
import { readAll } from '../../src/triage/reading.js';
import { linesOf } from '../support/case-files.js';
import { traceback } from '../support/judge-lines.js';

const read = (...lines: readonly string[]) => {
  const reading = readAll(linesOf(lines.join('\n')));
  return { client: reading.findings().client, report: reading.report() };
};

const imported = 'INFO 07-27 00:00:13 [__init__.py:239] Automatically detected platform cuda.';
const measured = [
  'Starting main benchmark run...',
  '============ Serving Benchmark Result ============',
  'Successful requests:                     100',
  'P99 ITL (ms):                            704.51',
];
const serves = [
  'INFO 07-27 00:00:13 [api_server.py:1839] vLLM API server version 0.11.0',
  'INFO:     Application startup complete.',
];

describe('the log of a program that measures a server', () => {
  it('is no server’s', () => {
    const { client, report } = read(imported, ...measured);
    expect(client).toBe('vllm bench serve');
    expect(report).toMatchObject({
      engine: 'unknown',
      outcome: 'unknown',
      phase: null,
      phases: [],
      rootCause: null,
    });
  });

  it('is none either where it fails', () => {
    const { report } = read(
      imported,
      measured[0] ?? '',
      ...traceback('ConnectionResetError: [Errno 104] Connection reset'),
    );
    expect(report).toMatchObject({ outcome: 'unknown', rootCause: null });
  });

  it('is none where it shows what it waits for', () => {
    const waits = [
      '---- server log (last 40 lines) ----',
      '(EngineCore pid=9) INFO 07-27 00:00:13 [model_runner_v1.py:3757] Starting to load model /models/demo...',
      '(EngineCore pid=9) Loading safetensors checkpoint shards:  67% Completed | 4/6 [00:33<00:16,  8.48s/it]',
    ];
    expect(read(...waits, ...measured)).toMatchObject({
      client: 'vllm bench serve',
      report: { outcome: 'unknown' },
    });
    expect(read(...measured, ...waits)).toMatchObject({ client: null, report: { outcome: 'loading' } });
    expect(read(...waits, ...measured, 'Killed').report.outcome).toBe('crashed');
  });

  it('is the server’s where that speaks in the same log', () => {
    for (const lines of [
      [...serves, ...measured],
      [...measured, ...serves],
    ]) {
      const { client, report } = read(...lines);
      expect(client).toBeNull();
      expect(report).toMatchObject({ engine: 'vllm', outcome: 'ready' });
    }
    const died = read(
      imported,
      ...measured,
      '[2026-02-22 23:33:00 TP3] Scheduler hit an exception: ',
      imported,
    );
    expect(died.report.engine).not.toBe('unknown');
  });

  it.each(clientRules.flatMap(({ client, samples }) => samples.map((sample) => ({ client, sample }))))(
    '$client: $sample',
    ({ client, sample }) => {
      expect(read(imported, sample).client).toBe(client);
    },
  );
});
