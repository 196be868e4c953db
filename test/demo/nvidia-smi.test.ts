import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nvidiaSmiScript } from '../../src/demo/nvidia-smi.js';
import { serveLaterScript } from '../../src/demo/serve-later.js';
import { type DemoBox, openDemo } from './demo-box.js';

let box: DemoBox;
beforeAll(async () => {
  box = await openDemo('oom');
});
afterAll(() => box.close());

const smi = (words: string) => box.exec(`nvidia-smi ${words}`);

describe('the simulated nvidia-smi', () => {
  it('prints the fields that are asked for, in their order', async () => {
    const fields =
      'index,uuid,name,memory.total,memory.used,utilization.gpu,utilization.memory,temperature.gpu,power.draw,power.limit,clocks.sm,pstate';
    const { output, code } = await smi(`--query-gpu=${fields} --format=csv,noheader,nounits`);
    const lines = output.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([0, 8]);
    expect(lines[0]).toMatch(
      /^0, GPU-[0-9a-f-]{36}, NVIDIA H200, 143771, 4, 0, 0, 28, \d+\.\d\d, 700\.00, 345, P8$/,
    );
    const { output: turned } = await smi('--query-gpu=memory.used,index --format=csv,noheader,nounits');
    expect(turned.split('\n')[1]).toBe('4, 1');
  });

  it('prints header and units unless told not to', async () => {
    const { output } = await smi('--query-gpu=index,memory.used,power.limit --format=csv');
    expect(output.split('\n').slice(0, 2)).toEqual([
      'index, memory.used [MiB], power.limit [W]',
      '0, 4 MiB, 700.00 W',
    ]);
  });

  it('fails as a whole, on stdout and with status 2, when it does not know a field', async () => {
    const { output, code } = await box.exec(
      'nvidia-smi --query-gpu=index,no.such.field --format=csv 2>/dev/null',
    );
    expect({ output, code }).toEqual({
      output: 'Field "no.such.field" is not a valid field to query.\n\n',
      code: 2,
    });
  });

  it('counts what other processes hold, and names them', async () => {
    const { output } = await smi('--query-gpu=memory.used --format=csv,noheader,nounits -i 3');
    expect(output).toContain('Invalid combination of input arguments.');
    const all = await smi('--query-gpu=memory.used,memory.free --format=csv,noheader,nounits');
    expect(all.output.split('\n')[3]).toBe('11780, 131991');
    const apps = await smi('--query-compute-apps=gpu_uuid,pid,used_memory --format=csv,noheader,nounits');
    expect(apps.output).toMatch(/^GPU-[0-9a-f-]{36}, 4190017, 11776\n$/);
  });

  it('knows the time and what it cannot tell', async () => {
    const { output } = await smi(
      '--query-gpu=timestamp,fan.speed,clocks_event_reasons.active,mig.mode.current --format=csv,noheader',
    );
    expect(output).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{3}, \[N\/A\], 0x[0-9a-f]{16}, Disabled\n/);
  });

  it.skipIf(!has('busybox'))('says the same with the awk of busybox', async () => {
    const query = '--query-gpu=index,uuid,memory.used,power.draw,pstate --format=csv';
    const { output } = await smi(query);
    const { folder } = box.world;
    const tools = 'mkdir -p ~/busybox && ln -sf "$(command -v busybox)" ~/busybox/awk && PATH=~/busybox';
    expect(await box.exec(`${tools} '${folder}/bin/nvidia-smi' ${query}`)).toMatchObject({ output, code: 0 });
  });

  it.skipIf(!has('shellcheck')).each([nvidiaSmiScript, serveLaterScript])(
    'is a script without a fault (%#)',
    (script) => {
      expect(execFileSync('shellcheck', ['-s', 'sh', '-'], { input: script, encoding: 'utf8' })).toBe('');
    },
  );

  it('lists the cards', async () => {
    const { output } = await smi('-L');
    expect(output).toMatch(/^GPU 0: NVIDIA H200 \(UUID: GPU-/);
  });
});

function has(tool: string): boolean {
  return spawnSync(tool, ['--help'], { stdio: 'ignore' }).error === undefined;
}
