import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local.js';
import type { HostReport } from '../../src/preflight/host-report.js';
import { lookAtHost } from '../../src/runtime/actions/look-at-host.js';
import { type Workbench, workbench } from '../runtime/actions/support/workbench.js';
import { available } from '../support/available.js';
import { commandLineOf, pids } from '../support/processes.js';
import { shells } from './shells.js';

let bench: Workbench;
let folder: string;
const path = process.env.PATH;

const write = (name: string, text: string, mode = 0o644): string => {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
  chmodSync(file, mode);
  return file;
};

const tool = (name: string, text: string): string => write(`tools/${name}`, `#!/bin/sh\n${text}\n`, 0o755);

const look = (...items: readonly string[]): Promise<HostReport> => lookAtHost(bench.host, items);

describe.skipIf(!available('procfs')).each(shells)('preflight.sh in $name', ({ command: shell }) => {
  beforeEach(() => {
    bench = workbench({ shell });
    folder = mkdtempSync(join(tmpdir(), 'firedup look-'));
    mkdirSync(join(folder, 'tools'));
    process.env.PATH = `${join(folder, 'tools')}:${process.env.PATH}`;
  });
  afterEach(async () => {
    process.env.PATH = path;
    await bench.close();
    spawnSync('rm', ['-rf', folder]);
  });

  it('tells of the host, its folders and disks', async () => {
    mkdirSync(join(folder, "it's a folder"));
    const report = await look(`cwd:${folder}/it's a folder`, 'log:logs/x.{attempt}.log', 'command:sh');
    expect(report.unanswered).toEqual([]);
    expect(report).toMatchObject({ proc: true, cwd: { path: `${folder}/it's a folder`, kind: 'folder' } });
    expect(report.kernel).toMatch(/^Linux /);
    expect(report.log).toMatchObject({ near: `${folder}/it's a folder`, writable: true });
    expect(report.log?.freeKiB).toBeGreaterThan(0);
    expect(report.shm?.totalKiB).toBeGreaterThan(0);
    expect(report.command?.found).toMatch(/\/sh$/);
    expect(report.tools.has('setsid')).toBe(true);
  });

  it('tells what is missing', async () => {
    const report = await look(
      'cwd:/no/such',
      'command:no-such-program',
      'model:target:/no/model',
      'model:draft:org/none',
    );
    expect(report).toMatchObject({ cwd: { kind: 'missing' }, command: { found: '' } });
    expect(report.models.target?.kind).toBe('missing');
    expect(report.models.draft?.kind).toBe('hub');
    expect(report.hubRoom?.freeKiB).toBeGreaterThan(0);
  });

  it('reads the answers of nvidia-smi, its error text too', async () => {
    tool(
      'nvidia-smi',
      'case $1 in *query-gpu*) echo "0, GPU-a, NVIDIA H200, 143771, 500, 550.1" ;; *) echo "$PPID, GPU-a, 11" ;; esac',
    );
    const good = await look();
    expect(good.gpus).toMatchObject({
      status: 'ok',
      driver: '550.1',
      cards: [{ index: 0, totalMiB: 143771 }],
    });
    expect(good.apps).toHaveLength(1);
    tool('nvidia-smi', 'echo "Failed to initialize NVML: Driver/library version mismatch"; exit 18');
    const bad = await look();
    expect(bad.gpus).toMatchObject({
      status: 'failed',
      code: 18,
      reason: expect.stringMatching(/version mismatch/),
    });
  });

  it('waits neither for a driver nor for a disk that hangs', async () => {
    tool('nvidia-smi', 'exec sleep 60');
    // Whoever opens it waits for a writer that never comes, as for a server that is gone.
    mkdirSync(join(folder, 'model'));
    spawnSync('mkfifo', [join(folder, 'model/config.json')]);
    const started = performance.now();
    const report = await look(`model:target:${folder}/model`, 'command:sh');
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(report.gpus.status).not.toBe('ok');
    expect(report.models.target?.config ?? null).toBe(null);
    expect(report.command?.found).not.toBe('');
    expect(report.cwd?.kind).toBe('folder');
  });

  it('names who listens on a port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { listeners, processes } = await look(`port:${port}`);
    server.close();
    expect(listeners).toEqual([expect.objectContaining({ port, pid: process.pid })]);
    expect(processes.get(process.pid)?.argv.length).toBeGreaterThan(0);
  });

  it('finds package, class and model without importing anything', async () => {
    write('venv/bin/python', '', 0o755);
    const engine = write('venv/bin/sglang', `#!${folder}/venv/bin/python\n`, 0o755).replace(folder, '');
    const site = 'venv/lib/python3.12/site-packages';
    write(`${site}/sglang-0.5.9.dist-info/METADATA`, '');
    write(`${site}/sglang/srt/models/base.py`, 'class Base(nn.Module):\n    def hook(self):\n        pass\n');
    write(
      `${site}/sglang/srt/models/wrap.py`,
      'class Wrap(\n    nn.Module,  # a comment\n):\n    def forward(self):\n        pass\n\n\ndef hook(self):\n    pass\n\n\nclass Heir(Base, Other[int]):\n    pass\n',
    );
    const items = [
      `command:.${engine}`,
      `cwd:${folder}`,
      'package:sglang',
      'hook:hook:srt/models',
      'model:target:m',
    ];
    for (const [name, verdict] of [
      ['Wrap', 'lacks'],
      ['Heir', 'has'],
      ['Nobody', 'unknown'],
    ]) {
      write(
        'm/config.json',
        JSON.stringify({ architectures: [name], text: 'ä'.repeat(3000), max_position_embeddings: 7 }),
      );
      write('m/model-00001-of-00002.safetensors', 'x'.repeat(1000));
      const report = await look(...items);
      expect(report.package).toMatchObject({ version: '0.5.9' });
      expect(report.hook).toMatchObject({ className: name, verdict });
      expect(report.models.target).toMatchObject({
        kind: 'folder',
        config: { max_position_embeddings: 7, text: 'ä'.repeat(3000) },
        weightBytes: 1000,
        shards: 1,
        shardsPromised: 2,
      });
    }
  });

  it('finds a model in the cache of the hub, and says of tokens only that there is one', async () => {
    write('hf/hub/models--org--name/snapshots/abc/config.json', '{"a":1}');
    write('hf/token', 'hf_verysecret');
    const report = await look(`env:HF_HOME=${folder}/hf`, 'model:target:org/name');
    expect(report.models.target).toMatchObject({ kind: 'cached', config: { a: 1 } });
    expect(report.hasToken).toBe(true);
    expect(JSON.stringify(report)).not.toContain('verysecret');
  });

  it('finds a file or a quantisation of a repository, and what a download folder holds', async () => {
    write('hf/hub/models--org--quants/snapshots/abc/a-Q4.gguf', 'x');
    write('own/models--org--name/snapshots/abc/config.json', '{}');
    const kind = async (...items: readonly string[]) =>
      (await look(`env:HF_HOME=${folder}/hf`, ...items)).models.target?.kind;
    expect(await kind('model:target:org/quants:Q4_K_M')).toBe('cached');
    expect(await kind('model:target:org/quants/a-Q4.gguf')).toBe('cached');
    expect(await kind('model:target:org/none:Q4_K_M')).toBe('hub');
    expect(await kind('model:target:some/path/of/file.gguf')).toBe('missing');
    expect(await kind('model:target:org/name')).toBe('hub');
    expect(await kind('model:target:org/name', 'download:own', `cwd:${folder}`)).toBe('cached');
  });

  it('asks the profile of the login shell where the line is one for it', async () => {
    write(
      'home/.bash_profile',
      `echo hello\nexport HF_HOME='${folder}/hf' CUDA_VISIBLE_DEVICES=4,5 HF_TOKEN=hf_secret\n`,
    );
    write('hf/hub/models--org--name/snapshots/abc/config.json', '{}');
    const home = process.env.HOME;
    process.env.HOME = join(folder, 'home');
    try {
      const report = await look('login:yes', 'model:target:org/name');
      expect(report.env).toMatchObject({ CUDA_VISIBLE_DEVICES: '4,5' });
      expect(report.models.target?.kind).toBe('cached');
      expect(report.hasToken).toBe(true);
      expect(JSON.stringify(report)).not.toContain('hf_secret');
      expect((await look('model:target:org/name')).models.target?.kind).toBe('hub');
    } finally {
      process.env.HOME = home;
    }
  });

  it('tells a listener on IPv6 alone from one on both', async () => {
    const listen = async (ipv6Only: boolean): Promise<string | undefined> => {
      const server = createServer().listen({ port: 0, host: '::', ipv6Only });
      await new Promise((resolve) => server.once('listening', resolve));
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      const { listeners } = await look(`port:${port}`);
      server.close();
      return listeners[0]?.addressHex;
    };
    expect(await listen(false)).toMatch(/^0{32}$/);
    if (spawnSync('ss', ['-V']).status === 0) expect(await listen(true)).toBe('v6only');
  });

  it('sees a full disk, by what df says', async () => {
    tool(
      'df',
      'echo "Filesystem 1024-blocks Used Available Capacity Mounted on"; echo "a b 1000 1000 0 100% /x y"',
    );
    expect((await look()).log).toMatchObject({ freeKiB: 0, totalKiB: 1000 });
  });
});

describe.skipIf(!available('procfs'))('a look at the host', () => {
  it('goes on as long as a slow one does, and no longer', async () => {
    const local = localHost();
    const said = ['begin .cwd', 'cwd .folder ./', 'end .cwd', 'begin .ports', 'end .ports'];
    const slowly = `printf '\\n=firedup=\\n'; for line in ${said.map((line) => `'${line}'`).join(' ')}; do sleep 0.8; echo "$line"; done; echo 'begin .gpus'; exec sleep 60`;
    try {
      const report = await lookAtHost({ ...local, exec: () => local.exec(slowly) }, []);
      expect(report.unanswered).toEqual(['gpus']);
    } finally {
      await local.close();
    }
  });

  it('ends at its deadline where not even a kill helps, and leaves nothing behind', async () => {
    const place = mkdtempSync(join(tmpdir(), 'firedup look-'));
    // Without a `timeout` nothing bounds the calls themselves.
    writeFileSync(join(place, 'timeout'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    // No other run of this test waits just as long.
    const sleep = `sleep 61.${process.pid}`;
    writeFileSync(join(place, 'nvidia-smi'), `#!/bin/sh\nexec ${sleep}\n`, { mode: 0o755 });
    process.env.PATH = `${place}:${path}`;
    const host = localHost();
    try {
      const started = performance.now();
      const report = await lookAtHost(host, []);
      expect(performance.now() - started).toBeLessThan(20_000);
      expect(report.unanswered).toEqual(expect.arrayContaining(['gpus']));
      const left = (): boolean =>
        pids().some((pid) => commandLineOf(pid).replaceAll('\0', ' ').includes(sleep));
      await expect.poll(left).toBe(false);
    } finally {
      process.env.PATH = path;
      await host.close();
      spawnSync('rm', ['-rf', place]);
    }
  });
});
