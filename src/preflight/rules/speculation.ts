import type { CommandLine, ContextRule } from '../../engines/command-line.js';
import { isAtLeast } from '../../triage/clock.js';
import { contextOf } from '../context-length.js';
import { certain, type Draft, ok, type Rule, type Sight, unchecked, variable, warning } from '../rule.js';

/** Whether the target bears the context that is asked for, the draft that of its target, and the target its draft. */
export const speculationRules: readonly Rule[] = [
  {
    id: 'context-length',
    check(sight) {
      const rule = sight.plan.engine?.contextRule;
      const own = lengthOf('target', rule, sight);
      const asked = askedLength(rule, sight);
      if (rule === undefined || own === null || asked === null || asked <= own) return null;
      return tooLong('context', 'the model', asked, own, rule, sight);
    },
  },
  {
    id: 'draft-context-length',
    check(sight) {
      const rule = sight.plan.engine?.contextRule;
      const draft = lengthOf('draft', rule, sight);
      if (rule === undefined || !rule.draftMustMatch || sight.report.models.draft === undefined) return null;
      if (!sight.plan.flags.isWhole || sight.plan.flags.get('contextLength') === null) {
        return unchecked('draft context', 'the context length is not on the command line');
      }
      const target = askedLength(rule, sight) ?? lengthOf('target', rule, sight);
      if (draft === null || target === null)
        return unchecked('draft context', 'config.json of target and draft do not tell it');
      if (target <= draft) return ok('draft context', `${draft} tokens, the target has ${target}`);
      return tooLong('draft context', 'the draft', target, draft, rule, sight);
    },
  },
  {
    id: 'draft-hook',
    check(sight) {
      const { plan, report } = sight;
      const hook = plan.engine?.draftHook;
      const algorithm = plan.flags.get('draftAlgorithm');
      if (hook === undefined || plan.engine === null || !algorithm) return null;
      if (!hook.algorithms.includes(algorithm.toUpperCase())) return null;
      const subject = algorithm.toUpperCase();
      const name = report.hook?.className ?? architecture(report.models.target?.config);
      if (name === null || plan.env.SGLANG_EXTERNAL_MODEL_PACKAGE !== undefined) {
        return unchecked(subject, 'the class of the target is not known');
      }
      const { title } = plan.engine;
      const version = report.package?.version ?? null;
      const since = hook.classSince[name];
      const tell = plan.flags.get('noGraphs') === undefined ? certain(sight) : warning;
      const remedy = lacksRemedy(plan.engine, since);
      switch (report.hook?.verdict) {
        case 'has':
          return ok(subject, `${name} has ${hook.method}`);
        case 'lacks':
          return tell(
            subject,
            `${name} has no ${hook.method}${version === null ? '' : ` in ${title} ${version}`}: it would crash at its CUDA graphs`,
            remedy,
          );
        default:
          if (since === undefined || version === null) {
            return unchecked(subject, `whether ${name} has ${hook.method} cannot be told from here`);
          }
          return isAtLeast(version, since)
            ? ok(subject, `${name} has ${hook.method} since ${title} ${since}, here is ${version}`)
            : tell(
                subject,
                `${name} has ${hook.method} only since ${title} ${since}, here is ${version}`,
                remedy,
              );
      }
    },
  },
  {
    id: 'engine-version',
    check: ({ plan, report }) =>
      report.package === null || plan.engine === null
        ? null
        : ok(plan.engine.title, `${report.package.version}, in ${report.package.site}`),
  },
];

function lacksRemedy({ title, draftHook }: CommandLine, since: string | undefined): string {
  const upgrade = since === undefined ? '' : `Upgrade ${title} to ${since} or later; or `;
  const text = `${upgrade}hand ${draftHook?.method} on to the inner language model in that class, or start without --speculative-algorithm.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function tooLong(
  subject: string,
  whose: string,
  asked: number,
  borne: number,
  rule: ContextRule,
  sight: Sight,
): Draft {
  const text = `${asked} tokens are asked for, and ${whose} bears ${borne}`;
  const allowed = variable(sight, rule.overrideVariable);
  if (allowed === null)
    return unchecked(subject, `${text}; whether ${rule.overrideVariable} is set cannot be told`);
  if (allowed !== undefined && /^(?:1|true|yes|y)$/i.test(allowed)) {
    return ok(subject, `${text}, which ${rule.overrideVariable}=${allowed} allows`);
  }
  const version = sight.report.package?.version ?? null;
  const refuses =
    version !== null &&
    rule.refusesIn.some(
      ([from, before]) => isAtLeast(version, from) && (before === null || !isAtLeast(version, before)),
    );
  const by = `${sight.plan.engine?.title}${version === null ? '' : ` ${version}`}`;
  const remedy = `Set ${rule.overrideVariable}=1, or give ${rule.contextFlag} ${borne}.`;
  const change = { env: { [rule.overrideVariable]: '1' } };
  const tell = refuses ? certain(sight) : warning;
  return tell(
    subject,
    refuses ? `${text}: ${by} refuses that` : `${text}: ${by} may refuse that`,
    remedy,
    change,
  );
}

function lengthOf(role: 'target' | 'draft', rule: ContextRule | undefined, { report }: Sight): number | null {
  const config = report.models[role]?.config ?? null;
  return rule === undefined || config === null ? null : contextOf(config, rule);
}

function askedLength(rule: ContextRule | undefined, { plan }: Sight): number | null {
  const given = rule === undefined ? undefined : plan.flags.get('contextLength');
  return given && /^\d+$/.test(given) ? Number(given) : null;
}

function architecture(config: Readonly<Record<string, unknown>> | null | undefined): string | null {
  const list = config?.architectures;
  const first: unknown = Array.isArray(list) ? list[0] : null;
  return typeof first === 'string' ? first : null;
}
