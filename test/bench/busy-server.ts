import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A process that writes a log at any rate, on a host with eight GPUs whose tool answers as `nvidia-smi` does. */
export interface BusyServer {
  readonly pid: number;
  readonly log: string;
  /** For whoever is to find the GPU tool. */
  readonly env: NodeJS.ProcessEnv;
  /** Lines a second from now on. */
  rate(linesPerSecond: number): void;
  /** Whole lines written so far. */
  lines(): number;
  close(): Promise<void>;
}

const writer = `
const { openSync, writeSync, writeFileSync } = require('node:fs');
const [log, counter] = process.argv.slice(1);
const file = openSync(log, 'a');
let rate = 0, line = 0, owed = 0, last = process.hrtime.bigint();
const words = 'prefill batch, #new-seq: 1, #new-token: 512, #cached-token: 0, token usage: 0.31, #running-req: 12, #queue-req: 0';
setInterval(() => {
  const now = process.hrtime.bigint();
  owed += Number(now - last) / 1e9 * rate;
  last = now;
  let text = '';
  for (; owed >= 1; owed--) text += '[2026-03-01 12:00:00 TP' + (++line % 8) + '] line ' + line + ', ' + words + '\\n';
  if (text) writeSync(file, text);
}, 20);
process.stdin.on('data', (data) => { rate = Number(data); if (rate === 0) writeFileSync(counter, String(line)); });
process.stdin.on('end', () => process.exit());
`;

const gpuTool = `#!/bin/sh
case "$1" in
  --query-gpu=*)
    now=$(cut -d. -f1 /proc/uptime)
    for gpu in 0 1 2 3 4 5 6 7; do
      echo "$gpu, GPU-$gpu, NVIDIA H200, 143771, $((60000 + now * 97 % 40000 + gpu)), $(((now * 7 + gpu * 11) % 100)), $((50 + (now + gpu) % 9)), $((300 + (now * 13 + gpu) % 200)).50, 700.00"
    done ;;
  *) for gpu in 0 1 2 3 4 5 6 7; do echo "GPU-$gpu, $((4711 + gpu)), 60000"; done ;;
esac
`;

const opening = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=8, port=30000)",
  '[2026-03-01 12:00:02 TP0] Load weight begin. avail mem=140.00 GB\n',
].join('\n');

export function startBusyServer(): BusyServer {
  const folder = mkdtempSync(join(tmpdir(), 'firedup-bench-'));
  const [log, counter, bin] = ['server.log', 'lines', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  writeFileSync(join(bin, 'nvidia-smi'), gpuTool);
  chmodSync(join(bin, 'nvidia-smi'), 0o755);
  writeFileSync(log, opening);
  writeFileSync(counter, '0');
  const child = spawn(process.execPath, ['-e', writer, log, counter], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return {
    pid: child.pid ?? 0,
    log,
    env: {
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      XDG_CONFIG_HOME: folder,
      XDG_STATE_HOME: folder,
      XDG_DATA_HOME: folder,
    },
    rate: (linesPerSecond) => void child.stdin.write(String(linesPerSecond)),
    lines: () => Number(readFileSync(counter, 'utf8')),
    async close() {
      child.stdin.end();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
