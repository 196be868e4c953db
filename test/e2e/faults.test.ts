import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { firedup, stopPrograms } from '../support/program.js';

afterAll(stopPrograms);

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Loaded before the program: fails inside it, once it is ready for that, as a bug of ours would. */
const bug = (code: string): string => {
  const when = `const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') === 0) return;
    clearInterval(timer);
    ${code}
  }, 20);`;
  return `data:text/javascript,${encodeURIComponent(when)}`;
};

describe('a fault of firedup itself', () => {
  it.each([
    ['an exception in a timer', "throw new TypeError('a bug');"],
    ['a rejection that nobody handles', "void Promise.reject(new TypeError('a bug'));"],
  ])('ends with 70, never with 1: %s', async (_name, code) => {
    const program = firedup(['wait', 'local', '--log', '/nonexistent/server.log'], {
      nodeOptions: ['--import', bug(code)],
    });
    expect(await program.ended()).toBe(70);
    expect(program.stderr()).toContain('internal fault');
    expect(program.stderr()).toContain('TypeError: a bug');
  });
});

describe('a reader that leaves', () => {
  it('is no verdict: 130, never 0', () => {
    const command = `"${process.execPath}" bin/firedup.js demo --headless --scenario ready --speed 30`;
    const shell = ['-c', `${command} | head -n 1 >/dev/null; echo "\${PIPESTATUS[0]}"`];
    expect(execFileSync('bash', shell, { encoding: 'utf8', cwd: root }).trim()).toBe('130');
  });
});

describe('a fault of the user', () => {
  it.each([
    [['wait'], /wait needs HOST\|TARGET\.\n {2}HOST\|TARGET is /],
    [['bogus'], /There is no command bogus\.\n {2}firedup --help/],
    [['wait', 'local', '--log', 'x', '--timeout', 'soon'], /--timeout takes a duration/],
    [['launch', 'local', '--env', '1=2', '--', 'true'], /--env takes NAME=VALUE/],
    [['triage', '/nonexistent.log'], /There is no file/],
    [['triage', '/tmp'], /is a folder/],
    [['kill', 'local', '--read-only', '--yes'], /--read-only/],
    [['demo', '--scenario', 'bogus'], /There is no scenario bogus\.\n {2}There are: /],
  ])('ends with 2, one sentence and no stack: %j', async (args, message) => {
    const program = firedup(args);
    expect(await program.ended()).toBe(2);
    expect(program.stderr()).toMatch(message);
    expect(program.stderr()).toMatch(/^firedup: .*\.\n(?: {2}.*\n)?$/);
  });

  it('ends with 5 where the host cannot be reached', async () => {
    const program = firedup(['wait', 'nobody@127.0.0.1:1', '--log', '/x']);
    expect(await program.ended()).toBe(5);
    expect(program.stderr()).toContain('127.0.0.1');
  });
});
