import { exitCodes, usageError } from '../../errors.js';
import { sanitize } from '../../ingest/sanitize.js';
import { findConfig } from '../../store/find-config.js';
import { jsonLine } from '../json-line.js';
import { type Config, checkConfig, loadConfig } from '../load-config.js';
import { noSuch } from '../no-such.js';
import type { Given } from '../resolve-target.js';
import { plainTable } from '../table.js';
import { missingValues } from '../target-env.js';
import { type Origin, type Setting, settingsOf } from '../target-settings.js';

export interface ConfigOptions {
  readonly config?: string;
}

/**
 * `firedup config check`: everything that is wrong in a config, with its places; 2 where there is something. A value that is not
 * to be had here is a warning.
 */
export async function check(file: string | undefined, options: ConfigOptions): Promise<void> {
  const path = findConfig(file ?? options.config ?? null, '', process.env);
  if (path === null) throw noConfig();
  const problems = await checkConfig(path);
  for (const problem of problems) process.stderr.write(`${sanitize(problem)}\n`);
  if (problems.length === 0) {
    process.stdout.write(`${sanitize(path)} is right.\n`);
    const config = await loadConfig(path);
    // It may be there where it is launched from.
    for (const missing of config === null ? [] : await missingValues(config)) {
      process.stderr.write(`warning: ${sanitize(missing)}\n`);
    }
  }
  process.exitCode = problems.length === 0 ? exitCodes.ready : exitCodes.usage;
}

export interface ConfigPrintOptions extends ConfigOptions {
  readonly json?: boolean;
  readonly [option: string]: unknown;
}

/** `firedup config print`: what holds for each target, and where each value comes from; secrets redacted. */
export async function print(
  name: string | undefined,
  options: ConfigPrintOptions,
  given: Given,
): Promise<void> {
  const config = await loadConfig(options.config);
  if (config === null) throw noConfig();
  const names = name === undefined ? [...config.targets.keys()] : [targetNamed(name, config)];
  const { file, screen } = config;
  const { theme = null } = screen;
  const targets = names.flatMap((target) => {
    const settings = config.targets.get(target);
    if (settings === undefined) return [];
    return [{ target, settings: settingsOf({ name: target, settings, config }, options, given) }];
  });
  if (options.json) {
    process.stdout.write(`${jsonLine({ config: file.path, ...screen, theme, targets })}\n`);
    return;
  }
  const head = `${file.path}${theme === null ? '' : ` · theme ${theme} (line ${file.lineOf(['theme'])})`}`;
  process.stdout.write(`${sanitize(head)}\n`);
  if (names.length === 0) process.stdout.write('It has no targets.\n');
  for (const { target, settings } of targets) process.stdout.write(`\n${table(target, settings)}\n`);
}

const table = (target: string, settings: readonly Setting[]): string =>
  plainTable(
    [target, '', ''],
    settings.map(({ key, value, from }) => [`  ${key}`, value, originText(from)]),
  );

function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
      return 'command line';
    case 'file':
      return `${origin.file}:${origin.line}${origin.defaults ? ' (defaults)' : ''}`;
    case 'default':
      return 'default';
  }
}

/** The target `name`; a wrong name is answered with those there are. */
function targetNamed(name: string, { targets, file }: Config): string {
  if (targets.has(name)) return name;
  const names = [...targets.keys()];
  throw noSuch('target', name, names, {
    where: ` in ${file.path}`,
    hint: names.length === 0 ? 'It has no targets.' : `Targets: ${names.join(', ')}.`,
  });
}

export const noConfig = (): Error =>
  usageError(
    'There is no config: neither ./firedup.yaml nor ~/.config/firedup/config.yaml.',
    'docs/config.md shows one; --config FILE takes another file.',
  );
