import { displayCommand, isShellLine, type LaunchSpec } from '../../core/launch-spec.js';
import { usageError } from '../../errors.js';
import { redact, redactEnv } from '../../ingest/redact.js';
import { markLine } from '../../remote/mark-line.js';
import { quote, quoteAll } from '../../remote/quote.js';
import { encodeBytes } from './remote-text.js';

/**
 * What `launch.sh` reads on stdin: what may be shown, what is needed to start it again, and the start script.
 * Throws a usage error for what no shell or kernel can carry.
 */
export function launchPayload(spec: LaunchSpec, id: string, before: readonly string[] = []): Buffer {
  check(spec);
  const { env, ...rest } = spec;
  const shown = {
    version: 1,
    ...rest,
    command: displayCommand(spec),
    env: redactEnv(env),
    before: before.map(redact),
  };
  const head = `${asciiJson(shown)}\n${asciiJson({ version: 1, ...spec })}\n`;
  return Buffer.concat([Buffer.from(head), encodeBytes(startScript(spec, id))]);
}

function startScript(spec: LaunchSpec, id: string): string {
  const lines: string[] = [];
  if (spec.cleanEnv) {
    // The shell comes back here with nothing but its PATH.
    lines.push('[ "$FIREDUP_CLEAN" = 1 ] || exec env -i FIREDUP_CLEAN=1 "PATH=$PATH" sh "$folder/start"');
    lines.push('unset FIREDUP_CLEAN');
  }
  for (const [name, value] of Object.entries(spec.env)) lines.push(`export ${name}=${quote(value)}`);
  // Inherited by all that the command starts: how a process of this attempt is known when its parent has gone.
  // Of a line for a shell only what comes after the profile.
  if (isShellLine(spec)) {
    lines.push(`export FIREDUP_LAUNCH=${quote(id)}`);
    lines.push(`exec bash -lc ${quote(`${markLine}${spec.command.join(' ')}`)}`);
  } else {
    lines.push(`export FIREDUP_ATTEMPT=${quote(id)}`);
    lines.push(`exec ${quoteAll(spec.command)}`);
  }
  return `${lines.join('\n')}\n`;
}

function check(spec: LaunchSpec): void {
  const [program = ''] = spec.command;
  if (program.trim() === '') throw usageError('There is no command to start.');
  if (!isShellLine(spec) && program.startsWith('-')) {
    throw usageError(`A command cannot start with "-": ${program}`, 'Write the command after `--`.');
  }
  for (const text of [...spec.command, ...Object.values(spec.env), spec.cwd ?? '', spec.log ?? '']) {
    if (text.includes('\0')) throw usageError('A command, path or variable cannot hold a NUL byte.');
  }
  for (const name of Object.keys(spec.env)) {
    if (!isVariableName(name))
      throw usageError(`Not a name for an environment variable: ${JSON.stringify(name)}`);
  }
}

/** Whether a shell can export a variable of this name. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
