import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { firedup, type Program, stopPrograms } from '../support/program.js';
import { type Sshd, startSshd } from '../support/sshd.js';

describe.skipIf(!available('sshd', 'ssh', 'procfs'))('doctor and pre-flight on a real OpenSSH host', () => {
  let sshd: Sshd;
  let config: string;
  let folder: string;

  beforeAll(async () => {
    sshd = await startSshd({ config: ['MaxSessions 2'] });
    config = sshd.sshConfig('Host box', '  HostName 127.0.0.1');
    folder = mkdtempSync(join(tmpdir(), 'firedup-doctor-'));
  });
  afterAll(async () => {
    await stopPrograms();
    await sshd?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const on = (command: string, ...args: readonly string[]): Program =>
    firedup([command, 'box', '-F', config, ...args]);
  const text = ({ lines }: Program): string => lines.map((line) => line.text).join('\n');
  const attempts = (name: string): boolean => existsSync(join(sshd.home, '.local/state/firedup', name));

  it('tells of a host in aligned lines without colours, and of its limit of sessions', async () => {
    const program = on('doctor');
    expect(await program.ended()).toBe(0);
    expect(text(program)).toMatch(/^Host\n {2}✓ connection +box \(.+\) as .+, by the ssh2 in here, \d+ ms$/m);
    expect(text(program)).toMatch(/! sessions +MaxSessions is [12] as it seems/);
    expect(text(program)).toMatch(/✓ \/proc +readable/);
    expect(text(program)).toMatch(/\d+ ok.*, in \d+\.\d s$/);
    expect(text(program)).not.toContain('\u001B');
  });

  it('tells of a launch as one line of JSON, with exit code 2 for what is in its way', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const address = listener.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const command = ['sh', '-m', 'x', '--api-key', 'sesame'];
    const program = on('doctor', '--json', '--port', String(port), '--cwd', '/no/such', '--', ...command);
    expect(await program.ended()).toBe(2);
    listener.close();
    expect(program.lines).toHaveLength(1);
    const said = JSON.parse(text(program));
    expect(said).toMatchObject({ type: 'doctor', schema: 1, host: 'box', outcome: 'blocker', servers: [] });
    const level = (id: string) => said.findings.find((finding: { id: string }) => finding.id === id);
    expect(level('cwd')).toMatchObject({ about: 'launch', level: 'blocker', text: 'there is no /no/such' });
    expect(level('port')).toMatchObject({
      level: 'blocker',
      text: expect.stringMatching(`pid ${process.pid}`),
    });
    expect(level('command')).toMatchObject({ level: 'ok' });
    expect(text(program)).not.toContain('sesame');
  });

  it('ends with 5 where there is no host', async () => {
    const program = firedup(['doctor', 'nobody@127.0.0.1:1', '-F', config, '-p', '1']);
    expect(await program.ended()).toBe(5);
  });

  it('refuses a launch with a blocker where nobody can be asked, and starts nothing', async () => {
    const program = on('launch', '--name', 'refused', '--', 'no-such-engine', 'serve');
    expect(await program.ended()).toBe(2);
    expect(program.stderr()).toContain('no-such-engine: not found in PATH');
    expect(program.stderr()).toContain('--no-preflight');
    expect(attempts('refused')).toBe(false);
  });

  it.each(['--no-preflight', '--yes'])('starts it with %s', async (flag) => {
    const name = `forced${flag}`;
    const program = on('launch', '--name', name, flag, '--', 'no-such-engine', 'serve');
    expect(await program.ended()).toBe(1);
    expect(text(program)).toMatch(/exit 127/);
    expect(program.stderr().includes('not found in PATH')).toBe(flag === '--yes');
  });

  it('shows what a server is, and checks anew what was launched under a name', async () => {
    writeFileSync(
      join(folder, 'config.yaml'),
      `targets:\n  gpu:\n    host: box\n    command: [no-such-engine, serve]\n`,
    );
    const again = on('doctor', '--name', 'forced--yes');
    expect(await again.ended()).toBe(2);
    expect(text(again)).toMatch(/✓ server forced--yes +attempt 1 has ended, log /);
    expect(text(again)).toMatch(/✗ command +no-such-engine: not found/);
    const target = firedup(['doctor', 'gpu', '-F', config, '--config', join(folder, 'config.yaml')]);
    expect(await target.ended()).toBe(2);
    expect(text(target)).toMatch(/✗ command +no-such-engine: not found/);
  });
});
