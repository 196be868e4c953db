import type { Remedy, RemedyChange } from '../triage/report.js';
import type { LaunchSpec } from './launch-spec.js';
import { quoteWord, splitWords } from './shell-words.js';

/** What a relaunch does differently from the attempt before it. */
export interface RelaunchForm {
  /** Environment to add or change. */
  readonly env: Readonly<Record<string, string>>;
  /** Arguments to append; a flag that the command has already is replaced. */
  readonly args: readonly string[];
  /** What to run on the host before the start: lines for its shell, and `@PATH`, a script of the user's. */
  readonly before: readonly string[];
  /** Command, variables and folder where they were edited as a whole; `env` and `args` come on top. Null: as last time. */
  readonly edited: EditedLaunch | null;
}

export type EditedLaunch = Pick<LaunchSpec, 'command' | 'shell' | 'env' | 'cwd'>;

/** `form` with a remedy's change in it; a flag that is in it already gets the new value. */
export function withChange(form: RelaunchForm, { env, args }: RemedyChange): RelaunchForm {
  const added = flagGroups(args ?? []);
  const isReplaced = ([flag]: readonly string[]): boolean => added.some(([other]) => other === flag);
  const kept = flagGroups(form.args).filter((group) => !isReplaced(group));
  return { ...form, env: { ...form.env, ...env }, args: [...kept, ...added].flat() };
}

/** Words of a command line as groups, `--flag value …` each; a negative number is a value. */
export function flagGroups(words: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last && !(word.startsWith('-') && !/^-\d/.test(word))) last.push(word);
    else groups.push([word]);
  }
  return groups;
}

/**
 * Which of `words` (null: not known) a group takes the place of, from one index to before another: the flag of that name,
 * of several the last, which is the one that counts; and its value, where the group has one. Null where it is not there.
 */
export function flagPlace(
  words: readonly (string | null)[],
  group: readonly string[],
): { readonly from: number; readonly to: number } | null {
  const [flag = '', ...values] = group;
  const name = flag.split('=')[0] ?? flag;
  if (!name.startsWith('-')) return null;
  const from = words.findLastIndex((word) => word === name || word?.startsWith(`${name}=`));
  if (from < 0) return null;
  const next = words[from + 1];
  const hasValue = words[from] === name && values.length > 0 && next !== undefined && !next?.startsWith('--');
  return { from, to: from + (hasValue ? 2 : 1) };
}

/** The remedy that `a` takes: the first that is a change; null where all of them are for people to do. */
export function usableRemedy(remedies: readonly Remedy[]): Remedy | null {
  return remedies.find(({ change }) => change !== null) ?? null;
}

/** A remedy's change as people read it: `K=V … --flag value …`. */
export function changeText({ env, args }: RemedyChange): string {
  return [...Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`), ...(args ?? [])].join(' ');
}

/** The form as the one line in which it is edited: `K=V … --flag value …`, quoted as a shell would need it. */
export function formText({ env, args }: RelaunchForm): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return [...assignments, ...args.map(quoteWord)].join(' ');
}

/** Reads such a line back into `form`. Quotes group, a backslash takes the next character; nothing is expanded. */
export function parseForm(text: string, form: RelaunchForm): RelaunchForm {
  const words = splitWords(text);
  const firstArg = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const assignments = firstArg < 0 ? words : words.slice(0, firstArg);
  const env = assignments.map((word) => {
    const equals = word.indexOf('=');
    return [word.slice(0, equals), word.slice(equals + 1)] as const;
  });
  return { ...form, env: Object.fromEntries(env), args: firstArg < 0 ? [] : words.slice(firstArg) };
}
