import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available, pathOf } from '../support/available.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';

const shells = ['bash', 'dash', 'zsh', 'fish', 'tcsh'] as const;
const rcFiles: Readonly<Record<string, string>> = {
  bash: '.bashrc',
  zsh: '.zshenv',
  fish: '.config/fish/config.fish',
  tcsh: '.tcshrc',
};

/** Tells what it was given, then comes up at once. */
const server = `
  const [file, ...words] = process.argv.slice(1);
  require('node:fs').writeFileSync(file, JSON.stringify({ words, env: process.env.WORDS, cwd: process.cwd() }));
  const stamp = new Date().toISOString().replace('T', ' ').slice(0, 19);
  console.error('[' + stamp + "] server_args=ServerArgs(model_path='/models/demo', tp_size=1, port=30000)");
  console.error('[' + stamp + '] The server is fired up and ready to roll!');
  setInterval(() => {}, 1000);`;

// Whole commands of the built program, through every login shell with an rc file that talks, with words that would do
// something if any shell on the way took them for its own.
describe('words that a shell would obey', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-words-'));
  });
  afterAll(async () => {
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  const evil = (mark: string) =>
    `-it's "a" $(touch ${mark}) \`touch ${mark}\`; touch ${mark} & | > !! !$ %s \\ * ~ \${HOME} #\nä\u001b[2J`;

  describe('through a login shell', () => {
    it.skipIf(!available('sshd', 'ssh', 'ssh-keygen', 'procfs', ...shells)).concurrent.for(shells)(
      'are data by %s: in command, env, folder and log of launch, wait, dump, tail, triage and kill',
      async (shell, { onTestFinished }) => {
        const path = pathOf(shell) ?? shell;
        const sshd = await startSshd({
          config: [`ForceCommand exec env SHELL=${path} ${path} -c "$SSH_ORIGINAL_COMMAND"`],
        });
        onTestFinished(() => sshd.stop());
        talk(sshd, shell);
        const mark = join(folder, `mark-${shell}`);
        // A name of a file holds no slash.
        const word = evil(`mark-${shell}`);
        const cwd = join(folder, `${shell} ${word}`.slice(0, 200));
        mkdirSync(cwd);
        const log = join(cwd, word);
        const told = join(folder, `told-${shell}.json`);
        const words = [evil(mark), '', '-n', '--', "'", '$0', 'a\nb\n'];
        const on = (command: string, ...args: readonly string[]) =>
          firedup([command, sshd.label, '-F', sshd.sshConfig(), ...args]);

        const launched = on(
          'launch',
          ...['--name', 'evil', `--log=${log}`, '--cwd', cwd, '--env', `WORDS=${evil(mark)}`],
          ...['--no-preflight', '--', process.execPath, '-e', server, '--', told, ...words],
        );
        expect([await launched.ended(), launched.stderr()]).toEqual([0, '']);
        expect(JSON.parse(readFileSync(told, 'utf8'))).toEqual({ words, env: evil(mark), cwd });

        const waited = on('wait', `--log=${log}`);
        expect(await waited.ended()).toBe(0);
        const programs = [launched, waited];
        // Nothing new for shells whose quotes are those of sh.
        if (shell === 'fish' || shell === 'tcsh') programs.push(...(await readBy(sshd, log)));
        const killed = on('kill', '--name', 'evil', '--yes', '--grace', '1s');
        expect(await killed.ended()).toBe(0);
        for (const { lines, stderr } of [...programs, killed]) {
          expect(lines.map(({ text }) => text).join('\n') + stderr()).not.toContain('\u001b[2J');
        }
        for (const place of [folder, sshd.home, cwd, process.cwd()])
          expect(existsSync(join(place, `mark-${shell}`))).toBe(false);
        expect(existsSync(mark)).toBe(false);
      },
    );
  });

  it.skipIf(!available('sshd', 'ssh', 'ssh-keygen'))(
    'are data in a log beside the home folder, too',
    async () => {
      const sshd = await startSshd();
      try {
        const name = `-n $(touch ${folder}/mark)`;
        writeFileSync(join(sshd.home, name.replaceAll('/', '_')), 'one\n');
        const words = ['-F', sshd.sshConfig(), `--log=~/${name.replaceAll('/', '_')}`, '-n', '+1'];
        const tail = firedup(['tail', sshd.label, ...words]);
        await tail.waitFor(/^one$/);
        tail.signal('SIGINT');
        await tail.ended();
        expect(existsSync(join(folder, 'mark'))).toBe(false);
      } finally {
        await sshd.stop();
      }
    },
  );

  it.each([
    '-oProxyCommand=touch MARK',
    'me@-oProxyCommand=touch MARK',
    'host\n-oProxyCommand=touch MARK',
    '$(touch MARK)',
  ])('are no host: %j', async (label) => {
    const mark = join(folder, 'mark-host');
    const host = label.replace('MARK', mark);
    const wordings = [
      ['wait', '--log', '/x', '--', host],
      ['wait', '127.0.0.1', '--log', '/x', '-J', host],
      ['wait', '--transport', 'ssh', '--log', '/x', '--', host],
    ];
    await Promise.all(
      wordings.map(async (words) => {
        const program = firedup(words);
        expect(await program.ended()).toBe(2);
        expect(program.stderr()).toMatch(/not a valid (host|user) name/);
      }),
    );
    expect(existsSync(mark)).toBe(false);
  });
});

/** An rc file that prints, without an end of line. */
function talk(sshd: Sshd, shell: string): void {
  const rc = rcFiles[shell];
  if (rc === undefined) return;
  mkdirSync(dirname(join(sshd.home, rc)), { recursive: true });
  writeFileSync(join(sshd.home, rc), 'printf "welcome # to the box"\n');
}

/** The commands that read a log, run on `log`. */
async function readBy(sshd: Sshd, log: string): Promise<readonly Program[]> {
  const config = ['-F', sshd.sshConfig()];
  const dumped = firedup(['dump', sshd.label, ...config, `--log=${log}`, '-n', '1']);
  const tailed = firedup(['tail', sshd.label, ...config, `--log=${log}`, '-n', '1']);
  const triaged = firedup(['triage', `${sshd.label}:${log}`, ...config, '--json']);
  expect(await dumped.ended()).toBe(0);
  expect(dumped.lines.map(({ text }) => text).join()).toMatch(/ready to roll!$/);
  await tailed.waitFor(/ready to roll!$/);
  tailed.signal('SIGINT');
  await triaged.ended();
  expect(JSON.parse(triaged.lines.at(-1)?.text ?? '')).toMatchObject({ outcome: 'ready' });
  return [dumped, tailed];
}
