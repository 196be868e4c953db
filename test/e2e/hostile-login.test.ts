import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { promptsBy, type Question } from '../../src/host/prompts.js';
import { errorWords } from '../../src/host/ssh/error-words.js';
import { loginFailure } from '../../src/host/ssh/link-failures.js';
import { randomFrom } from '../soak/faults.js';
import { type AskingServer, startAskingServer } from '../support/asking-server.js';
import { available } from '../support/available.js';
import { hostileLine, hostileName } from '../support/hostile.js';
import { localState, stopPrograms } from '../support/program.js';
import { createTerminal } from '../support/terminal.js';
import { underScript } from '../support/under-script.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));
const random = randomFrom(11);

const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;

describe('words of a server during the login', () => {
  it('are harmless in every question, failure and loss', async () => {
    const questions: Question[] = [];
    const prompts = promptsBy(async (question) => {
      questions.push(question);
      return 'x';
    });
    const shown: string[] = [];
    for (let n = 0; n < 500; n++) {
      const words = hostileLine(random).toString(n % 2 === 0 ? 'utf8' : 'latin1');
      await prompts.interactive({
        host: words,
        name: words,
        instructions: words,
        prompts: [{ text: words, echo: true }],
      });
      await prompts.password(words, words, 2);
      await prompts.passphrase(words, 1);
      await prompts.confirmHostKey({ host: words, type: words, fingerprint: words });
      const error = Object.assign(new Error(words), n % 3 === 0 ? { code: 11 } : {});
      shown.push(errorWords(error));
      for (const phase of ['handshake', 'login'] as const) {
        const head = n % 4 === 0 ? Buffer.from('SSH-2.0-x') : Buffer.from(words);
        const failed = { label: 'box', phase, error, head };
        shown.push(
          loginFailure({
            ...failed,
            authFailure: () => loginFailure({ ...failed, error: null, authFailure: never }),
          }).message,
        );
      }
    }
    shown.push(...questions.flatMap(({ heading, text }) => [...heading, text]));
    expect(shown.length).toBeGreaterThan(3000);
    expect(shown.filter((text) => unsafe.test(text))).toEqual([]);
  });
});

const never = (): never => {
  throw new Error('not to be asked');
};

// Banner, questions, host name and user name of a host that means ill, first on the terminal, then on the screen.
describe.skipIf(!available('ssh', 'script', 'procfs'))('a hostile login', () => {
  const tools = mkdtempSync(join(tmpdir(), 'firedup-hostile-login-'));
  let box: AskingServer;
  afterEach(async () => {
    await box.stop();
    await stopPrograms();
  });
  afterAll(() => rmSync(tools, { recursive: true, force: true }));

  it.each(['ssh2', 'ssh'])(
    'gets nothing to the terminal through %s, before the screen and on it',
    async (transport) => {
      for (const name of ['hostname', 'id']) {
        writeFileSync(join(tools, `${name}.text`), `${hostileName(random, 60)}\n`);
        writeFileSync(join(tools, name), `#!/bin/sh\nexec cat '${join(tools, name)}.text'\n`);
        chmodSync(join(tools, name), 0o755);
      }
      // Without NUL: ssh itself hangs up at that.
      const words = (): string => hostileLine(random).toString('latin1').replaceAll('\0', '').slice(0, 200);
      box = await startAskingServer(
        (login) => {
          if (login.method !== 'keyboard-interactive') return login.reject(['keyboard-interactive']);
          login.prompt([{ prompt: `${words()} ASK-ONE `, echo: false }], words(), words(), ([one]) => {
            if (one !== 'one') return login.reject(['keyboard-interactive']);
            login.prompt([{ prompt: `${words()} ASK-TWO `, echo: true }], words(), words(), () =>
              login.accept(),
            );
          });
        },
        [],
        { banner: `${words()}\n${words()}\n`, path: tools },
      );
      const log = join(box.folder, 'log');
      writeFileSync(log, 'FIRST-WORD\n');
      const args = [bin, 'watch', 'box', '-F', box.config, '--transport', transport, '--log', log];
      const { child, bytes, text, ended } = underScript([process.execPath, ...args], [120, 40], {
        XDG_STATE_HOME: localState(),
      });
      let seen = 0;
      const step = async (pattern: string, key: string): Promise<void> => {
        await until(() => text(seen).includes(pattern), pattern).catch((error) => {
          throw new Error(`${error}\n${JSON.stringify(text().slice(-2000))}`);
        });
        seen = text().length;
        child.stdin.write(key);
      };
      try {
        await step('ASK-ONE', 'one\r');
        await step('ASK-TWO', 'two\r');
        await until(() => text(seen).includes('FIRST-WORD'), 'the screen');
        seen = text().length;
        box.cut();
        await step('login needed', 'c');
        await step('ASK-ONE', 'one\r');
        await step('ASK-TWO', 'two\r');
        await step('connected', 'q');
        await ended;
      } finally {
        child.kill('SIGKILL');
      }
      const terminal = createTerminal(120, 40);
      const osc: string[] = [];
      for (const code of [0, 1, 2, 8, 52, 777, 1337]) {
        terminal.emulator.parser.registerOscHandler(code, (data) => {
          osc.push(`${code};${data}`);
          return false;
        });
      }
      await new Promise<void>((resolve) => terminal.emulator.write(bytes(), resolve));
      expect(osc.filter((data) => /stolen|c3RvbGVu/.test(data))).toEqual([]);
      expect(terminal.title()).not.toMatch(/stolen/);
      expect(text()).not.toMatch(
        /\x1b\]52;|\x1b\]1337|\x1b\]777|\x1b[P_^k]|\x1bc|[\u0080-\u009f\u202e\u2066]/,
      );
      expect(terminal.emulator.modes).toMatchObject({
        bracketedPasteMode: false,
        mouseTrackingMode: 'none',
        wraparoundMode: true,
        originMode: false,
        insertMode: false,
      });
      expect(terminal.emulator.buffer.active.type).toBe('normal');
    },
  );
});
