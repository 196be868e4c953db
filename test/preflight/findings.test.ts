import { describe, expect, it } from 'vitest';
import type { Level } from '../../src/preflight/finding.js';
import { findingsOf, launchRules } from '../../src/preflight/findings.js';
import type { HostReport } from '../../src/preflight/host-report.js';
import { hostFindings } from '../../src/preflight/host-rules.js';
import { planLaunch } from '../../src/preflight/plan.js';
import { readReport } from '../../src/preflight/read-host-report.js';

const sglang = ['python3', '-m', 'sglang.launch_server', '--model-path', '/m', '--tp', '8'];
const eagle = [...sglang, '--speculative-algorithm', 'EAGLE3', '--speculative-draft-model-path', '/d'];

/** A host on which nothing is in the way, in the script's own words. */
function report(more: readonly string[] = [], less: RegExp = /^$/, configs = {}): HostReport {
  const cards = Array.from({ length: 8 }, (_, n) => `gpu\t${n}, GPU-${n}, NVIDIA H200, 143771, 4, 535.1`);
  const lines = [
    'kernel\tLinux 6',
    'user\talice\t1000',
    'tool\tsetsid\t/bin/setsid',
    'proc\tyes',
    'cwd\t/home/alice\tfolder',
    'log\t/s/log/\t/s\tyes\t90000000\t99000000',
    'state\t/s\t/s\tyes\t90000000\t99000000',
    'shm\t/dev/shm\t/dev/shm\tyes\t60000000\t60000000',
    'gpu-status\t0',
    ...cards,
    'command\tpython3\t/usr/bin/python3\tnone',
    'package\tsglang\t0.5.9\t/v/lib/python3.12/site-packages',
    'model\ttarget\t/m\tfolder',
    'config\ttarget',
    'weights\ttarget\t547000000000\t64\t64',
    'model\tdraft\t/d\tfolder',
    'config\tdraft',
    'weights\tdraft\t5000000000\t1\t0',
    'hook\tLlamaForCausalLM\tset_eagle3_layers_to_capture\thas\t/f',
  ];
  const all = {
    target: '{"max_position_embeddings":262144,"architectures":["A"]}',
    draft: '{"max_position_embeddings":262144}',
    ...configs,
  };
  return readReport(
    [...lines.filter((line) => !less.test(line)), ...more].map((line) => {
      const [key = '', ...words] = line.split('\t');
      return { key, words };
    }),
    all,
  );
}

interface Case {
  readonly command?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly port?: number;
  readonly report?: HostReport;
}

function look({ command = eagle, env = {}, cwd, port, report: seen = report() }: Case) {
  const plan = planLaunch({ command, shell: false, env, cleanEnv: false, cwd: cwd ?? null, log: null });
  return findingsOf({ plan, report: seen, givenPort: port ?? null, limitSeconds: 2 });
}

const shorterDraft = { draft: '{"max_position_embeddings":131072}' };
const version = (text: string) => `package\tsglang\t${text}\t/v`;
const used = (n: number, mib: number) => `gpu\t${n}, GPU-${n}, NVIDIA H200, 143771, ${mib}, 535.1`;
const holder = ['gpu-app\t77, GPU-3, 11000', 'process\t77\tbob\tpython3\0train.py\0--api-key\0sesame\0'];

const cases: readonly (readonly [string, Level, RegExp, Case])[] = [
  ['command', 'ok', /\/usr\/bin\/python3/, {}],
  ['command', 'blocker', /not found in PATH/, { report: report(['command\tpython3\t\tnone'], /^command/) }],
  [
    'command',
    'blocker',
    /no bash/,
    { command: ['python3 x.py'], report: report(['command\tpython3\t\tno-bash'], /^command/) },
  ],
  [
    'command',
    'unchecked',
    /without what stands before/,
    {
      command: ['conda activate x; python3 -m sglang.launch_server'],
      report: report(['command\tpython3\t\tnone'], /^command/),
    },
  ],
  ['command', 'unchecked', /only that shell/, { command: ['if a; then b; fi'] }],
  [
    'cwd',
    'warning',
    /there is no \/x/,
    { command: ['mkdir -p /x && cd /x && sglang serve'], report: report(['cwd\t/x\tmissing'], /^cwd/) },
  ],
  [
    'command',
    'blocker',
    /HF_TOKEN=… is no program/,
    {
      command: ['HF_TOKEN=hf_abc', 'sglang'],
      report: report(['command\tHF_TOKEN=hf_abc\t\tnone'], /^command/),
    },
  ],
  // The profile did not answer: it may well say where the cache is.
  [
    'model',
    'warning',
    /HF_HUB_OFFLINE is set/,
    {
      command: ['sglang serve --model-path org/m'],
      env: { HF_HUB_OFFLINE: '1' },
      report: report(['begin\tlogin', 'model\ttarget\torg/m\thub'], /^model\ttarget/),
    },
  ],
  ['cwd', 'blocker', /there is no \/x/, { cwd: '/x', report: report(['cwd\t/x\tmissing'], /^cwd/) }],
  ['cwd', 'blocker', /cannot be entered/, { cwd: '/x', report: report(['cwd\t/x\tdenied'], /^cwd/) }],
  ['log', 'blocker', /cannot be written/, { report: report(['log\t/s\t/s\tno\t1\t1'], /^log/) }],
  ['log', 'blocker', /full/, { report: report(['log\t/s\t/s\tyes\t0\t99'], /^log/) }],
  ['log', 'warning', /only 5 MiB free/, { report: report(['log\t/s\t/s\tyes\t5120\t99'], /^log/) }],
  ['log', 'blocker', /is a folder/, { report: report(['log-is-folder\t/s']) }],
  ['state-folder', 'blocker', /cannot be written/, { report: report(['state\t/s\t/s\tno\t1\t1'], /^state/) }],
  ['setsid', 'blocker', /none/, { report: report([], /^tool/) }],
  ['port', 'ok', /free/, {}],
  [
    'port',
    'blocker',
    /taken by pid 9 of bob \(nginx\)/,
    { report: report(['listener\t30000\t00000000\t0\t9', 'process\t9\tbob\tnginx\0']) },
  ],
  ['port', 'blocker', /uid 0 that cannot be seen/, { report: report(['listener\t30000\t0100007F\t0\t']) }],
  ['port', 'ok', /free/, { report: report(['listener\t30000\t0500A8C0\t0\t9']) }],
  // IPv6 is in the way of IPv4 only as `::`, where that takes both.
  ['port', 'blocker', /taken/, { report: report([`listener\t30000\t${'0'.repeat(32)}\t0\t9`]) }],
  ['port', 'ok', /free/, { report: report(['listener\t30000\tv6only\t0\t9']) }],
  ['port', 'ok', /free/, { report: report(['listener\t30000\t00000000000000000000000001000000\t0\t9']) }],
  [
    'port',
    'blocker',
    /taken/,
    { report: report(['listener\t30000\t0000000000000000FFFF00000100007F\t0\t9']) },
  ],
  [
    'port',
    'warning',
    /perhaps on another address/,
    { command: [...eagle, '--host', 'node7'], report: report(['listener\t30000\t0100007F\t0\t9']) },
  ],
  ['port', 'warning', /told to wait for port 1234/, { port: 1234 }],
  ['driver', 'ok', /535\.1, 8 × NVIDIA H200/, {}],
  [
    'driver',
    'blocker',
    /Driver\/library version mismatch/,
    {
      report: report(
        [
          'gpu-status\t18',
          'gpu\tFailed to initialize NVML: Driver/library version mismatch',
          'gpu\tNVML library version: 550.1',
        ],
        /^gpu/,
      ),
    },
  ],
  ['driver', 'warning', /did not answer within 2 s/, { report: report(['gpu-status\t137'], /^gpu/) }],
  ['driver', 'warning', /did not answer within 2 s/, { report: report(['begin\tgpus'], /^gpu/) }],
  ['driver', 'warning', /neither nvidia-smi/, { report: report([], /^gpu/) }],
  ['gpu-count', 'ok', /8 wanted, 8 here/, {}],
  [
    'gpu-count',
    'blocker',
    /8 wanted, 4 by CUDA_VISIBLE_DEVICES=0,1,2,3/,
    { env: { CUDA_VISIBLE_DEVICES: '0,1,2,3' } },
  ],
  ['gpu-count', 'blocker', /8 wanted, 2 by/, { env: { CUDA_VISIBLE_DEVICES: 'GPU-0,GPU-1,9,2' } }],
  ['gpu-count', 'blocker', /16 wanted, 8 here/, { command: [...sglang, '--pp-size', '2'] }],
  ['gpu-count', 'blocker', /16 wanted/, { command: [...sglang, '--dp', '2'] }],
  ['gpu-count', 'ok', /8 wanted/, { command: [...sglang, '--dp', '8', '--enable-dp-attention'] }],
  ['gpu-count', 'ok', /8 wanted/, { command: [...sglang, '--pp', '2', '--nnodes', '2', '--node-rank', '0'] }],
  ['gpu-count', 'unchecked', /cannot be told/, { command: ['sglang serve --tp $N'] }],
  ['gpu-memory', 'ok', /free on all 8/, {}],
  [
    'gpu-memory',
    'warning',
    /11 GiB of 140 GiB held by pid 77 of bob \(python3 train.py --api-key \*\*\*\)/,
    { report: report([used(3, 11000), ...holder], /^gpu\t3,/) },
  ],
  [
    'gpu-memory',
    'blocker',
    /share of the weights alone is 64 GiB/,
    { report: report([used(3, 120000)], /^gpu\t3,/) },
  ],
  [
    'model',
    'blocker',
    /there is no \/m/,
    { report: report(['model\ttarget\t/m\tmissing'], /^model\ttarget/) },
  ],
  ['model', 'blocker', /has no config\.json/, { report: report([], /^config\ttarget/) }],
  [
    'model',
    'warning',
    /will be downloaded into \/c \(86 GiB free\)/,
    { report: report(['model\ttarget\t/m\thub', 'hub-room\t/c\t/c\tyes\t90000000\t1'], /^model\ttarget/) },
  ],
  [
    'model',
    'blocker',
    /HF_HUB_OFFLINE/,
    { env: { HF_HUB_OFFLINE: '1' }, report: report(['model\ttarget\t/m\thub'], /^model\ttarget/) },
  ],
  ['model', 'ok', /cache of the hub/, { report: report(['model\ttarget\t/c/x\tcached'], /^model\ttarget/) }],
  [
    'draft-model',
    'blocker',
    /there is no \/d/,
    { report: report(['model\tdraft\t/d\tmissing'], /^model\tdraft/) },
  ],
  [
    'shards',
    'warning',
    /only 60 of 64/,
    { report: report(['weights\ttarget\t500000000000\t60\t64'], /^weights\ttarget/) },
  ],
  ['weights', 'ok', /509 GiB of weights, 64 GiB on each/, {}],
  ['weights', 'warning', /cannot fit/, { command: [...sglang.slice(0, -1), '2'] }],
  [
    'hub-token',
    'warning',
    /no token/,
    {
      command: ['vllm', 'serve', 'meta-llama/x'],
      report: report(['model\ttarget\tx\thub'], /^model\ttarget/),
    },
  ],
  ['draft-context-length', 'ok', /262144 tokens, the target has 262144/, {}],
  [
    'draft-context-length',
    'blocker',
    /262144 tokens are asked for, and the draft bears 131072: SGLang 0\.5\.9 refuses/,
    { report: report([], /^$/, shorterDraft) },
  ],
  [
    'draft-context-length',
    'warning',
    /0\.4\.9 may refuse/,
    { report: report([version('0.4.9')], /^package/, shorterDraft) },
  ],
  [
    'draft-context-length',
    'blocker',
    /0\.4\.3\.post4 refuses/,
    { report: report([version('0.4.3.post4')], /^package/, shorterDraft) },
  ],
  ['draft-context-length', 'warning', /SGLang may refuse/, { report: report([], /^package/, shorterDraft) }],
  [
    'draft-context-length',
    'ok',
    /=1 allows/,
    { env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' }, report: report([], /^$/, shorterDraft) },
  ],
  [
    'draft-context-length',
    'ok',
    /131072 tokens, the target has 65536/,
    { command: [...eagle, '--context-length', '65536'], report: report([], /^$/, shorterDraft) },
  ],
  [
    'context-length',
    'blocker',
    /300000 tokens are asked for, and the model bears 262144/,
    { command: [...sglang, '--context-length', '300000'] },
  ],
  ['draft-hook', 'ok', /has set_eagle3/, {}],
  [
    'draft-hook',
    'blocker',
    /LlamaX has no set_eagle3_layers_to_capture in SGLang 0\.5\.9/,
    { report: report(['hook\tLlamaX\tm\tlacks\t/f'], /^hook/) },
  ],
  [
    'draft-hook',
    'warning',
    /LlamaX has no/,
    { command: [...eagle, '--disable-cuda-graph'], report: report(['hook\tLlamaX\tm\tlacks\t/f'], /^hook/) },
  ],
  [
    'draft-hook',
    'blocker',
    /only since SGLang 0\.5\.10, here is 0\.5\.9/,
    { report: report(['hook\tKimiK25ForConditionalGeneration\tm\tunknown\t/f'], /^hook/) },
  ],
  [
    'draft-hook',
    'ok',
    /since SGLang 0\.5\.10, here is 0\.5\.12/,
    {
      report: report(
        [version('0.5.12'), 'hook\tKimiK25ForConditionalGeneration\tm\tunknown\t/f'],
        /^(hook|package)/,
      ),
    },
  ],
  ['draft-hook', 'unchecked', /cannot be told/, { report: report([], /^hook/) }],
  ['engine-version', 'ok', /0\.5\.9/, {}],
  [
    'shm',
    'warning',
    /64 MiB, 64 MiB free: NCCL of 8 ranks/,
    { report: report(['shm\t/dev/shm\t/dev/shm\tyes\t65536\t65536'], /^shm/) },
  ],
  [
    'no-answer',
    'warning',
    /did not answer within 2 s/,
    { report: report(['begin\ttarget'], /^model\ttarget/) },
  ],
];

describe('pre-flight', () => {
  it.each(cases)('%s: %s %s', (id, level, text, given) => {
    const found = look(given).filter((finding) => finding.id === id);
    expect(found, JSON.stringify(look(given), null, 1)).toHaveLength(1);
    expect(found[0]).toMatchObject({ level });
    expect(found[0]?.text).toMatch(text);
    if (level === 'blocker') expect(found[0]?.remedy?.text).toMatch(/\w/);
  });

  it('has a case for every rule', () => {
    expect(
      [...new Set(launchRules.map(({ id }) => id))].filter((id) => !cases.some(([other]) => other === id)),
    ).toEqual([]);
  });

  it('has nothing in the way of a sound launch', () => {
    expect(look({}).filter(({ level }) => level === 'blocker' || level === 'warning')).toEqual([]);
  });

  it('says only warnings of a line whose course only a shell knows', () => {
    const line = `module load x; ${eagle.join(' ')}`;
    const bad = report(
      ['model\ttarget\t/m\tmissing', 'listener\t30000\t00000000\t0\t9'],
      /^model\ttarget/,
      shorterDraft,
    );
    expect(look({ command: [line], report: bad }).filter(({ level }) => level === 'blocker')).toEqual([]);
  });

  it('takes half an answer for none', () => {
    const cut = report(['begin\tgpus', 'begin\ttarget'], /^(?:config\ttarget|gpu\t[2-7])/);
    expect(look({ report: cut }).filter(({ level }) => level === 'blocker')).toEqual([]);
  });

  it('proposes changes that a relaunch can take', () => {
    const change = (id: string, given: Case) =>
      look(given).find((finding) => finding.id === id)?.remedy?.change;
    expect(
      change('port', {
        report: report(['listener\t30000\t00000000\t0\t9', 'listener\t30001\t00000000\t0\t9']),
      }),
    ).toEqual({ args: ['--port', '30002'] });
    expect(change('gpu-count', { env: { CUDA_VISIBLE_DEVICES: '0,1,2,3,4' } })).toEqual({
      args: ['--tp', '4'],
    });
    expect(change('draft-context-length', { report: report([], /^$/, shorterDraft) })).toEqual({
      env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' },
    });
    expect(
      change('gpu-memory', {
        command: [...sglang.slice(0, -1), '4'],
        report: report([used(3, 11000)], /^gpu\t3,/),
      }),
    ).toEqual({
      env: { CUDA_VISIBLE_DEVICES: '0,1,2,4' },
    });
  });
});

describe('the clock of a host', () => {
  const clock = (clockSkewMs: number) => {
    const plan = planLaunch({ command: eagle, shell: false, env: {}, cleanEnv: false, cwd: null, log: null });
    const way = {
      label: 'gpu',
      via: 'ssh2',
      hostname: 'gpu',
      answerMs: 1,
      sessions: null,
      servers: [],
    } as const;
    const sight = { plan, report: report(), givenPort: null, limitSeconds: 2 };
    return hostFindings({ ...way, clockSkewMs }, sight).find(({ subject }) => subject === 'clock')?.text;
  };
  it.each([
    [7_000, '7 s ahead of ours'],
    [-240_000, '4 min behind ours'],
    [18_000_000, '5.0 h ahead of ours'],
    [-864_000_000, '10 days behind ours'],
  ])('that is %d ms off is told in a unit that people use', (skewMs, text) => {
    expect(clock(skewMs)).toBe(text);
  });
});
