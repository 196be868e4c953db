import type { Difference } from '../../src/core/compare-runs.js';
import type { GpuRow } from '../../src/core/view-models/gpus.js';
import type { HistoryRow } from '../../src/core/view-models/history.js';
import type { LogPaneModel, LogRow } from '../../src/core/view-models/log.js';
import type { PhaseRow, ScreenModel } from '../../src/core/view-models/screen.js';
import type { TriageCard } from '../../src/core/view-models/triage-card.js';
import { unlimited } from '../../src/time-box.js';

/** Rich models of the whole screen, as the fold would give them, for tests and for looking at. */
export function loadingModel(): ScreenModel {
  return {
    header: {
      host: 'gpu-17',
      hostname: 'h200-rack3-17',
      name: 'big-model',
      engine: 'SGLang 0.5.9',
      modelName: 'acme/large-moe-480b',
      attempt: 2,
      readOnly: false,
      link: { status: 'up', text: 'connected' },
      process: { status: 'alive', text: 'pid 41170 · 13 processes' },
      http: { ok: false, text: ':30000 /health 503' },
    },
    phases: loadingPhases,
    gpus: { rows: Array.from({ length: 8 }, (_, index) => gpuRow(index)), note: null, stale: false },
    log: logPane(sampleLines()),
    status: {
      outcome: 'loading',
      word: 'LOADING',
      provisional: false,
      summary: 'Load weights, 29 of 64 shards',
      evidence: [
        { witness: 'log', text: 'Load weight begin', lineNumber: 41 },
        { witness: 'http', text: ':30000 /health refused', lineNumber: null },
        { witness: 'process', text: 'pid 41170 alive', lineNumber: null },
      ],
      elapsedMs: 154_300,
      beat: 154,
      eta: '≈ 4–5 min left',
      etaMs: null,
      progress: 0.31,
      activity: 'disk 1.2 GB/s · CPU 7.8 cores',
      quietMs: 700,
    },
    focus: 'log',
    zoom: false,
    overlay: null,
    dialog: null,
    notice: null,
    theme: 0,
    mouse: false,
    card: null,
    phasesTop: null,
  };
}

/** The same launch after its end, with the triage card open. */
export function crashedModel(): ScreenModel {
  const model = loadingModel();
  return {
    ...model,
    header: { ...model.header, process: { status: 'gone', text: 'gone (exit 1)' } },
    phases: model.phases.map((phase) =>
      phase.id === 'weights' && phase.model === 'target'
        ? { ...phase, status: 'done', seconds: 312, progress: 1, detail: '64/64 shards' }
        : phase.id === 'weights'
          ? { ...phase, status: 'failed', seconds: 3.1, detail: 'AttributeError' }
          : phase,
    ),
    status: {
      ...model.status,
      outcome: 'crashed',
      word: 'CRASHED',
      summary: "AttributeError on TP0: no attribute 'set_eagle3_layers_to_capture'",
      eta: null,
      etaMs: null,
      progress: null,
      activity: '',
      elapsedMs: 389_000,
      beat: 389,
    },
    card: triageCard,
  };
}

export function readyModel(): ScreenModel {
  const model = loadingModel();
  return {
    ...model,
    header: { ...model.header, http: { ok: true, text: ':30000 /health 200' } },
    phases: model.phases.map((phase, index) => ({
      ...phase,
      status: 'done',
      progress: null,
      seconds: phase.seconds ?? 1.5 + index,
    })),
    status: {
      ...model.status,
      outcome: 'ready',
      word: 'READY',
      summary: 'The server is fired up and ready to roll!',
      eta: null,
      etaMs: null,
      progress: 1,
      activity: '',
      elapsedMs: 612_000,
      beat: 612,
    },
  };
}

export function stalledModel(): ScreenModel {
  const model = loadingModel();
  return {
    ...model,
    status: {
      ...model.status,
      outcome: 'stalled',
      word: 'STALLED',
      summary: 'Ranks joining: nothing has moved for 2:10, TP3 never came',
      eta: null,
      etaMs: null,
      activity: '',
      quietMs: 131_000,
    },
  };
}

/** The first moment of a watch whose log is not there. */
export function missingFileModel(): ScreenModel {
  const model = loadingModel();
  return {
    ...model,
    header: {
      ...model.header,
      engine: null,
      modelName: null,
      attempt: null,
      process: { status: 'alive', text: 'pid 41170 · 13 processes' },
      http: null,
    },
    phases: [],
    gpus: { rows: [], note: 'no GPU tool on this host', stale: false },
    log: {
      ...logPane([]),
      title: '~/logs/server.log',
      note: 'not there yet; the server writes to /data/logs/serve-4.log',
    },
    status: {
      ...model.status,
      outcome: 'unknown',
      word: 'UNKNOWN',
      summary: 'The log file is not there yet',
      evidence: [],
      elapsedMs: 4200,
      beat: 4,
      eta: null,
      etaMs: null,
      progress: null,
      activity: '',
      quietMs: null,
    },
  };
}

export function killDialogModel(): ScreenModel {
  return {
    ...loadingModel(),
    dialog: {
      kind: 'kill',
      title: 'Kill the server on gpu-17?',
      lines: [
        'pid 41170 and 12 processes below it, started 2 min ago by alice',
        'python -m sglang.launch_server --model-path acme/large-moe-480b --tp 8 --speculative-algorithm EAGLE3',
        'SIGTERM to the whole tree, SIGKILL to what is left after 10 s',
      ],
      steps: [],
      asking: false,
      editing: null,
      answer: null,
      signal: 'TERM',
      choices: 0,
      blocked: false,
      running: false,
      finished: false,
    },
  };
}

export function relaunchRunningModel(): ScreenModel {
  return {
    ...killDialogModel(),
    dialog: {
      kind: 'relaunch',
      title: 'Relaunch as attempt 3 under way',
      lines: [],
      steps: [
        { label: 'kill', text: 'Every process has gone', status: 'done', seconds: 2, details: [] },
        {
          label: 'GPUs free',
          text: 'The GPUs have given its memory back',
          status: 'done',
          seconds: 4,
          details: [],
        },
        { label: 'before', text: 'rm -rf ~/.cache/pycache', status: 'active', seconds: null, details: [] },
        { label: 'start', text: 'attempt 3', status: 'pending', seconds: null, details: [] },
      ],
      asking: false,
      editing: null,
      answer: null,
      signal: 'TERM',
      choices: 0,
      blocked: false,
      running: true,
      finished: false,
    },
  };
}

export function historyModel(): ScreenModel {
  return {
    ...loadingModel(),
    overlay: { kind: 'history', top: 0, rows: historyRows, chosen: 1, opened: null },
  };
}

export function argumentsModel(): ScreenModel {
  return {
    ...loadingModel(),
    overlay: {
      kind: 'arguments',
      top: 0,
      comparison: { with: 'attempt 1 (crashed)', other: 'the last good one, attempt 0 (ready)' },
      rows: [
        difference('launch', 'env', 'SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1', null, 'added'),
        difference('arguments', 'model_path', 'acme/large-moe-480b'),
        difference('arguments', 'tp_size', '8'),
        difference('arguments', 'context_length', '262144', '131072', 'changed'),
        difference('arguments', 'random_seed', '418', '90210', 'varies'),
        difference('arguments', 'speculative_algorithm', 'EAGLE3'),
        difference('packages', 'torch', '2.8.0', '2.7.1', 'changed'),
        difference('phases', 'weights', '72 s', '68 s', 'changed'),
      ],
    },
  };
}

const difference = (
  section: Difference['section'],
  name: string,
  value: string,
  was: string | null = null,
  mark: Difference['mark'] = 'same',
): Difference => ({ section, name, value, was, mark });

export const helpModel = (): ScreenModel => ({ ...loadingModel(), overlay: { kind: 'help', top: 0 } });

/** Held with lines below, filtered, some of them hostile or wide. */
export function filteredModel(): ScreenModel {
  const model = loadingModel();
  const pattern = /shard|loading/i;
  return {
    ...model,
    log: {
      ...logPane([...sampleLines(), ...hostileLines]),
      follow: false,
      newBelow: 312,
      filter: { text: 'shard|loading', editing: true, mode: 'highlight', error: null, pattern },
    },
  };
}

/** A pane over `lines` that follows the newest. */
export function logPane(lines: readonly LogRow[]): LogPaneModel {
  return {
    title: '~/logs/server.2.log',
    isOld: false,
    note: null,
    follow: true,
    newBelow: 0,
    total: lines.at(-1)?.number ?? 0,
    isEmpty: lines.length === 0,
    filter: { text: '', editing: false, mode: 'filter', error: null, pattern: null },
    slow: null,
    timeBox: unlimited,
    matched: null,
    errorsOnly: false,
    milestonesOnly: false,
    wrap: false,
    column: 0,
    shortStamps: false,
    rows: (height) => lines.slice(-height),
    rowsBelow: () => [],
    firstRows: (height) => lines.slice(0, height),
    hidden: 0,
    version: `${lines.length}`,
  };
}

export function logRow(number: number, text: string, more: Partial<LogRow> = {}): LogRow {
  return {
    seq: number,
    number,
    text,
    level: 'info',
    rank: null,
    milestone: false,
    fold: null,
    flag: null,
    ...more,
  };
}

/** Lines that try to write to the terminal: clipboard, title, cursor, colours, bell, C1. */
export const hostileLines: readonly LogRow[] = [
  logRow(901, 'clip\u001B]52;c;cHduZWQ=\u0007board and \u001B]0;pwned\u0007title'),
  logRow(902, 'cursor \u001B[2J\u001B[1;1Hhome \u001B[31mred\u001B[0m \u009B5mC1 \u0007bell'),
  logRow(903, 'tab\there\tand \u0008back \u202Ebidi'),
  logRow(904, '宽字符 loading 모델 로딩 🚀 emoji ✓ done'),
];

function sampleLines(): readonly LogRow[] {
  const clock = (index: number): string =>
    `2026-01-14 09:${String(12 + Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`;
  const rows: LogRow[] = [];
  const push = (text: string, more: Partial<LogRow> = {}): void => {
    rows.push(logRow(rows.length + 1, text, more));
  };
  push(
    `[${clock(1)}] server_args=ServerArgs(model_path='acme/large-moe-480b', tp_size=8, context_length=262144, speculative_algorithm='EAGLE3')`,
    { milestone: true },
  );
  for (let rank = 0; rank < 8; rank++) {
    push(`[${clock(5 + rank)} TP${rank}] Init torch distributed begin.`, {
      rank: `TP${rank}`,
      milestone: true,
    });
  }
  push(
    `[${clock(14)} TP0] Ignore import error when loading sglang.srt.models.extra: No module named 'extra'`,
    {
      rank: 'TP0',
      level: 'warning',
    },
  );
  for (let rank = 0; rank < 8; rank++) {
    push(`[${clock(20 + rank)} TP${rank}] Load weight begin. avail mem=139.21 GB`, {
      rank: `TP${rank}`,
      milestone: true,
    });
  }
  push(
    '/usr/lib/python3/dist-packages/requests/__init__.py:109: RequestsDependencyWarning: urllib3 doesn’t match',
    {
      level: 'warning',
    },
  );
  for (let index = 0; index < 12; index++) {
    push(
      `[${clock(30 + index)} TP${index % 8}] expert map of layer ${index * 5} placed, 12 of 96 experts local`,
      {
        rank: `TP${index % 8}`,
      },
    );
  }
  push('Traceback (most recent call last):', { level: 'error' });
  push(
    '  File "/opt/venv/lib/python3.12/site-packages/sglang/srt/models/large.py", line 390, in load_weights',
    {
      level: 'error',
    },
  );
  push("AttributeError: 'LargeForCausalLM' object has no attribute 'set_eagle3_layers_to_capture'", {
    level: 'error',
  });
  rows.push({
    seq: null,
    number: rows.length + 1,
    text: 'Loading safetensors checkpoint shards:  44% 28/64\rLoading safetensors checkpoint shards:  45% Completed | 29/64 [01:12<01:27,  2.49s/it]',
    level: 'progress',
    rank: null,
    milestone: false,
    fold: null,
    flag: null,
  });
  return rows;
}

const phase = (id: PhaseRow['id'], title: string, more: Partial<PhaseRow> = {}): PhaseRow => ({
  id,
  title,
  model: null,
  status: 'pending',
  seconds: null,
  earlierSeconds: null,
  progress: null,
  detail: null,
  behind: null,
  ...more,
});

const loadingPhases: readonly PhaseRow[] = [
  phase('launch', 'Process started', { status: 'done', seconds: 0.4 }),
  phase('args', 'Arguments read', { status: 'done', seconds: 7.8 }),
  phase('init', 'Engine and tokenizer', { status: 'done', seconds: 14.2 }),
  phase('distributed', 'Ranks joined', { status: 'done', seconds: 6.1, detail: '8 ranks' }),
  phase('weights', 'Load weights', {
    model: 'target',
    status: 'active',
    seconds: 72.4,
    progress: 29 / 64,
    detail: '29/64 shards',
  }),
  phase('kv-cache', 'KV cache', { model: 'target' }),
  phase('graphs', 'CUDA graphs', { model: 'target' }),
  phase('weights', 'Load weights', { model: 'draft' }),
  phase('kv-cache', 'KV cache', { model: 'draft' }),
  phase('graphs', 'CUDA graphs', { model: 'draft' }),
  phase('serving', 'HTTP is up'),
  phase('warmup', 'Warm-up'),
  phase('ready', 'Ready'),
];

function gpuRow(index: number): GpuRow {
  const used = 62_310 + index * 713;
  return {
    index,
    name: 'NVIDIA H200',
    memUsedMiB: used,
    memTotalMiB: 143_771,
    expectedShare: null,
    utilPercent: 4 + ((index * 13) % 90),
    temperatureC: 38 + index * 2,
    powerW: 118.4 + index * 9,
    history: Array.from({ length: 60 }, (_, step) => ((used / 143_771) * step) / 59),
    pid: 41_201 + index,
    rank: `TP${index}`,
    fault: null,
    kernel: null,
    mig: null,
  };
}

export const triageCard: TriageCard = {
  outcome: 'crashed',
  headline: 'The draft worker could not be set up: the target model has no EAGLE-3 hooks.',
  cause: {
    text: "AttributeError: 'LargeForConditionalGeneration' object has no attribute 'set_eagle3_layers_to_capture'",
    lineNumber: 1187,
    rank: 'TP0',
    where: 'srt/model_executor/model_runner.py:412 init_aux_hidden_state_capture',
    category: 'eagle3-target-unsupported',
    confidence: 0.97,
  },
  known: [],
  consequences: Array.from({ length: 46 }, (_, index) => ({
    lineNumber: 1188 + index * 3,
    line:
      index % 2 === 0
        ? `[2026-01-14 09:18:2${index % 10} TP${index % 8}] Scheduler hit an exception: Traceback (most recent call last):`
        : 'RuntimeError: Rank 0 scheduler is dead. Please check if there are relevant logs.',
  })),
  suspicions: [],
  remedies: [
    {
      id: 'eagle3-delegate',
      title: 'Give the wrapper class the method, delegating to its language model',
      why: 'The wrapper does not forward it; a three-line patch in a before step does.',
      change: null,
      url: 'https://docs.example.org/speculative-decoding',
      chosen: false,
    },
    {
      id: 'longer-context',
      title: 'Allow the longer context',
      why: 'The draft model says 131072, the command line 262144.',
      change: {
        env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' },
        args: ['--context-length', '131072'],
      },
      url: null,
      chosen: true,
    },
  ],
};

const historyRow = (attempt: number, more: Partial<HistoryRow>): HistoryRow => ({
  id: `boot ${attempt} 1`,
  attempt,
  outcome: 'crashed',
  cause: null,
  age: null,
  readySeconds: null,
  tookSeconds: null,
  change: null,
  remedy: null,
  helped: null,
  helpText: null,
  ...more,
});

const historyRows: readonly HistoryRow[] = [
  historyRow(4, { outcome: 'loading', age: 'just now', tookSeconds: 34 }),
  historyRow(3, {
    outcome: 'ready',
    age: '12 min ago',
    readySeconds: 634,
    tookSeconds: 634,
    change: 'SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1',
    remedy: 'Allow the longer context',
    helped: true,
    helpText: 'helped: Allow the longer context',
  }),
  historyRow(2, {
    cause: 'ValueError: draft max 131072 < 262144',
    age: '24 min ago',
    tookSeconds: 611,
    change: 'before: patch large.py',
    helped: true,
    helpText: 'got further: Capture graphs → Load weights (draft)',
  }),
  historyRow(1, {
    cause: 'AttributeError: set_eagle3_layers_to_capture',
    age: '2 h ago',
    tookSeconds: 389,
    change: '--mem-fraction-static 0.8',
    remedy: 'Give the weights less of the memory',
    helped: false,
    helpText: 'did not help: Give the weights less of the memory',
  }),
];

/** By name, for the runner that shows them. */
export const screenFixtures: Readonly<Record<string, () => ScreenModel>> = {
  loading: loadingModel,
  crashed: crashedModel,
  ready: readyModel,
  stalled: stalledModel,
  missing: missingFileModel,
  kill: killDialogModel,
  relaunch: relaunchRunningModel,
  history: historyModel,
  arguments: argumentsModel,
  help: helpModel,
  filtered: filteredModel,
};
