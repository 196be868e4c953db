import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The programs that some suites need beside Node. */
export type Tool =
  | 'sshd'
  | 'ssh'
  | 'ssh-agent'
  | 'ssh-keygen'
  | 'tmux'
  | 'screen'
  | 'busybox'
  | 'dash'
  | 'bash'
  | 'zsh'
  | 'fish'
  | 'tcsh'
  | 'shellcheck'
  | 'python3'
  | 'curl'
  | 'wget'
  | 'script'
  | 'locale-sources'
  | 'procfs';

/**
 * Whether all of `tools` are here, for `describe.skipIf(!available(…))`. With FIREDUP_REQUIRE_ALL=1 (CI) a missing
 * one throws, so that a suite is never skipped there unseen.
 */
export function available(...tools: readonly Tool[]): boolean {
  const missing = tools.filter((tool) => pathOf(tool) === null);
  if (missing.length > 0 && process.env.FIREDUP_REQUIRE_ALL === '1') {
    throw new Error(
      `These tests need ${missing.join(', ')}, and FIREDUP_REQUIRE_ALL=1 forbids skipping them.`,
    );
  }
  return missing.length === 0;
}

/** Absolute path of a tool; null when it is not here. */
export function pathOf(tool: Tool): string | null {
  const known = paths.get(tool);
  if (known !== undefined) return known;
  const path = find(tool);
  paths.set(tool, path);
  return path;
}

const paths = new Map<Tool, string | null>();

const localeSources = '/usr/share/i18n/locales';

function find(tool: Tool): string | null {
  if (tool === 'procfs') return existsSync('/proc/self/stat') ? '/proc' : null;
  // Debian's package `locales`; its `localedef` comes with every libc.
  if (tool === 'locale-sources') return existsSync(localeSources) ? localeSources : null;
  try {
    // sshd lives in sbin, which is often not in PATH, and insists on being started by its absolute path.
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin:/sbin` };
    return execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { env, encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
