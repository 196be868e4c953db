import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchSpec } from '../../src/core/launch-spec.js';
import { type DemoWorld, startDemo } from '../../src/demo/world.js';
import { connectHost } from '../../src/host/connect.js';
import type { Host } from '../../src/host/host.js';
import { noPrompts } from '../../src/host/prompts.js';
import { preflight } from '../../src/runtime/actions/preflight.js';
import { median, report } from './figures.js';

const rounds = 11;

describe('pre-flight over SSH on loopback', () => {
  let world: DemoWorld;
  let host: Host;
  beforeAll(async () => {
    world = await startDemo({ scenario: 'story', speed: 1 });
    const label = `${world.user}@127.0.0.1:${world.sshPort}`;
    const trusted = { hostKey: world.hostKey, privateKey: world.clientKey };
    host = await connectHost({ label, trusted }, { prompts: noPrompts });
  });
  afterAll(async () => {
    await host?.close();
    await world?.stop();
  });

  it('takes less than two seconds with everything to look at', async () => {
    const spec = launchSpec({ command: world.command, log: world.logPath });
    const took: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      await preflight(host, spec);
      took.push(performance.now() - started);
    }
    report('pre-flight (ms)', { median: median(took), max: Math.max(...took), n: rounds });
    expect(median(took)).toBeLessThan(2000);
  });
});
