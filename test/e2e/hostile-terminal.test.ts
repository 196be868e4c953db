import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../soak/faults.js';
import { available } from '../support/available.js';
import { hostileLine, hostileName } from '../support/hostile.js';
import { localState, stopPrograms } from '../support/program.js';
import { createTerminal } from '../support/terminal.js';
import { underScript } from '../support/under-script.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

/**
 * The built program on a terminal of its own (`script` lends it one), what it writes looked at by an emulator. In the
 * log, the process names, the path and the HTTP answers stands whatever a terminal could act on.
 */
describe.skipIf(!available('script', 'procfs', 'bash'))('a hostile host', () => {
  let folder: string;
  let web: Server;
  let server: ChildProcess;
  let log: string;
  const random = randomFrom(7);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-hostile-'));
    log = join(folder, `${hostileName(random, 40)}.log`);
    writeFileSync(log, 'up\n');
    web = createServer((_, response) => {
      response.statusCode = 503;
      response.end(Buffer.concat(Array.from({ length: 40 }, () => hostileLine(random))));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    // Its argv[0] and an argument are hostile, too, and it has the log open.
    server = spawn('bash', ['-c', 'exec -a "$1" sleep 600 >>"$0"', log, hostileName(random, 60)], {
      stdio: 'ignore',
      detached: true,
    });
  });
  afterAll(async () => {
    server?.kill('SIGKILL');
    web?.close();
    await stopPrograms();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs it, feeds the log, and returns all that reached the terminal once `enough` is true of its text. */
  async function play(command: string, feed: () => void, keys: readonly string[]): Promise<Buffer> {
    const args = [process.execPath, bin, command, 'local', '--log', log];
    if (command === 'watch') args.push('--port', String((web.address() as AddressInfo).port));
    const { child, bytes, text, ended } = underScript(args, [120, 40], { XDG_STATE_HOME: localState() });
    try {
      await until(() => text().length > 0, 'it has begun');
      feed();
      await until(() => text().includes('LAST-WORD'), `its last line is shown`).catch((error) => {
        throw new Error(`${error}\n${JSON.stringify(text().slice(-3000))}`);
      });
      for (const key of keys) {
        const before = text().length;
        child.stdin.write(key);
        await until(() => text().length > before, `it answers ${JSON.stringify(key)}`);
      }
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      await until(() => isOver, 'it ends');
    } finally {
      child.kill('SIGKILL');
    }
    return bytes();
  }

  function feed(): void {
    for (let n = 0; n < 400; n += 1)
      appendFileSync(log, Buffer.concat([hostileLine(random), Buffer.from('\n')]));
    appendFileSync(log, 'LAST-WORD\n');
  }

  it.each([
    ['watch', ['e', 'm', 'w', '?', '\x1b', 'q']],
    ['tail', ['\x03']],
  ] as const)(
    'gets nothing through %s to the terminal: title, clipboard and modes stay its own',
    async (command, keys) => {
      const all = await play(command, feed, keys);
      const terminal = createTerminal(120, 40);
      const asked: string[] = [];
      terminal.emulator.onData((answer) => asked.push(answer));
      const osc: string[] = [];
      for (const code of [0, 1, 2, 8, 52, 777, 1337]) {
        terminal.emulator.parser.registerOscHandler(code, (data) => {
          osc.push(`${code};${data}`);
          return false;
        });
      }
      const dcs: string[] = [];
      for (const final of ['q', 'p', '|']) {
        terminal.emulator.parser.registerDcsHandler({ intermediates: '+', final }, () =>
          Boolean(dcs.push(final)),
        );
      }
      await new Promise<void>((resolve) => terminal.emulator.write(all, resolve));
      const text = all.toString('utf8');
      expect(osc.filter((data) => /stolen|c3RvbGVu/.test(data))).toEqual([]);
      expect(terminal.title()).not.toMatch(/stolen/);
      expect(dcs).toEqual([]);
      expect(text).not.toMatch(/\x1b\]52;|\x1b\]1337|\x1b\]777|\x1b[P_^k]|\x1bc|[\u0080-\u009f]/);
      // Modes at the end are those of a terminal that nothing has happened to.
      expect(terminal.emulator.modes).toMatchObject({
        bracketedPasteMode: false,
        mouseTrackingMode: 'none',
        applicationCursorKeysMode: false,
        applicationKeypadMode: false,
        wraparoundMode: true,
        originMode: false,
        insertMode: false,
      });
      expect(terminal.emulator.buffer.active.type).toBe('normal');
      if (command === 'tail') {
        expect(asked).toEqual([]);
        expect(text.replaceAll('\r\x1b[K', '')).not.toMatch(/\x1b/);
      }
    },
  );

  it('has given the shell of this test nothing to act on', () => {
    // What stands in the log does hold what the terminal must not see, or the tests above would prove nothing.
    expect(execFileSync('grep', ['-c', '-a', 'stolen', log], { encoding: 'utf8' }).trim()).toMatch(
      /^[1-9]\d+$/,
    );
  });
});
