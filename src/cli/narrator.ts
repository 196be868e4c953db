import { launchEta } from '../core/eta.js';
import { phaseTitle } from '../core/phase-title.js';
import { reportFacts } from '../core/report-facts.js';
import { runPhases } from '../core/run-phases.js';
import { selectStatus } from '../core/select/screen.js';
import type { State } from '../core/state.js';
import { clockText, cutText } from '../core/words.js';
import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';
import type { Store } from '../runtime/store.js';
import type { Findings } from '../triage/findings.js';
import { type Change, describeChanges } from './changes.js';
import { jsonLine } from './json-line.js';

export interface Narrator {
  /** Prints the verdict and what belongs to it. */
  readonly finish: (state: State, outcome: string, text: readonly string[]) => void;
  readonly stop: () => void;
}

/**
 * Tells a watch as text, a line per change and at least one every `heartbeatMs`; or as JSON, one object a line
 * (`{"type":"state",…}`, at the end `{"type":"verdict",…}`). `write` gets whole lines.
 */
export function startNarrator(
  store: Store,
  options: { readonly json: boolean; readonly heartbeatMs: number; readonly write: (line: string) => void },
): Narrator {
  const beganAt = store.state().now;
  let before = store.state();
  let seen: Findings | null = null;
  let lastLineAt = before.now;

  const say = (state: State, change: Change | { readonly kind: 'waiting'; readonly text: string }): void => {
    lastLineAt = state.now;
    options.write(options.json ? stateJson(state, change) : plainLine(state.now - beganAt, change));
  };
  const unsubscribe = store.subscribe((state, event) => {
    for (const change of describeChanges(before, state, seen)) say(state, change);
    before = state;
    if (state.log.ahead === null) seen = state.reading.findings();
    if (event.type === 'tick' && state.now - lastLineAt >= options.heartbeatMs) {
      say(state, { kind: 'waiting', text: waitingText(state) });
    }
  });
  return {
    finish: (state, outcome, text) => {
      const failed = runPhases(state).find(({ status }) => status === 'failed');
      if (failed) say(state, { kind: 'phase', text: `${phaseTitle(failed)}: failed` });
      if (options.json) {
        const report = state.reading.report(reportFacts(state));
        const { summary, evidence } = state.verdict;
        options.write(jsonLine({ type: 'verdict', at: iso(state.now), outcome, summary, evidence, report }));
      } else {
        for (const line of text) options.write(sanitize(redact(line)));
      }
    },
    stop: unsubscribe,
  };
}

/** So much of a text that is told in full elsewhere as tells which it is. */
export const shortText = (text: string): string => cutText(text, 100);

/** `0:12  phase    Load weights`. */
function plainLine(
  elapsedMs: number,
  { kind, text }: { readonly kind: string; readonly text: string },
): string {
  if (kind === 'waiting') return `${clockText(elapsedMs).padStart(6)}  ${sanitize(redact(text))}`;
  // What a crash says is told in full at the end.
  const isTold = kind === 'suspicion' || (kind === 'verdict' && text.startsWith('CRASHED'));
  const words = sanitize(redact(text));
  return `${clockText(elapsedMs).padStart(6)}  ${kind.padEnd(9)} ${isTold ? shortText(words) : words}`;
}

/** `waiting · Load weights (29/64 shards) · 45 % · ≈ 2:10–2:50 left · disk 1.2 GB/s`. */
export function waitingText(state: State): string {
  const status = selectStatus(state);
  const active = state.reading.findings().phases.findLast((phase) => phase.status === 'active');
  const phase = active
    ? `${phaseTitle(active)}${active.detail ? ` (${active.detail})` : ''}`
    : status.summary;
  const percent = active?.progress == null ? '– %' : `${Math.round(100 * active.progress)} %`;
  const moves = status.activity === '' ? 'nothing moves' : status.activity;
  return ['waiting', phase, percent, status.eta ?? 'no estimate', moves]
    .filter((word) => word !== null)
    .join(' · ');
}

function stateJson(state: State, change: { readonly kind: string; readonly text: string }): string {
  const { verdict } = state;
  const findings = state.reading.findings();
  const active = findings.phases.findLast((phase) => phase.status === 'active');
  return jsonLine({
    type: 'state',
    at: iso(state.now),
    change: change.kind,
    text: change.text,
    outcome: verdict.outcome,
    provisional: verdict.provisional,
    engine: findings.engine,
    phase: findings.phase,
    phaseModel: findings.phaseModel,
    progress: active?.progress ?? null,
    detail: active?.detail ?? null,
    eta: etaJson(state),
    link: state.link.status,
    log: state.log.status,
    process: state.process.fact?.status ?? 'unknown',
  });
}

/** Seconds left as a range, of what and by what it is known; null without an estimate. */
function etaJson(state: State): object | null {
  const eta = launchEta(state);
  if (eta === null) return null;
  const seconds = (ms: number): number => Math.round(ms / 1000);
  return {
    lowSeconds: seconds(eta.lowMs),
    highSeconds: seconds(eta.highMs),
    of: eta.of,
    reason: eta.reason,
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
