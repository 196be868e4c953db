import type {
  Card,
  GpuReport,
  GpuUse,
  HookReport,
  HostReport,
  ModelReport,
  ModelRole,
  Room,
} from './host-report.js';

/** One line of the script, its words decoded. */
export interface ReportLine {
  readonly key: string;
  readonly words: readonly string[];
}

/** Folds the script's lines. `configs` are the bytes of config files as text, by role. */
export function readReport(
  lines: readonly ReportLine[],
  configs: Readonly<Partial<Record<ModelRole, string>>>,
): HostReport {
  const all = (key: string) => lines.filter((line) => line.key === key).map(({ words }) => words);
  const first = (key: string): readonly string[] => all(key)[0] ?? [];
  const at = (key: string, index = 0): string => first(key)[index] ?? '';
  const ended = new Set(all('end').map(([name]) => name));
  const unanswered = all('begin').flatMap(([section = '']) => (ended.has(section) ? [] : [section]));
  const amdTool = first('amd-tool');
  const [word, found = '', how = ''] = first('command');
  const [name, version = '', site = ''] = first('package');
  return {
    kernel: at('kernel'),
    user: at('user'),
    uid: Number(at('user', 1) || -1),
    loginShell: at('login-shell'),
    sh: at('login-shell', 1),
    tools: new Map(all('tool').map(([tool = '', path = '']) => [tool, path])),
    python: at('python'),
    proc: at('proc') === 'yes',
    hidepid: at('hidepid') === '2' ? 2 : at('hidepid') === '1' ? 1 : 0,
    ptraceScope: numberOf(at('ptrace-scope')),
    dmesg: first('dmesg').length === 0 ? null : at('dmesg') === 'yes',
    memAvailableKiB: numberOf(all('memory').find(([key]) => key === 'MemAvailable:')?.[1] ?? ''),
    // The profile of a login shell comes last.
    env: Object.fromEntries(
      [...all('env'), ...all('login-env')].map(([key = '', value = '']) => [key, value]),
    ),
    hasToken: all('token').length > 0,
    shm: roomOf(first('shm')),
    state: roomOf(first('state')),
    // Half of the cards must not look like all of them.
    gpus: unanswered.includes('gpus')
      ? { status: 'absent' }
      : gpusOf(
          first('gpu-status'),
          all('gpu').map(([text = '']) => text),
        ),
    apps: all('gpu-app').flatMap(([text = '']) => appOf(text) ?? []),
    amd: {
      gpus: Number(at('amd-gpus') || 0),
      tool: amdTool[0] ?? null,
      code: Number(amdTool[1] ?? 0),
      answer: amdTool[2] ?? '',
    },
    listeners: all('listener').map(([port = '', addressHex = '', uid = '', pid = '']) => ({
      port: Number(port),
      addressHex,
      uid: Number(uid),
      pid: pid === '' ? null : Number(pid),
    })),
    processes: new Map(
      all('process').map(([pid = '', owner = '', argv = '']) => [
        Number(pid),
        { owner, argv: argv.replace(/\0+$/, '').split('\0') },
      ]),
    ),
    cwd: first('cwd').length === 0 ? null : { path: at('cwd'), kind: at('cwd', 1) },
    log: roomOf(first('log')),
    logIsFolder: first('log-is-folder')[0] ?? null,
    logDenied: first('log-denied')[0] ?? null,
    command: word === undefined ? null : { word, found, how },
    package: name === undefined ? null : { name, version, site },
    hook: hookOf(first('hook')),
    models: modelsOf(all, configs, unanswered),
    hubRoom: roomOf(first('hub-room')),
    unanswered,
  };
}

function roomOf(words: readonly string[]): Room | null {
  const [path, near = '', writable, free = '', total = ''] = words;
  if (path === undefined) return null;
  return { path, near, writable: writable === 'yes', freeKiB: numberOf(free), totalKiB: numberOf(total) };
}

function gpusOf([code]: readonly string[], rows: readonly string[]): GpuReport {
  if (code === undefined) return { status: 'absent' };
  const cards: Card[] = [];
  let driver = '';
  for (const row of rows) {
    const parts = row.split(',').map((part) => part.trim());
    const [index = '', uuid = ''] = parts;
    if (!/^\d+$/.test(index) || parts.length < 6) continue;
    const [total = '', used = '', version = ''] = parts.slice(-3);
    driver = version;
    cards.push({
      index: Number(index),
      uuid,
      name: parts.slice(2, -3).join(', '),
      totalMiB: numberOf(total),
      usedMiB: numberOf(used),
    });
  }
  cards.sort((one, other) => one.index - other.index);
  if (cards.length > 0) return { status: 'ok', cards, driver };
  const words = rows.map((row) => row.trim()).filter((row) => row !== '' && row !== 'Killed');
  // What NVML could not do stands first, advice and versions below it.
  return { status: 'failed', reason: words[0] ?? '', code: Number(code) };
}

function appOf(text: string): GpuUse | null {
  const [pid = '', uuid = '', used = ''] = text.split(',').map((part) => part.trim());
  return /^\d+$/.test(pid) ? { pid: Number(pid), uuid, usedMiB: numberOf(used) } : null;
}

function hookOf([className, method = '', verdict = '', folder = '']: readonly string[]): HookReport | null {
  if (className === undefined) return null;
  return {
    className,
    method,
    verdict: verdict === 'has' || verdict === 'lacks' ? verdict : 'unknown',
    folder,
  };
}

function modelsOf(
  all: (key: string) => readonly (readonly string[])[],
  configs: Readonly<Partial<Record<ModelRole, string>>>,
  unanswered: readonly string[],
): Partial<Record<ModelRole, ModelReport>> {
  const models: Partial<Record<ModelRole, ModelReport>> = {};
  for (const role of ['target', 'draft'] as const) {
    const of = (key: string) => all(key).find(([which]) => which === role);
    const [, path = '', kind = ''] = of('model') ?? [];
    // Half an answer must not look like a file that is missing.
    if (!isKind(kind) || unanswered.includes(role)) continue;
    const [, bytes = '', shards = '', promised = ''] = of('weights') ?? [];
    models[role] = {
      path,
      kind,
      config: objectOf(configs[role] ?? ''),
      hasConfig: of('config') !== undefined,
      needsNoConfig: of('no-config-needed') !== undefined,
      weightBytes: numberOf(bytes) || null,
      shards: Number(shards || 0),
      shardsPromised: Number(promised || 0),
    };
  }
  return models;
}

const isKind = (text: string): text is ModelReport['kind'] =>
  ['folder', 'file', 'missing', 'hub', 'cached'].includes(text);

const numberOf = (text: string): number | null => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null);

function objectOf(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
