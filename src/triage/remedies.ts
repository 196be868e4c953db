import type { ArgKeys, EngineProfile, FailureRule, RemedyCompute, RemedyRule } from '../engines/profile.js';
import { patternOf, wholeText } from './cause.js';
import type { Suspect } from './evidence.js';
import type { LineRef, Remedy, RemedyChange } from './report.js';

type Args = Readonly<Record<string, unknown>> | null;

/**
 * What may help against `suspect`: earlier lines that explain it, then the entries of its rule with the values of
 * the failing line and of the printed arguments put in. A change whose value cannot be worked out is left away.
 */
export function remediesFor(
  rule: FailureRule,
  suspect: Suspect,
  args: Args,
  profile: EngineProfile,
  hints: readonly LineRef[],
): readonly Remedy[] {
  const text = wholeText(suspect);
  const groups = patternOf(rule, profile).exec(text)?.groups ?? {};
  const filled = rule.remedies.map((remedy) =>
    fill(remedy, { ...groups, ...computed(remedy.compute, text, args, profile.argKeys) }),
  );
  return [...hints.filter((hint) => hint.lineNumber !== suspect.lineNumber).map(lookAt), ...filled];
}

function lookAt(hint: LineRef): Remedy {
  const id = `line-${hint.lineNumber}`;
  return {
    id,
    title: `Look at line ${hint.lineNumber} first`,
    why: hint.line.slice(0, 300),
    change: null,
    url: null,
  };
}

function fill(remedy: RemedyRule, values: Readonly<Record<string, string | undefined>>): Remedy {
  const put = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return {
    id: remedy.id,
    title: put(remedy.title),
    why: put(remedy.why),
    change: remedy.change === undefined ? null : fillChange(remedy.change, put),
    url: remedy.url ?? null,
  };
}

function fillChange(change: RemedyChange, put: (text: string) => string): RemedyChange | null {
  const args = change.args?.map(put);
  const env =
    change.env && Object.fromEntries(Object.entries(change.env).map(([key, value]) => [key, put(value)]));
  if (/\{\w+\}/.test(JSON.stringify([args ?? [], env ?? {}]))) return null;
  return { ...(env === undefined ? {} : { env }), ...(args === undefined ? {} : { args }) };
}

function computed(
  what: RemedyCompute | undefined,
  text: string,
  args: Args,
  keys: ArgKeys,
): Record<string, string> {
  const number = (key: string | undefined): number | null => {
    const value = key === undefined ? null : args?.[key];
    return typeof value === 'number' ? value : null;
  };
  const ranks = number(keys.tensorParallel);
  const share = number(keys.memFraction);
  const values: Record<string, string> = {};
  if (ranks !== null) values.tensorParallelNow = String(ranks);
  if (keys.tensorParallelFlag !== undefined) values.tensorParallelFlag = keys.tensorParallelFlag;
  if (what === 'double-tp' && ranks !== null) values.tensorParallel = String(ranks * 2);
  if (what === 'halve-tp' && ranks !== null && ranks > 1)
    values.tensorParallel = String(Math.floor(ranks / 2));
  if (what === 'lower-mem-fraction')
    values.memFraction = lowered(text, share ?? keys.memFractionDefault ?? 0.88);
  if (what === 'raise-mem-fraction' && (share ?? 0.85) < 0.95)
    values.memFraction = twoDigits(Math.min(0.95, (share ?? 0.85) + 0.05));
  if (what === 'lower-gpu-utilization')
    values.utilization = utilization(text) ?? lowered(text, share ?? keys.memFractionDefault ?? 0.9);
  if (what === 'raise-gpu-utilization' && (share ?? keys.memFractionDefault ?? 0.9) < 0.97) {
    values.utilization = twoDigits(Math.min(0.97, (share ?? keys.memFractionDefault ?? 0.9) + 0.05));
  }
  const port = number(keys.port) ?? Number(/', (\d{2,5})\)/.exec(text)?.[1] ?? Number.NaN);
  if (what === 'next-port' && Number.isFinite(port)) values.nextPort = String(port + 1);
  return values;
}

/**
 * A share lower by what the failed allocation lacked and by what others hold on that GPU: `Tried to allocate 2.00 GiB.
 * GPU 0 has a total capacity of 79.14 GiB of which 512.00 MiB is free. Process 4711 has 11.50 GiB memory in use`
 * (torch). A fifth more of what was lacking is left as a margin.
 */
function lowered(text: string, share: number): string {
  const wanted = gib(/Tried to allocate ([\d.]+) ([KMG])iB/.exec(text));
  const total = gib(/total capacity of ([\d.]+) ([KMG])iB/.exec(text));
  const free = gib(/of which ([\d.]+) ([KMG])iB is free/.exec(text));
  if (wanted === null || total === null || free === null || wanted <= free)
    return twoDigits(Math.max(0.5, share - 0.05));
  const others = [...text.matchAll(/Process \d+ has ([\d.]+) ([KMG])iB memory in use/g)];
  const held = others.reduce((sum, match) => sum + (gib(match) ?? 0), 0);
  const lack = Math.max(0.02, ((wanted - free) * 1.2) / total) + held / total;
  return twoDigits(Math.max(0.5, Math.floor((share - lack) * 100) / 100));
}

/** What is free of what there is, rounded down, less one hundredth (vLLM 0.9.1+: `(13.58/15.99 GiB) on startup`). */
function utilization(text: string): string | null {
  const match = /\(([\d.]+)\/([\d.]+) GiB\) on startup/.exec(text);
  if (match === null) return null;
  return twoDigits(Math.max(0.1, Math.floor((Number(match[1]) / Number(match[2])) * 100) / 100 - 0.01));
}

function gib(match: RegExpExecArray | null): number | null {
  if (match === null) return null;
  return Number(match[1]) * (match[2] === 'G' ? 1 : match[2] === 'M' ? 1 / 1024 : 1 / 1024 / 1024);
}

function twoDigits(share: number): string {
  return String(Math.round(share * 100) / 100);
}
