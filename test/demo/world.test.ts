import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findDemoProcesses } from '../../src/demo/demo-processes.js';
import { removeLeftBehind } from '../../src/demo/left-behind.js';
import { ownProcessId } from '../../src/demo/process-id.js';
import { scenarioNames } from '../../src/demo/scenario-names.js';
import { startDemo } from '../../src/demo/world.js';
import { packageFile } from '../../src/package-file.js';
import { until } from '../support/until.js';
import { type DemoBox, openDemo } from './demo-box.js';

let box: DemoBox | null = null;
afterEach(async () => {
  await box?.close();
  box = null;
});

describe('startDemo', () => {
  it.each(scenarioNames)('lays out %s in a small folder and takes it away again', async (scenario) => {
    box = await openDemo(scenario);
    const { folder, command, logPath } = box.world;
    expect(command.join(' ')).not.toContain('{');
    expect(logPath.startsWith(folder) && logPath.includes('{attempt}')).toBe(true);
    const { output } = await box.exec(`du -sk '${folder}'`);
    expect(Number.parseInt(output, 10)).toBeLessThan(2000);
    await box.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('refuses what is no scenario and no speed', async () => {
    await expect(startDemo({ scenario: 'nope', speed: 1 })).rejects.toMatchObject({ exitCode: 2 });
    await expect(startDemo({ scenario: 'ready', speed: 0 })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('ends processes that left their session when it stops, and only its own', async () => {
    box = await openDemo('ready');
    const bystander = spawn('sleep', ['1000']);
    await box.exec(
      'setsid sh -c "sleep 1000; :" </dev/null >/dev/null 2>&1 & setsid sleep 1000 </dev/null >/dev/null 2>&1 &',
    );
    const { folder } = box.world;
    await until(() => findDemoProcesses(folder).length >= 3, 'three processes run');
    await box.close();
    await box.world.stop();
    expect(findDemoProcesses(folder)).toEqual([]);
    expect(bystander.exitCode ?? bystander.signalCode).toBe(null);
    bystander.kill();
  });
});

describe('a demo whose owner is killed', () => {
  it('leaves no engine and no folder behind', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'demo-owner-'));
    const owner = spawn(
      process.execPath,
      [packageFile('bin/firedup.js'), 'demo', '--headless', '--scenario', 'stall', '--speed', '30'],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: parent } },
    );
    let output = '';
    for (const stream of [owner.stdout, owner.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString();
      });
    await until(() => /Join ranks/.test(output), 'ranks join');
    const [name = ''] = await readdir(parent);
    const folder = join(parent, name);
    await until(() => findDemoProcesses(folder).length >= 9, 'nine processes run');
    owner.kill('SIGKILL');
    await until(() => findDemoProcesses(folder).length === 0 && !existsSync(folder), 'nothing of it is left');
    await rm(parent, { recursive: true });
  });
});

describe('removeLeftBehind', () => {
  it('takes away old folders whose owner is gone, and no others', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'left-behind-'));
    const owners = { gone: { pid: process.pid, startTicks: '1' }, here: ownProcessId() };
    for (const [name, owner] of Object.entries(owners)) {
      await mkdir(join(parent, `firedup-demo-${name}`));
      await writeFile(
        join(parent, `firedup-demo-${name}`, 'world.json'),
        JSON.stringify({ owner, speed: 1 }),
      );
    }
    await mkdir(join(parent, 'firedup-demo-new'));
    await removeLeftBehind(parent, Date.now());
    expect(await readdir(parent)).toHaveLength(3);
    await removeLeftBehind(parent, Date.now() + 7_200_000);
    expect((await readdir(parent)).sort()).toEqual(['firedup-demo-here', 'firedup-demo-new']);
    await rm(parent, { recursive: true });
  });
});
