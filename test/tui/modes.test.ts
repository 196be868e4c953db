import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { compileProgram } from '../support/compile.js';
import { underScript } from '../support/under-script.js';

/** The screen on a terminal that `script` makes, with every byte that it writes. */
describe.skipIf(!available('script', 'procfs'))('the modes of the terminal', () => {
  let program: ReturnType<typeof compileProgram>;

  beforeAll(() => {
    program = compileProgram('test/tui/program.ts');
  });
  afterAll(() => program.remove());

  interface Run {
    readonly written: () => string;
    readonly pid: number;
    press(keys: string): void;
    waitFor(pattern: RegExp): Promise<void>;
    readonly ended: Promise<void>;
  }

  async function run(args: string, env: NodeJS.ProcessEnv = {}): Promise<Run> {
    const words = [process.execPath, program.path, ...args.split(' ')];
    const { child, ended, pid: pidOf } = underScript(words, [100, 30], env);
    let written = '';
    const waiting = new Set<() => void>();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
      for (const look of waiting) look();
    });
    const waitFor = (pattern: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          clearTimeout(limit);
          waiting.delete(look);
        };
        const look = (): void => {
          if (!pattern.test(written)) return;
          done();
          resolve();
        };
        const limit = setTimeout(() => {
          done();
          reject(new Error(`never ${pattern} in …${JSON.stringify(written.slice(-500))}`));
        }, 60_000);
        waiting.add(look);
        look();
      });
    await waitFor(/ help/);
    const pid = pidOf();
    const press = (keys: string): void => void child.stdin.write(keys);
    return { written: () => written, pid, press, waitFor, ended };
  }

  const withMouse = async (args: string, env?: NodeJS.ProcessEnv): Promise<Run> => {
    const opened = await run(args, env);
    opened.press('m');
    await opened.waitFor(/\u001B\[\?1006h/);
    return opened;
  };

  it.each([
    ['q', (it: Run) => it.press('q')],
    ['Ctrl-C', (it: Run) => it.press('\u0003')],
    ['SIGTERM', (it: Run) => void process.kill(it.pid, 'SIGTERM')],
    ['SIGHUP', (it: Run) => void process.kill(it.pid, 'SIGHUP')],
    ['SIGQUIT', (it: Run) => void process.kill(it.pid, 'SIGQUIT')],
  ])('are all given back after %s', async (_, leave) => {
    const screen = await withMouse('loading');
    leave(screen);
    await screen.ended;
    expect(modesLeft(screen.written())).toEqual([]);
    expect(titlesLeft(screen.written())).toBe(0);
  });

  it.each(['throw-render', 'throw-timer', 'reject', 'exit'])('are all given back after %s', async (mode) => {
    const screen = await run(`loading ${mode}`);
    process.kill(screen.pid, 'SIGUSR2');
    await screen.ended;
    expect(modesLeft(screen.written())).toEqual([]);
    expect(titlesLeft(screen.written())).toBe(0);
  });

  it.each(['linux', 'dumb'])('hold no title with TERM=%s', async (TERM) => {
    const screen = await run('loading', { TERM });
    screen.press('q');
    await screen.ended;
    expect(screen.written().match(/\u001B\].{0,20}|\u001B\[2[23];0t/)).toBeNull();
    expect(modesLeft(screen.written())).toEqual([]);
  });

  it('clear the screen once, however often it is drawn', async () => {
    const screen = await run('loading busy');
    screen.press('?');
    await screen.waitFor(/[\s\S]*Keys/);
    screen.press('q\u000C');
    await screen.waitFor(/line \d\d\d5 of a busy log/);
    screen.press('q');
    await screen.ended;
    expect(screen.written().match(/\u001B\[[23]?J|\u001Bc/g)).toHaveLength(1);
  });
});

/** Private modes that differ at the end from what a terminal begins with. */
function modesLeft(written: string): readonly string[] {
  const begins: Readonly<Record<string, boolean>> = { 7: true, 25: true };
  const now = new Map<string, boolean>();
  const saved = new Map<string, boolean>();
  for (const [, mode = '', what] of written.matchAll(/\u001B\[\?(\d+)([hlsr])/g)) {
    const current = now.get(mode) ?? begins[mode] ?? false;
    if (what === 's') saved.set(mode, current);
    else if (what === 'r') now.set(mode, saved.get(mode) ?? begins[mode] ?? false);
    else now.set(mode, what === 'h');
  }
  return [...now].filter(([mode, on]) => on !== (begins[mode] ?? false)).map(([mode]) => mode);
}

/** Titles put by that were not taken back. */
const titlesLeft = (written: string): number =>
  (written.match(/\u001B\[22;0t/g)?.length ?? 0) - (written.match(/\u001B\[23;0t/g)?.length ?? 0);
