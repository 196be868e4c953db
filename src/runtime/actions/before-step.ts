import { readFile } from 'node:fs/promises';
import { fileReason, usageError } from '../../errors.js';
import { decodeBytes } from './remote-text.js';

/**
 * One step before a start: a line that the host's shell runs, or a script of this machine that is sent there. As text
 * a script is `@PATH`, which no command begins with.
 */
export type BeforeStep =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'script'; readonly path: string; readonly text: string };

/** The step that runs the script at `path` of this machine. */
export const stepOfScript = (path: string): string => `@${path}`;

/** Reads a step; a script as it is now. Throws a usage error for a script that cannot be sent. */
export async function readBeforeStep(step: string): Promise<BeforeStep> {
  if (!step.startsWith('@')) return { kind: 'line', line: step };
  const path = step.slice(1);
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`The script ${path} cannot be read: ${fileReason(error)}.`, 'Nothing was done.');
  });
  const text = decodeBytes(bytes);
  if (bytes.length > mostBytes) throw usageError(`The script ${path} is larger than 1 MiB.`);
  if (text.includes('\0')) throw usageError(`${path} is no script: it holds a NUL byte.`);
  return { kind: 'script', path, text };
}

const mostBytes = 1024 * 1024;

/**
 * What runs a script, as its first line says: `#!/usr/bin/env python3` are two words, as for the kernel. Without such a
 * line, bash.
 */
export function interpreterOf(text: string): readonly string[] {
  const [, program, argument] = /^#![ \t]*(\S+)(?:[ \t]+([^\n]*\S))?/.exec(text) ?? [];
  if (program === undefined) return ['bash'];
  return argument === undefined ? [program] : [program, argument];
}
