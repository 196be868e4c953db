import type { RemedyChange } from '../engines/ids.js';
import type { Level } from './finding.js';
import type { HostReport } from './host-report.js';
import type { LaunchPlan } from './plan.js';

/** All that a rule may look at. */
export interface Sight {
  readonly report: HostReport;
  readonly plan: LaunchPlan;
  /** The port that firedup itself was told; null: none. */
  readonly givenPort: number | null;
  /** How long the host had to answer (s). */
  readonly limitSeconds: number;
  /** Nothing of the launch can be changed: a container starts as it was made. */
  readonly isFixed?: boolean;
}

/** One look before a launch. */
export interface Rule {
  readonly id: string;
  /** Null: it does not apply, or another rule says it already. */
  readonly check: (sight: Sight) => Draft | readonly Draft[] | null;
}

/** A finding without its rule's id. */
export interface Draft {
  readonly level: Level;
  readonly subject: string;
  readonly text: string;
  readonly remedy?: string;
  readonly change?: RemedyChange;
}

export const ok = (subject: string, text: string): Draft => ({ level: 'ok', subject, text });

export const unchecked = (subject: string, text: string): Draft => ({ level: 'unchecked', subject, text });

export const warning = (subject: string, text: string, remedy?: string, change?: RemedyChange): Draft =>
  problem('warning', subject, text, remedy, change);

export const blocker = (subject: string, text: string, remedy?: string, change?: RemedyChange): Draft =>
  problem('blocker', subject, text, remedy, change);

/**
 * A blocker where the launch is known for certain; a warning where a shell line may still change things, or a profile that
 * did not answer.
 */
export const certain = ({ plan, report }: Sight): typeof blocker =>
  plan.isUncertain || (plan.byShell && report.unanswered.includes('login')) ? warning : blocker;

function problem(level: Level, subject: string, text: string, remedy?: string, change?: RemedyChange): Draft {
  return {
    level,
    subject,
    text,
    ...(remedy === undefined ? {} : { remedy }),
    ...(change === undefined ? {} : { change }),
  };
}

/** A variable as the launch will have it; null where only a shell could tell; undefined where it is not set. */
export function variable({ plan, report }: Sight, name: string): string | null | undefined {
  if (Object.hasOwn(plan.env, name)) return plan.env[name];
  return plan.cleanEnv ? undefined : report.env[name];
}

/** `1.5 GiB`, from KiB. */
export function sizeText(kib: number): string {
  if (kib < 1024) return `${Math.round(kib)} KiB`;
  if (kib < 1024 ** 2) return `${Math.round(kib / 1024)} MiB`;
  if (kib < 1024 ** 3) return `${trimmed(kib / 1024 ** 2)} GiB`;
  return `${trimmed(kib / 1024 ** 3)} TiB`;
}

const trimmed = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));
