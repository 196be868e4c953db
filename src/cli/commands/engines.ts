import { coveredVersions } from '../../engines/covered-versions.js';
import type { EngineProfile, FailureRule } from '../../engines/profile.js';
import { engineProfiles } from '../../engines/registry.js';
import { listRules } from '../../engines/rule-list.js';
import { sanitize } from '../../ingest/sanitize.js';
import { engineNamed, loadEngines } from '../load-engines.js';
import { plainTable } from '../table.js';

export interface EnginesOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** `firedup engines`: the engines that are known, the user's own among them. */
export async function listEngines(options: EnginesOptions): Promise<void> {
  const { profiles } = await loadEngines(options);
  const rows = profiles.map((profile) => ({
    id: profile.id,
    title: profile.title,
    versions: coveredVersions(profile.id),
    rules: listRules(profile).length,
    failures: profile.failures.length,
    ownRules: ownRules(profile),
  }));
  if (options.json) {
    print(JSON.stringify({ engines: rows }));
    return;
  }
  const hasOwn = rows.some(({ ownRules }) => ownRules > 0);
  print(
    plainTable(
      ['ENGINE', 'NAME', 'RULES', 'FAILURES', ...(hasOwn ? ['YOURS'] : []), 'VERSIONS'],
      rows.map((row) => [
        row.id,
        row.title,
        String(row.rules),
        String(row.failures),
        ...(hasOwn ? [String(row.ownRules)] : []),
        row.versions ?? 'from your config',
      ]),
    ),
  );
}

function ownRules(profile: EngineProfile): number {
  const builtIn = new Set(engineProfiles.flatMap((engine) => listRules(engine).map(({ rule }) => rule)));
  return listRules(profile).filter(({ rule }) => !builtIn.has(rule)).length;
}

/** `firedup engines show NAME`: what is known of one engine. */
export async function showEngine(name: string, options: EnginesOptions): Promise<void> {
  const { profiles } = await loadEngines(options);
  const profile = engineNamed(name, profiles);
  if (options.json) {
    print(JSON.stringify({ ...profile, own: undefined, versions: coveredVersions(profile.id) }));
    return;
  }
  print(
    [
      `${profile.title} (${profile.id}) · versions: ${coveredVersions(profile.id) ?? 'from your config'}`,
      ...section('Phases, in the usual order', phaseTable(profile)),
      ...section('Ready', patterns(profile.ready), `An HTTP 200 from ${readyPaths(profile)} says the same.`),
      ...section('Dying', patterns([...profile.death, ...profile.ended])),
      ...section('Stopped from outside', patterns(profile.stopped)),
      ...section('Hanging', patterns(profile.hang)),
      ...section('Failures', failureTable(profile.failures)),
    ].join('\n'),
  );
}

/** A heading with what stands under it; nothing where there is nothing. */
const section = (title: string, text: string, note?: string): readonly string[] =>
  text === '' ? [] : ['', title, indent(text), ...(note === undefined ? [] : [`  ${note}`])];

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

function phaseTable({ checklist, phases }: EngineProfile): string {
  const rows = checklist.map(({ id, model, title, quietLimitMs, optional }) => {
    const lines = phases.filter((rule) => rule.phase === id).length;
    return [
      model === 'draft' ? `${id} (draft)` : id,
      title,
      `${Math.round(quietLimitMs / 60_000)} min`,
      optional ? 'where a line says so' : '',
      lines === 0 ? '' : String(lines),
    ];
  });
  return plainTable(['PHASE', 'NAME', 'MAY BE QUIET', '', 'RULES'], rows);
}

const patterns = (rules: readonly { readonly pattern: string }[]): string =>
  rules.map(({ pattern }) => sanitize(pattern)).join('\n');

function failureTable(failures: readonly FailureRule[]): string {
  return plainTable(
    ['CATEGORY', 'REMEDY', 'WHAT TO DO'],
    failures.flatMap(({ category, pattern, remedies }) => [
      [category, '', `when ${pattern}`],
      ...remedies.map(({ id, title }) => ['', id, title]),
    ]),
  );
}

function readyPaths({ readyPath }: EngineProfile): string {
  const { path, newer } = readyPath;
  return newer === undefined ? path : `${path} (${newer.path} from ${newer.since} on)`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
