import { describe, expect, it } from 'vitest';
import type { EngineProfile } from '../../src/engines/profile.js';
import { engineProfiles, profileOf } from '../../src/engines/registry.js';
import { listRules } from '../../src/engines/rule-list.js';
import { applyUserRules } from '../../src/engines/user-rules.js';
import { createReading, readAll } from '../../src/triage/reading.js';

const lesson = {
  id: 'fabric-manager-down',
  when: 'system not yet initialized \\(code (?<code>\\d+)\\)',
  title: 'Start the fabric manager',
  why: 'Code {code} means that it is down.',
  change: { env: { FABRIC: '{code}' } },
};

const crash = [
  "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1)",
  '[2026-03-01 12:00:09 TP0] Scheduler hit an exception: Traceback (most recent call last):',
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  'RuntimeError: system not yet initialized (code 802)',
];

describe('rules of the user', () => {
  it('name a failure and fill its remedy, in five lines', () => {
    const { remedies, rootCause } = report(crash, { sglang: { failures: [lesson] } });
    expect(rootCause?.category).toBe('fabric-manager-down');
    expect(remedies[0]).toEqual({
      id: 'fabric-manager-down',
      title: 'Start the fabric manager',
      why: 'Code 802 means that it is down.',
      change: { env: { FABRIC: '802' } },
      url: null,
    });
  });

  it('win over the built-in ones where both match', () => {
    const line = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB';
    const lines = [...crash.slice(0, 3), line];
    expect(report(lines, {}).rootCause?.category).not.toBe('ours');
    const ours = { id: 'ours', when: 'CUDA out of memory', title: 'Ask for another box', why: 'It is full.' };
    expect(report(lines, { sglang: { failures: [ours] } }).rootCause?.category).toBe('ours');
  });

  it('change no engine but their own, and never the built-in profiles', () => {
    const before = JSON.stringify(engineProfiles);
    const { profiles } = applied({ sglang: { failures: [lesson] } });
    expect(JSON.stringify(engineProfiles)).toBe(before);
    expect(profileOf('vllm', profiles)).toBe(profileOf('vllm'));
    expect(ruleCount(profileOf('sglang', profiles))).toBe(ruleCount(profileOf('sglang')) + 1);
  });

  it('make harmless what alarms, by a pattern alone', () => {
    const lines = [crash[0] ?? '', 'our_plugin: ERROR 17 is expected'];
    expect(report(lines, {}).suspicions).toHaveLength(1);
    expect(report(lines, { sglang: { benign: ['our_plugin: ERROR'] } }).suspicions).toHaveLength(0);
  });

  it('know a dying line, a phase and a ready line of a patched engine', () => {
    const lines = [crash[0] ?? '', 'acme: kernels are tuned', 'acme: rank 3 is gone for good'];
    const rules = {
      sglang: {
        phases: [{ when: 'acme: kernels', phase: 'compile' }],
        death: ['acme: rank \\d+ is gone'],
      },
    };
    expect(report(lines, {}).outcome).toBe('loading');
    expect(report(lines, rules)).toMatchObject({ outcome: 'crashed', phase: 'compile' });
    expect(report(['acme is up'], { sglang: { ready: ['acme is up'] } }, 'sglang').outcome).toBe('ready');
  });

  it('add a prefix behind the engine’s own, so that ranks and levels are read', () => {
    const rules = { sglang: { prefixes: ['<acme> (?<rank>TP\\d+) (?<level>[A-Z]+) '] } };
    const { profiles } = applied(rules);
    const own = profileOf('sglang').prefixes;
    expect(profileOf('sglang', profiles).prefixes.slice(0, own.length)).toEqual(own);
    const line = { number: 1, text: '<acme> TP3 ERROR something' };
    const reading = createReading({ engine: 'sglang', profiles });
    expect(reading.read(line, null)).toEqual({ rank: 'TP3', whose: 'TP3', level: 'error', milestone: false });
  });

  it('take built-in rules away by category, remedy or pattern', () => {
    const category = profileOf('sglang').failures[0]?.category ?? '';
    const pattern = profileOf('sglang').death[0]?.pattern ?? '';
    const sglang = profileOf('sglang', applied({ sglang: { off: [category, pattern] } }).profiles);
    expect(sglang.failures.map((rule) => rule.category)).not.toContain(category);
    expect(sglang.death.map((rule) => rule.pattern)).not.toContain(pattern);
  });

  it('change how long a phase may be quiet, and leave the rest of it', () => {
    const { profiles } = applied({ sglang: { checklist: [{ id: 'graphs', quietLimitMs: 1 }] } });
    const plans = profileOf('sglang', profiles).checklist;
    const before = profileOf('sglang').checklist;
    expect(plans).toEqual(
      before.map((plan) =>
        plan.id === 'graphs' && plan.model === 'target' ? { ...plan, quietLimitMs: 1 } : plan,
      ),
    );
  });

  it('add an engine that is detected by its lines', () => {
    const rules = {
      'acme-serve': {
        extends: 'vllm',
        detect: [{ when: 'acme_serve/', weight: 1000 }],
        ready: ['acme is up'],
      },
    };
    expect(report(['INFO acme_serve/main.py starts', 'acme is up'], rules)).toMatchObject({
      engine: 'acme-serve',
      outcome: 'ready',
    });
    expect(report(['INFO vllm/engine starts'], rules).engine).not.toBe('acme-serve');
  });
});

describe('wrong rules of the user are refused', () => {
  const failure = (rule: object) => ({ sglang: { failures: [{ ...lesson, ...rule }] } });

  it.each<[string, unknown, (string | number)[], RegExp]>([
    [
      'an expression',
      failure({ when: '(oops' }),
      ['sglang', 'failures', 0, 'when'],
      /not a regular expression.*Unterminated group/,
    ],
    [
      'a sample that does not match',
      failure({ sample: 'all is well' }),
      ['sglang', 'failures', 0],
      /does not match its own sample: all is well/,
    ],
    [
      'a sample of a plain rule',
      { sglang: { death: [{ when: 'abc', samples: ['abc', 'abd'] }] } },
      ['sglang', 'death', 0],
      /sample: abd/,
    ],
    [
      'a remedy without a reason',
      failure({ why: undefined }),
      ['sglang', 'failures', 0, 'why'],
      /must be text/,
    ],
    ['a number for a text', failure({ title: 5 }), ['sglang', 'failures', 0, 'title'], /must be text/],
    ['a list that is none', { sglang: { failures: {} } }, ['sglang', 'failures'], /must be a list/],
    ['an engine that is none', { sglang: [] }, ['sglang'], /must be a map/],
    ['no map of engines', ['sglang'], [], /must be a map/],
    ['a new engine without its lines', { sgalng: {} }, ['sgalng'], /needs detect/],
    ['a name with blanks', { 'Acme Serve': { detect: ['a'] } }, ['Acme Serve'], /is no name/],
  ])('%s', (_what, rules, path, text) => {
    const { problems } = applyUserRules(rules, engineProfiles);
    expect(problems[0]?.path).toEqual(path);
    expect(problems[0]?.text).toMatch(text);
  });

  it.each<[string, unknown, (string | number)[], string, string]>([
    ['key of a rule', failure({ titel: 'x' }), ['sglang', 'failures', 0], 'titel', 'title'],
    ['section', { sglang: { failurs: [] } }, ['sglang'], 'failurs', 'failures'],
    ['word', failure({ on: 'exceptoin' }), ['sglang', 'failures', 0, 'on'], 'exceptoin', 'exception'],
    [
      'phase',
      { sglang: { phases: [{ when: 'a', phase: 'graph' }] } },
      ['sglang', 'phases', 0, 'phase'],
      'graph',
      'graphs',
    ],
    ['engine to extend', { acme: { extends: 'vlm', detect: ['a'] } }, ['acme', 'extends'], 'vlm', 'vllm'],
    [
      'rule to take away',
      { sglang: { off: ['nothing'] } },
      ['sglang', 'off', 0],
      'nothing',
      'missing-method-eagle3',
    ],
  ])('an unknown %s, with what is known', (_what, rules, path, name, allowed) => {
    const { problems } = applyUserRules(rules, engineProfiles);
    const problem = problems.find(({ unknown }) => unknown !== undefined);
    expect(problem?.path).toEqual(path);
    expect(problem?.unknown?.name).toBe(name);
    expect(problem?.unknown?.allowed).toContain(allowed);
  });

  it('all at once, without a word about what is right', () => {
    const { problems, profiles } = applyUserRules(
      { sglang: { death: ['[', 'fine', '('] }, vllm: { ready: ['fine'] } },
      engineProfiles,
    );
    expect(problems.map(({ path }) => path)).toEqual([
      ['sglang', 'death', 0],
      ['sglang', 'death', 2],
    ]);
    expect(profileOf('sglang', profiles)).toBe(profileOf('sglang'));
  });
});

function applied(rules: unknown) {
  const result = applyUserRules(rules, engineProfiles);
  expect(result.problems).toEqual([]);
  return result;
}

function report(lines: readonly string[], rules: object, engine: 'sglang' | null = null) {
  const numbered = lines.map((text, index) => ({ number: index + 1, text }));
  return readAll(numbered, { profiles: applied(rules).profiles, engine }).report();
}

const ruleCount = (profile: EngineProfile): number => listRules(profile).length;
