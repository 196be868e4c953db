import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A real ssh-agent on a socket of its own. */
export interface SshAgent {
  readonly socket: string;
  /** Adds private key files, in this order. */
  add(...keyFiles: readonly string[]): void;
  stop(): Promise<void>;
}

/** Starts it on `socket` and waits until it listens. The caller stops it. */
export async function startSshAgent(socket: string): Promise<SshAgent> {
  const child = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  for (let tries = 0; !existsSync(socket); tries++) {
    if (tries > 6000 || child.exitCode !== null) throw new Error('ssh-agent did not start');
    await pause(10);
  }
  return {
    socket,
    add(...keyFiles) {
      const env = { ...process.env, SSH_AUTH_SOCK: socket };
      for (const file of keyFiles) execFileSync('ssh-add', ['-q', file], { env, stdio: 'pipe' });
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}
