import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectHost } from '../../src/host/connect.js';
import { noPrompts } from '../../src/host/prompts.js';
import { run } from '../../src/host/run.js';
import { startSshd } from '../support/sshd.js';
import { startTail } from '../support/tail.js';

export interface Rekeyed {
  /** Sha256 of the log, and of what `firedup tail -n +1` put out. */
  readonly log: string;
  readonly tailed: string;
  readonly tailExit: number;
  /** Sha256 of what was sent as a command's stdin, and what the host counted. */
  readonly sent: string;
  readonly arrived: string;
  /** Key exchanges beyond the first one of each connection. */
  readonly rekeys: number;
  readonly connections: number;
  readonly downSeconds: number;
  readonly upSeconds: number;
}

/** Carries `mib` down by `firedup tail` and up as stdin of a command, at a server that asks for new keys all the time. */
export async function rekeyed(transport: 'ssh' | 'ssh2', mib: number): Promise<Rekeyed> {
  const sshd = await startSshd({ config: ['RekeyLimit 2M 10s', 'LogLevel DEBUG1'] });
  const folder = mkdtempSync(join(tmpdir(), 'firedup-rekey-'));
  try {
    const path = join(folder, 'server.log');
    const log = writeLog(path, mib);

    const began = performance.now();
    const tailed = createHash('sha256');
    const words = [
      '-F',
      sshd.sshConfig(),
      '--transport',
      transport,
      '--log',
      path,
      '-n',
      '+1',
      '--until-exit',
    ];
    const tail = startTail([sshd.label, ...words], { onBytes: (bytes) => tailed.update(bytes) });
    const tailExit = await tail.ended(600_000);
    const downSeconds = (performance.now() - began) / 1000;

    const input = randomBytes(mib * 1024 * 1024);
    const host = await connectHost(
      { label: sshd.label, configFile: sshd.sshConfig(), transport },
      { prompts: noPrompts },
    );
    const since = performance.now();
    // Others ask for something meanwhile, as they do.
    const beside = setInterval(() => void run(host, 'true').catch(() => {}), 100);
    const up = await run(host, 'sha256sum', { stdin: input, timeoutMs: 600_000 }).finally(() =>
      clearInterval(beside),
    );
    const upSeconds = (performance.now() - since) / 1000;
    await host.close();
    const connections = count(sshd.log(), /Accepted publickey/g);
    return {
      log,
      tailed: tailed.digest('hex'),
      tailExit,
      sent: createHash('sha256').update(input).digest('hex'),
      arrived: up.stdout.slice(0, 64),
      rekeys: count(sshd.log(), /SSH2_MSG_NEWKEYS sent/g) - connections,
      connections,
      downSeconds,
      upSeconds,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await sshd.stop();
  }
}

/** Lines of text that does not compress, and its sha256. */
function writeLog(path: string, mib: number): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'w');
  for (let n = 0; n < mib; n += 1) {
    const piece = Buffer.from(`${randomBytes(786_431).toString('base64').replaceAll(/.{99}/g, '$&\n')}\n`);
    writeSync(file, piece);
    hash.update(piece);
  }
  closeSync(file);
  return hash.digest('hex');
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
