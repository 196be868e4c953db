import { type LaunchSpec, launchSpec } from '../../core/launch-spec.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { withoutMarkLine } from '../../remote/mark-line.js';
import { quote } from '../../remote/quote.js';
import { seeStatus } from './check-pid.js';
import { isVariableName } from './launch-payload.js';
import { decodeHex } from './remote-text.js';
import { answerCut, runScript } from './run-script.js';

/** How a process that we did not launch was started, as far as `/proc` tells. */
export interface ProcessCommand {
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
  /** Null when the command line cannot be read or is not what it was started with. */
  readonly spec: LaunchSpec | null;
  /** File that its standard output goes to; null: a pipe, a terminal, or unreadable. */
  readonly log: string | null;
  /** What is missing in `spec` or doubtful about it, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads command line, environment and working folder of a running process, so that it can be started again; bytes
 * come through unchanged. What cannot be read (another user's process) or carried over is said in `notes`.
 * Rejects with `FiredupError` `not-running`, and what `runScript` does.
 */
export async function readCommand(host: Host, pid: number, signal?: AbortSignal): Promise<ProcessCommand> {
  const answers = await runScript(host, 'command', [String(pid)], signal === undefined ? {} : { signal });
  const words = (key: string) => answers.find((answer) => answer.key === key)?.words;
  const identity = words('process');
  if (identity === undefined && words('absent') === undefined) throw answerCut(host, 'command');
  if (identity === undefined || words('absent') !== undefined) {
    throw new FiredupError('not-running', `There is no process ${pid} on ${host.label}.`, {
      exitCode: exitCodes.usage,
      hint: seeStatus(host),
    });
  }
  const text = (key: string) => {
    const hex = words(key)?.[0] ?? '-';
    return hex === '-' ? null : decodeHex(hex);
  };
  const notes: string[] = [];
  const command = readArgv(text('cmdline'), notes);
  const env = readEnvironment(text('environ'), notes);
  const cwd = text('cwd');
  if (cwd === null) notes.push('Its working folder cannot be read; it would start in the home folder.');
  const output = text('stdout');
  return {
    pid,
    startTicks: identity[1] ?? '',
    bootId: identity[2] ?? '',
    spec: command && launchSpec({ command, env: env ?? {}, cleanEnv: env !== null, cwd }),
    log: output?.startsWith('/') && !output.startsWith('/dev/') ? output : null,
    notes,
  };
}

function readArgv(cmdline: string | null, notes: string[]): readonly string[] | null {
  if (cmdline === null || cmdline === '') {
    notes.push('Its command line cannot be read.');
    return null;
  }
  const argv = withoutMarkLine(cmdline).replace(/\0$/, '').split('\0');
  const [first = ''] = argv;
  // SGLang and vLLM name their processes `sglang::scheduler_TP0`, `VLLM::EngineCore` (setproctitle), in place.
  if (/^[\w.-]+::/.test(first) || !cmdline.endsWith('\0')) {
    notes.push(`It has changed its own command line to "${first}"; what it was started with is not known.`);
    return null;
  }
  return argv.length === 1 ? [quote(first)] : argv;
}

function readEnvironment(environ: string | null, notes: string[]): Record<string, string> | null {
  if (environ === null) {
    notes.push('Its environment cannot be read; it would start in that of the login.');
    return null;
  }
  const env: Record<string, string> = {};
  const dropped: string[] = [];
  for (const entry of environ.split('\0').filter(Boolean)) {
    const at = entry.indexOf('=');
    if (at < 1) {
      notes.push(
        'It has written over its own environment (a process title); it would start in that of the login.',
      );
      return null;
    }
    const name = entry.slice(0, at);
    if (ofTheShell.has(name)) continue;
    if (isVariableName(name)) env[name] = entry.slice(at + 1);
    else dropped.push(name);
  }
  if (dropped.length > 0) notes.push(`No shell can pass on these variables: ${dropped.join(', ')}.`);
  return env;
}

/** Set anew by each shell, read-only in bash, or the mark of another launch. */
const ofTheShell = new Set(
  '_ SHLVL PWD OLDPWD PPID UID EUID BASHOPTS SHELLOPTS BASHPID FIREDUP_ATTEMPT FIREDUP_LAUNCH FIREDUP_CLEAN'.split(
    ' ',
  ),
);
