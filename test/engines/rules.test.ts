import { describe, expect, it } from 'vitest';
import type { EngineProfile, LineRule } from '../../src/engines/profile.js';
import { engineProfiles } from '../../src/engines/registry.js';
import { engineProfileSchema } from '../../src/engines/schema.js';
import { clientRules } from '../../src/engines/shared/clients.js';
import { workRules } from '../../src/engines/shared/offline-work.js';
import { packageRules } from '../../src/engines/shared/packages.js';
import { requiredLiterals } from '../../src/ingest/literals.js';

describe('rules that hold for any engine', () => {
  it.each([...workRules, ...clientRules, ...packageRules])('$pattern', ({ pattern, samples }) => {
    expect(requiredLiterals(pattern)).not.toBeNull();
    for (const sample of samples) expect(sample).toMatch(new RegExp(pattern));
  });
});

describe.each(engineProfiles.map((profile) => ({ name: profile.id, profile })))('$name', ({ profile }) => {
  it('passes the schema that users’ own rules pass', () => {
    expect(engineProfileSchema.parse(profile)).toEqual(profile);
  });

  it('has rules that match each of their samples', () => {
    for (const { kind, rule } of lineRules(profile)) {
      expect(rule.samples.length, `${kind}: ${rule.pattern}`).toBeGreaterThan(0);
      for (const sample of rule.samples)
        expect(sample, `${kind}: ${rule.pattern}`).toMatch(new RegExp(rule.pattern));
    }
  });

  it('has words in every rule by which most lines are dismissed', () => {
    const blind = lineRules(profile).filter(
      ({ kind, rule }) =>
        !['prefix', 'progress', 'exception'].includes(kind) && requiredLiterals(rule.pattern) === null,
    );
    expect(blind.map(({ kind, rule }) => `${kind}: ${rule.pattern}`)).toEqual([]);
    for (const { rule } of lineRules(profile)) {
      const words = requiredLiterals(rule.pattern);
      if (words !== null)
        for (const sample of rule.samples)
          expect(
            words.some((word) => sample.includes(word)),
            `${rule.pattern} ~ ${sample}`,
          ).toBe(true);
    }
  });

  it('has phase lines that no rule of another phase takes', () => {
    for (const rule of profile.phases) {
      for (const sample of rule.samples) {
        const others = profile.phases.filter(
          (other) => other.phase !== rule.phase && new RegExp(other.pattern).test(sample),
        );
        expect(
          others.map((other) => other.pattern),
          sample,
        ).toEqual([]);
      }
    }
  });

  it('never takes a phase, ready or harmless line for a death', () => {
    const calm = [...profile.phases, ...profile.ready, ...profile.benign].flatMap((rule) => rule.samples);
    for (const sample of calm) {
      for (const rule of [...profile.death, ...profile.stopped]) {
        // What yields to a sign of life is a last word only, and harmless elsewhere.
        if (profile.id === 'python' || ('orderly' in rule && rule.orderly === true)) continue;
        expect(new RegExp(rule.pattern).test(sample), `${rule.pattern} ~ ${sample}`).toBe(false);
      }
    }
  });

  it('lists every phase that its lines can begin', () => {
    const planned = profile.checklist.map((plan) => plan.id);
    for (const { phase } of [...profile.phases, ...profile.progress]) expect(planned).toContain(phase);
    expect(planned).toContain('ready');
  });

  it('knows each failure’s own sample by its category', () => {
    for (const rule of profile.failures) {
      for (const sample of rule.samples) {
        const first = profile.failures.find(
          (other) =>
            (other.during === undefined || other === rule) &&
            (other.model === undefined || other === rule) &&
            new RegExp(other.pattern).test(sample),
        );
        expect(first?.category, sample).toBe(rule.category);
      }
    }
  });

  it('names remedies by ids, with words and usable changes', () => {
    for (const rule of profile.failures) {
      expect(rule.remedies.length, rule.category).toBeGreaterThan(0);
      for (const remedy of rule.remedies) {
        expect(remedy.id).toMatch(/^[a-z0-9-]+$/);
        expect(remedy.title.length).toBeGreaterThan(5);
        expect(remedy.why.length).toBeGreaterThan(5);
        if (remedy.change !== undefined)
          expect(
            (remedy.change.args?.length ?? 0) + Object.keys(remedy.change.env ?? {}).length,
          ).toBeGreaterThan(0);
      }
    }
  });
});

it('holds enough remedies for SGLang and vLLM', () => {
  const ids = engineProfiles
    .filter((profile) => profile.id === 'sglang' || profile.id === 'vllm')
    .flatMap((profile) =>
      profile.failures.flatMap((rule) => rule.remedies.map((remedy) => `${rule.category}/${remedy.id}`)),
    );
  expect(new Set(ids).size).toBeGreaterThanOrEqual(60);
});

function lineRules(profile: EngineProfile): readonly { readonly kind: string; readonly rule: LineRule }[] {
  const of = (kind: string, rules: readonly LineRule[]) => rules.map((rule) => ({ kind, rule }));
  return [
    ...of(
      'detect',
      profile.detect.filter((rule) => rule.pattern.startsWith('^') === false),
    ),
    ...of('prefix', profile.prefixes),
    ...of('phase', profile.phases),
    ...of('progress', profile.progress),
    ...of('run start', profile.runStart),
    ...of('args', profile.args),
    ...of('version', profile.version),
    ...of('port', profile.port),
    ...of('ready', profile.ready),
    ...of('death', profile.death),
    ...of('ended', profile.ended),
    ...of('stopped', profile.stopped),
    ...of('hang', profile.hang),
    ...of('benign', profile.benign),
    ...of('consequence', profile.consequences),
    ...of('hint', profile.hints),
    ...of(
      'line',
      profile.failures.filter((rule) => rule.on !== 'exception'),
    ),
    ...of(
      'exception',
      profile.failures.filter((rule) => rule.on === 'exception'),
    ),
  ];
}
