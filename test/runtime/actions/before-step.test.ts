import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectHost } from '../../../src/host/connect.js';
import type { Host } from '../../../src/host/host.js';
import { noPrompts } from '../../../src/host/prompts.js';
import { runBefore } from '../../../src/runtime/actions/before.js';
import { interpreterOf, readBeforeStep, stepOfScript } from '../../../src/runtime/actions/before-step.js';
import { available } from '../../support/available.js';

let folder: string;
let host: Host;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firedup-step-'));
  host = await connectHost({ label: 'local' }, { prompts: noPrompts });
});

afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script of this text, and returns how it went. */
const send = (text: string | Buffer, env: Readonly<Record<string, string>> = {}) => {
  const path = join(folder, 'script');
  writeFileSync(path, text);
  return runBefore(host, stepOfScript(path), { cwd: folder, env: { TMPDIR: folder, ...env } });
};

describe('a script that is sent', () => {
  it('runs in the folder and with the variables of the server, byte by byte as it is', async () => {
    const text = `cat <<'EOF'\n$HOME \`id\` 'q' "d" \\n\\\nEOF\nprintf '%s\\n' "$WORD" ü '\t'; pwd`;
    const { code, output } = await send(text, { WORD: `it's "here"` });
    expect(code).toBe(0);
    expect(output).toBe(`$HOME \`id\` 'q' "d" \\n\\\nit's "here"\nü\n\t\n${folder}\n`);
  });

  it('is run by what its first line names, with the one argument that may stand there', async () => {
    expect(interpreterOf('#!/usr/bin/env python3 -u\nx')).toEqual(['/usr/bin/env', 'python3 -u']);
    expect(interpreterOf('#! /bin/sh\n')).toEqual(['/bin/sh']);
    expect(interpreterOf('echo')).toEqual(['bash']);
    expect((await send('#!/bin/sh -e\nfalse\necho on\n')).code).toBe(1);
    const { output } = await send('#!/usr/bin/env node\nconsole.log(process.argv.length)\n');
    expect(output).toBe('2\n');
  });

  it.skipIf(!available('bash'))('is run by bash where its first line names nothing', async () => {
    expect((await send('read -ra words <<<"x y"; echo "$words"')).output).toBe('x\n');
  });

  it('gives back its status, reads nothing of what follows, and leaves no file behind', async () => {
    const { code, output } = await send('cat; exit 7');
    expect({ code, output }).toEqual({ code: 7, output: '' });
    expect(readdirSync(folder)).toEqual(['script']);
  });

  it('is kept where nobody else can read it, and writes files that others can read as ever', async () => {
    const { output } = await send('#!/bin/sh\nstat -c %a "$0"; umask');
    expect(output.split('\n').slice(0, 2)).toEqual(['600', process.umask().toString(8).padStart(4, '0')]);
  });

  it('that is not there, a folder, or no text is refused', async () => {
    await expect(readBeforeStep(`@${folder}/none`)).rejects.toMatchObject({ exitCode: 2 });
    await expect(readBeforeStep(`@${folder}`)).rejects.toMatchObject({ exitCode: 2 });
    await expect(send(Buffer.from([0x7f, 0x45, 0, 1]))).rejects.toThrow(/is no script/);
    expect(await readBeforeStep('echo @x')).toEqual({ kind: 'line', line: 'echo @x' });
  });
});
