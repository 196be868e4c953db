import { chmodSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { plainText } from '../../plain-text.js';
import { longestQuestion, type Prompts } from '../../prompts.js';

/** What makes `ssh` ask us instead of the terminal. */
export interface Askpass {
  /** For the environment of ssh. */
  readonly env: Readonly<Record<string, string>>;
  /** What a prompt threw, such as "nobody can be asked"; null when none did. */
  refusal(): unknown;
  close(): void;
}

export interface AskpassOptions {
  /** A folder that only we can read, for the program and its socket. */
  readonly folder: string;
  readonly prompts: Prompts;
  /** Wraps each question: no time limit runs meanwhile. */
  readonly asking: <T>(question: Promise<T>) => Promise<T>;
  readonly notice: (text: string) => void;
}

/**
 * Answers the questions of a system ssh (SSH_ASKPASS, ssh(1)) by `prompts`. The answers pass through a socket in
 * `folder`: never over a command line, an environment or a file.
 */
export async function startAskpass(options: AskpassOptions): Promise<Askpass> {
  const { folder, prompts, asking } = options;
  const socketPath = join(folder, 'ask');
  const program = join(folder, 'askpass');
  writeFileSync(program, `#!/bin/sh\nexec "$FIREDUP_NODE" -e "$FIREDUP_ASKPASS" -- "$1"\n`);
  chmodSync(program, 0o700);
  const answers = answerer(prompts);
  let refusal: unknown = null;

  const server = net.createServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      const { prompt, kind } = JSON.parse(text.slice(0, end)) as { prompt: string; kind: string };
      text = '';
      // "Touch your security key": ssh ends the program when that has been done.
      if (kind === 'none') return options.notice(plainText(prompt));
      asking(answers(prompt, kind)).then(
        (answer) => socket.end(`${JSON.stringify(answer)}\n`),
        (error: unknown) => {
          refusal ??= error;
          socket.end('null\n');
        },
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    env: {
      SSH_ASKPASS: program,
      SSH_ASKPASS_REQUIRE: 'force',
      // Before OpenSSH 8.4 it is asked only where there seems to be a screen.
      DISPLAY: process.env.DISPLAY ?? ':firedup',
      FIREDUP_NODE: process.execPath,
      FIREDUP_ASKPASS: client,
      FIREDUP_ASKPASS_SOCKET: socketPath,
    },
    refusal: () => refusal,
    close: () => void server.close(),
  };
}

/** Sends the question and prints the answer; ends with 1 where there is none. */
const client = `
const socket = require('node:net').connect(process.env.FIREDUP_ASKPASS_SOCKET);
let text = '';
socket.write(JSON.stringify({ prompt: process.argv.at(-1), kind: process.env.SSH_ASKPASS_PROMPT ?? '' }) + '\\n');
socket.on('data', (chunk) => { text += chunk; });
socket.on('error', () => process.exit(1));
socket.on('close', () => {
  const answer = text === '' ? null : JSON.parse(text);
  if (answer === null) process.exit(1);
  process.stdout.write(answer + '\\n');
});
`;

/** Understands ssh's own questions (sshconnect.c, sshconnect2.c, readpass.c); any other is one of the server's. */
function answerer(prompts: Prompts): (prompt: string, kind: string) => Promise<string | null> {
  const attempts = new Map<string, number>();
  const attempt = (what: string): number => {
    const count = (attempts.get(what) ?? 0) + 1;
    attempts.set(what, count);
    return count;
  };
  return async (prompt, kind) => {
    const unknown =
      /^The authenticity of host '(\S+).*?can't be established\.\s+(\S+) key fingerprint is (\S+?)\.?\s/s.exec(
        prompt,
      );
    if (unknown !== null) {
      const [, host = '', type = '', fingerprint = ''] = unknown.map((word) => plainText(word));
      return (await prompts.confirmHostKey({ host: host.replace(/'$/, ''), type, fingerprint }))
        ? 'yes'
        : 'no';
    }
    // Any other yes or no, and "type yes or no" after a wrong word.
    if (kind === 'confirm' || /\(?yes\/no|'yes', 'no'/.test(prompt)) return 'no';
    const file = /^Enter passphrase for (?:key )?'?(.+?)'?: ?$/.exec(prompt)?.[1];
    if (file !== undefined) return prompts.passphrase(plainText(file), attempt(file));
    const login = /^(.+)@([^@]+?)'s password: ?$/.exec(prompt);
    if (login !== null) {
      const [, user = '', host = ''] = login.map((word) => plainText(word));
      return prompts.password(user, host, attempt(`${user}@${host}`));
    }
    const [, host = '', text = prompt] = /^\((\S+)\) (.*)$/s.exec(prompt) ?? [];
    const round = {
      host: plainText(host),
      name: '',
      instructions: '',
      prompts: [{ text: plainText(text, longestQuestion), echo: false }],
    };
    return (await prompts.interactive(round))?.[0] ?? null;
  };
}
