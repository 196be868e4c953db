import { afterEach, describe, expect, it } from 'vitest';
import { launchSpec } from '../../src/core/launch-spec.js';
import { type DemoWorld, startDemo } from '../../src/demo/world.js';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import type { Finding } from '../../src/preflight/finding.js';
import { preflight } from '../../src/runtime/actions/preflight.js';
import { available } from '../support/available.js';

let world: DemoWorld | null = null;
afterEach(() => world?.stop());

describe.skipIf(!available('procfs'))('pre-flight on the demo’s host', () => {
  it('foresees both crashes of the story, and nothing once they are mended', async () => {
    const findings = await look('story');
    expect(findings('draft-hook')).toMatchObject({ level: 'blocker' });
    expect(findings('draft-hook')?.text).toContain(
      'DemoVLForConditionalGeneration has no set_eagle3_layers_to_capture in SGLang 0.5.9',
    );
    expect(findings('draft-context-length')).toMatchObject({
      level: 'blocker',
      text: '262144 tokens are asked for, and the draft bears 131072: SGLang 0.5.9 refuses that',
      remedy: { change: { env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' } } },
    });
    expect(findings('gpu-count')).toMatchObject({ level: 'ok', text: '8 wanted, 8 here' });

    const mended = await lookAgain({ patched: true });
    expect(mended.filter(({ level }) => level === 'blocker')).toEqual([]);
    expect(mended.find(({ id }) => id === 'draft-context-length')?.level).toBe('ok');
  });

  it('finds nothing in the way of the sound launch', async () => {
    await look('ready');
    const all = await lookAgain({ patched: false });
    expect(all.filter(({ level }) => level === 'blocker' || level === 'warning')).toEqual([]);
    expect(all.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['command', 'port', 'driver', 'gpu-memory', 'model', 'draft-model', 'weights']),
    );
  });

  it('names who holds the memory of a card', async () => {
    const findings = await look('oom');
    expect(findings('gpu-memory')).toMatchObject({ level: 'warning', subject: 'GPU 3' });
    expect(findings('gpu-memory')?.text).toMatch(/^12 GiB of 140 GiB held by pid 4190017/);
  });
});

async function look(scenario: string): Promise<(id: string) => Finding | undefined> {
  world = await startDemo({ scenario, speed: 100 });
  const all = await lookAgain({ patched: false });
  return (id) => all.find((finding) => finding.id === id);
}

async function lookAgain({ patched }: { patched: boolean }): Promise<readonly Finding[]> {
  if (world === null) throw new Error('no world');
  const host = await connectHost(
    {
      label: `${world.user}@127.0.0.1:${world.sshPort}`,
      trusted: { hostKey: world.hostKey, privateKey: world.clientKey },
    },
    { prompts: noPrompts },
  );
  try {
    if (patched) for (const step of world.before) await run(host, step);
    const env = patched ? world.relaunch.env : world.env;
    const spec = launchSpec({ command: world.command, env, log: world.logPath });
    return (await preflight(host, spec)).findings;
  } finally {
    await host.close();
  }
}
