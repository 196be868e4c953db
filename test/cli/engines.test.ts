import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { firedup, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';
import { run } from './run-program.js';

const root = mkdtempSync(join(tmpdir(), 'firedup-engines-'));
let cwd = root;

beforeEach(() => {
  cwd = mkdtempSync(join(root, 'case-'));
});

afterAll(async () => {
  await stopPrograms();
  rmSync(root, { recursive: true, force: true });
});

const lesson = `engines:
  sglang:
    failures:
      - id: fabric-manager-down
        when: 'system not yet initialized'
        title: Start the fabric manager
        why: The NVSwitch needs it.
        change: { env: { NCCL_NVLS_ENABLE: '0' } }
`;

const log = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=2)",
  '[2026-03-01 12:00:02 TP0] Load weight begin. avail mem=140.00 GB',
  '[2026-03-01 12:00:03 TP1] ERROR: odd thing 17 of request 0af3 with token=hf_abcdefghijklmnopqrstuvwxyz012345',
  '[2026-03-01 12:00:04 TP0] ERROR: odd thing 18 of request 77bc with token=hf_abcdefghijklmnopqrstuvwxyz012345',
  '[2026-03-01 12:00:09 TP0] Scheduler hit an exception: Traceback (most recent call last):',
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  'RuntimeError: system not yet initialized',
  '',
].join('\n');

const write = (name: string, text: string | Buffer): void => writeFileSync(join(cwd, name), text);

describe('firedup engines', () => {
  it('lists them with their versions and the number of their rules', async () => {
    const { code, out } = await run(['engines'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^ENGINE +NAME +RULES +FAILURES +VERSIONS$/m);
    expect(out).toMatch(/^sglang +SGLang +\d{2,} +\d{2,} +0\.3 – 0\.5/m);
    for (const name of ['vllm', 'llama.cpp', 'trtllm', 'tgi', 'lmdeploy', 'ollama', 'python'])
      expect(out).toMatch(new RegExp(`^${name} `, 'm'));
  });

  it('lists the user’s own beside them', async () => {
    write('firedup.yaml', `${lesson}  acme: { detect: ['acme starts'] }\n`);
    const { out } = await run(['engines', '--json'], { cwd });
    const { engines } = JSON.parse(out);
    expect(engines.map(({ id, ownRules }: { id: string; ownRules: number }) => [id, ownRules])).toEqual(
      expect.arrayContaining([
        ['sglang', 1],
        ['vllm', 0],
        ['acme', 1],
      ]),
    );
  });

  it('shows one: phases, ready and dying lines, failures with their remedies', async () => {
    const { out, code } = await run(['engines', 'show', 'vllm'], { cwd });
    expect(code).toBe(0);
    for (const words of ['Phases', 'Load weights', 'Ready', 'Dying', 'Failures', 'An HTTP 200 from /'])
      expect(out).toContain(words);
    write('firedup.yaml', lesson);
    expect((await run(['engines', 'show', 'sglang'], { cwd })).out).toMatch(/fabric-manager-down +Start the/);
    const { failures } = JSON.parse((await run(['engines', 'show', 'sglang', '--json'], { cwd })).out);
    expect(failures[0].category).toBe('fabric-manager-down');
  });

  it('knows no other, and says which there are', async () => {
    for (const args of [
      ['engines', 'show', 'vlm'],
      ['triage', 'a.log', '--engine', 'vlm'],
      ['engines', 'check', 'a.log', '--engine', 'vlm'],
      ['wait', 'local', '--log', '/x', '--engine', 'vlm'],
    ]) {
      write('a.log', log);
      const { code, err } = await run(args, { cwd });
      expect(err).toMatch(/There is no engine vlm \(did you mean vllm\?\)\.\n {2}Engines: sglang, vllm/);
      expect(code).toBe(2);
    }
  });
});

describe('firedup engines check', () => {
  it('shows which rule met which lines, and folds what none explains', async () => {
    write('a.log', log);
    const { code, out } = await run(['engines', 'check', 'a.log'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^phases +weights +1 +2 +Load weight/m);
    expect(out).toMatch(/^death +1 +5 /m);
    const [, unexplained = ''] = out.split('Error-like lines that no rule explains');
    expect(unexplained).toMatch(/^2 +3, 4 +\[2026-03-01 12:00:03 TP1\] ERROR: odd thing 17/m);
    expect(unexplained).toMatch(/^1 +7 +RuntimeError: system not yet initialized$/m);
    expect(out).not.toContain('hf_abcdef');
  });

  it('shows the lesson that was learned, from standard input and as JSON too', async () => {
    write('firedup.yaml', `${lesson}    benign: ['odd thing']\n`);
    const { out } = await run(['engines', 'check', '-'], { cwd, stdin: log });
    expect(out).toMatch(/^failures \(yours\) +fabric-manager-down +1 +7 +system not yet initialized$/m);
    expect(out).toContain('Every error-like line is explained.');
    const json = JSON.parse((await run(['engines', 'check', '--json'], { cwd, stdin: log })).out);
    expect(json).toMatchObject({ engine: 'sglang', lines: 7, unexplained: [] });
    expect(json.rules).toContainEqual(
      expect.objectContaining({ section: 'benign', isOwn: true, count: 2, first: [3, 4], last: 4 }),
    );
  });

  it('refuses what is no log', async () => {
    write('a.bin', Buffer.from('\x7fELF\x02\x01'));
    expect(await run(['engines', 'check', 'a.bin'], { cwd })).toMatchObject({ code: 2, out: '' });
    expect(await run(['engines', 'check'], { cwd })).toMatchObject({ code: 2, out: '' });
  });
});

describe('the user’s config', () => {
  it('is in force in triage', async () => {
    write('a.log', log);
    write('firedup.yaml', lesson);
    const { out } = await run(['triage', 'a.log', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({
      rootCause: { category: 'fabric-manager-down', lineNumber: 7 },
      remedies: [{ id: 'fabric-manager-down', change: { env: { NCCL_NVLS_ENABLE: '0' } } }],
    });
  });

  it('is that of the folder, else that of the user, else the one given', async () => {
    const categoryWith = async (args: readonly string[]): Promise<string> => {
      const env = { XDG_CONFIG_HOME: join(cwd, 'xdg') };
      const { out } = await run(['triage', 'a.log', '--json', ...args], { cwd, env });
      return JSON.parse(out).rootCause.category;
    };
    write('a.log', log);
    const named = (id: string): string => lesson.replace('fabric-manager-down', id);
    mkdirSync(join(cwd, 'xdg/firedup'), { recursive: true });
    write('xdg/firedup/config.yaml', named('of-the-user'));
    expect(await categoryWith([])).toBe('of-the-user');
    write('firedup.yaml', named('of-the-folder'));
    expect(await categoryWith([])).toBe('of-the-folder');
    write('given.yaml', named('given'));
    expect(await categoryWith(['--config', 'given.yaml'])).toBe('given');
  });

  it('ends every command that reads logs with 2 where it is wrong: file, line, column, and what was meant', async () => {
    write('a.log', log);
    write('firedup.yaml', lesson.replace('title:', 'titel:'));
    for (const args of [
      ['triage', 'a.log'],
      ['engines'],
      ['engines', 'check', 'a.log'],
      ['wait', 'local', '--log', 'a.log'],
      ['watch', 'local', '--log', 'a.log'],
      ['launch', 'local', '--name', 'never', '--', 'true'],
      ['relaunch', 'local', '--name', 'never', '--yes'],
    ]) {
      const { code, out, err } = await run(args, { cwd, env: { XDG_STATE_HOME: join(cwd, 'state') } });
      expect(err).toContain(
        'firedup.yaml:6:9: engines.sglang.failures[0] has no key titel (did you mean title?); it may have id, when,',
      );
      expect({ code, out }).toEqual({ code: 2, out: '' });
    }
  });

  it('may add an engine, which --engine takes too', async () => {
    write('firedup.yaml', "engines: { acme: { detect: ['acme starts'], ready: ['acme is up'] } }\n");
    write('acme.log', 'acme starts\nacme is up\n');
    write('bare.log', 'acme is up\n');
    const detected = await run(['triage', 'acme.log', '--json'], { cwd });
    expect(JSON.parse(detected.out)).toMatchObject({ engine: 'acme', outcome: 'ready' });
    const named = await run(['triage', 'bare.log', '--engine', 'acme', '--json'], { cwd });
    expect(JSON.parse(named.out)).toMatchObject({ engine: 'acme', outcome: 'ready' });
  });

  it.skipIf(!available('procfs'))('is in force in the live view', async () => {
    write('firedup.yaml', "engines: { acme: { detect: ['acme starts'], death: ['acme gives up'] } }\n");
    write('live.log', 'acme starts\nacme gives up\n');
    const config = ['--config', join(cwd, 'firedup.yaml')];
    const program = firedup(['wait', 'local', '--log', join(cwd, 'live.log'), '--json', ...config]);
    expect(await program.ended()).toBe(1);
    expect(program.lines.map(({ text }) => text).join('\n')).toContain('"engine":"acme"');
  });

  it('costs nothing where there is none: neither its parser nor its schema is loaded', async () => {
    write('a.log', log);
    // Says on stderr which packages are in the files that are loaded, as their source maps know.
    const hook = [
      "import { existsSync, readFileSync, writeSync } from 'node:fs';",
      "import { fileURLToPath } from 'node:url';",
      'export const load = (url, context, next) => {',
      '  const map = url.startsWith("file:") ? fileURLToPath(url) + ".map" : "";',
      '  const { sources } = existsSync(map) ? JSON.parse(readFileSync(map, "utf8")) : { sources: [url] };',
      '  for (const source of sources) {',
      '    const name = /\\/node_modules\\/([^/]+)/.exec(source)?.[1];',
      '    if (name) writeSync(2, "loads " + name + "\\n");',
      '  }',
      '  return next(url, context);',
      '};',
    ].join('\n');
    write('hook.mjs', hook);
    write('register.mjs', "import { register } from 'node:module'; register('./hook.mjs', import.meta.url);");
    const env = { NODE_OPTIONS: `--import=${join(cwd, 'register.mjs')}` };
    const { err } = await run(['triage', 'a.log'], { cwd, env });
    expect(err).toContain('loads commander');
    expect(err).not.toMatch(/loads (?:zod|yaml|ssh2|react|ink)/);
    write('firedup.yaml', lesson);
    const withConfig = await run(['triage', 'a.log'], { cwd, env });
    expect(withConfig.err).toMatch(/loads zod/);
    expect(withConfig.err).toMatch(/loads yaml/);
  });
});

describe.skipIf(!available('sshd', 'ssh-keygen'))('a log on another host', () => {
  let sshd: Sshd;

  beforeAll(async () => {
    sshd = await startSshd();
  });

  afterAll(() => sshd.stop());

  it('is judged by the same rules, packed or not; what cannot be read there is said', async () => {
    write('firedup.yaml', lesson);
    write('far.log.gz', gzipSync(log));
    write('far.log', log);
    write('far.bin', Buffer.from('\x7fELF\x02\x01'));
    write('empty.log', '');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const ssh = ['-F', sshd.sshConfig('Host box', '  HostName 127.0.0.1')];
    for (const name of ['far.log', 'far.log.gz']) {
      const { out, err } = await run(['triage', `box:${join(cwd, name)}`, '--json', ...ssh], { cwd });
      expect(JSON.parse(out || err).rootCause.category).toBe('fabric-manager-down');
    }
    const check = await run(['engines', 'check', `box:${join(cwd, 'far.log')}`, ...ssh], { cwd });
    expect(check.out).toContain('fabric-manager-down');
    const failures: readonly (readonly [string, number, RegExp])[] = [
      ['far.bin', 2, /box:.*far\.bin is no text: a program/],
      ['empty.log', 4, /box:.*empty\.log is empty/],
      ['none.log', 2, /^firedup: There is no file \S+none\.log on box\.\n {2}A path without/],
      ['.', 2, /^firedup: \S+ on box is a folder, not a log\.\n {2}Name the log/],
      ['pipe', 2, /^firedup: \S+pipe on box cannot be read: it is a named pipe\.$/m],
    ];
    for (const [name, code, message] of failures) {
      const ran = await run(['triage', `box:${cwd}/${name}`, ...ssh], { cwd });
      expect(ran.err).toMatch(message);
      expect(ran.code).toBe(code);
    }
  });
});
