import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { act } from './act.js';
import { shells } from './shells.js';

describe.each(shells)('the size of a model, by $name', ({ command: shell }) => {
  let folder: string;
  let server: ReturnType<typeof spawn>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'model size '));
    weights('models/plain', {
      'model-00001-of-00002.safetensors': 3000,
      'model-00002-of-00002.safetensors': 500,
    });
    weights('models/indexed', { 'model-00001-of-00001.safetensors': 10 });
    writeFileSync(
      join(folder, 'models/indexed/model.safetensors.index.json'),
      '{\n  "metadata": {\n    "total_size": 547000000000\n  }\n}\n',
    );
    weights('models/empty', {});
    weights('hub/models--acme--demo-7b/snapshots/0123abcd', { 'model.safetensors': 77, 'config.json': 2 });
    weights('.', { 'demo.gguf': 4096 });
    const env = { PATH: process.env.PATH, HOME: folder, HF_HUB_CACHE: join(folder, 'hub') };
    server = spawn('sleep', ['1000'], { cwd: folder, env });
  });
  afterAll(() => {
    server.kill();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['the files of a folder', () => join(folder, 'models/plain'), ['bytes 3500']],
    ['a folder beside the process', () => 'models/plain', ['bytes 3500']],
    ['what the index states', () => join(folder, 'models/indexed'), ['bytes 547000000000']],
    ['one file', () => join(folder, 'demo.gguf'), ['bytes 4096']],
    ["a repository in the process's own cache", () => 'acme/demo-7b', ['bytes 77']],
    ['nothing for a folder without weights', () => 'models/empty', []],
    ['nothing for a repository that is not there', () => 'acme/other', []],
    ['nothing for a word that is no path', () => "$(touch evil)'; x\n", []],
  ])('says %s', (_, model, lines) => {
    expect(act(shell, 'model-size', [String(server.pid), model()]).lines).toEqual([...lines, 'end']);
  });

  it('looks by itself where the process cannot be read', () => {
    expect(act(shell, 'model-size', ['999999999', join(folder, 'models/plain')]).lines).toEqual([
      'bytes 3500',
      'end',
    ]);
  });

  function weights(name: string, files: Readonly<Record<string, number>>): void {
    mkdirSync(join(folder, name), { recursive: true });
    for (const [file, bytes] of Object.entries(files)) {
      writeFileSync(join(folder, name, file), '');
      truncateSync(join(folder, name, file), bytes);
    }
  }
});
