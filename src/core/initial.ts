import { type TimeBox, unlimited } from '../time-box.js';
import type { Reading } from '../triage/findings.js';
import type { Target } from './events.js';
import type { Squeeze } from './log-chunk.js';
import { LogRing } from './log-ring.js';
import { emptyQuery } from './query.js';
import { noQuiet } from './quiet.js';
import { emptyRoster } from './roster.js';
import type { LogState, State } from './state.js';

/** Lines kept for the log pane; older ones are in the file. */
export const defaultRingCapacity = 2 ** 20;

/** The state before the first event. `reading` must be fresh: the fold feeds it from here on. */
export function initialState(options: {
  readonly target: Target;
  readonly reading: Reading;
  readonly now: number;
  readonly ringCapacity?: number;
  /** Keeps older lines of the log small in memory. */
  readonly squeeze?: Squeeze;
  /** Keeps patterns that the user types from taking for ever; without it they may. */
  readonly timeBox?: TimeBox;
  /** What a relaunch runs before the start. */
  readonly before?: readonly string[];
  /** False: it does not look at the host before that. */
  readonly looksFirst?: boolean;
}): State {
  return {
    now: options.now,
    beganAt: options.now,
    target: options.target,
    link: { status: 'connecting' },
    upSince: options.now,
    listeningSince: options.now,
    host: null,
    log: emptyLog(
      new LogRing(options.ringCapacity ?? defaultRingCapacity, { squeeze: options.squeeze ?? null }),
    ),
    timeBox: options.timeBox ?? unlimited,
    reading: options.reading,
    process: {
      fact: null,
      at: options.now,
      seenAlive: false,
      lastSeen: null,
      aliveSince: null,
      startedAt: null,
      changedAt: null,
      successor: null,
      endedByUs: false,
    },
    health: null,
    gpus: null,
    activity: {
      sample: null,
      at: null,
      ratesFrom: null,
      ioWaits: [],
      coveredSince: null,
      mark: null,
      movedAt: null,
      busyAt: null,
      readBytesPerSecond: 0,
      rssMiBps: 0,
      cachedMiBps: 0,
      rxBytesPerSecond: 0,
      cores: 0,
      isCompiling: false,
    },
    quiet: noQuiet,
    roster: emptyRoster,
    modelBytes: null,
    weightsMark: null,
    diskReads: null,
    attempt: null,
    ranBefore: null,
    history: [],
    sealed: null,
    readySince: null,
    form: { env: {}, args: [], before: options.before ?? [], edited: null },
    looksFirst: options.looksFirst ?? true,
    verdict: {
      outcome: 'unknown',
      provisional: true,
      summary: `connecting to ${options.target.host}`,
      evidence: [],
      since: options.now,
    },
    hasJudged: false,
    action: null,
    dialog: null,
    view: {
      focus: 'log',
      overlay: null,
      cardHidden: false,
      anchor: null,
      hidden: 0,
      column: 0,
      folds: true,
      opened: new Set(),
      found: null,
      marks: [],
      shortStamps: false,
      filter: {
        text: '',
        editing: false,
        mode: 'filter',
        query: emptyQuery,
        error: null,
        past: [],
        recalled: null,
      },
      shown: null,
      hits: null,
      errorsOnly: false,
      milestonesOnly: false,
      wrap: false,
      zoom: false,
      mouse: false,
      overlayTop: 0,
      phasesTop: null,
      chosen: null,
      isOpened: false,
      compareWith: 'previous',
      theme: 0,
    },
    notice: null,
  };
}

/** Nothing is known of a log yet; its lines go on in `ring`. */
export function emptyLog(ring: LogRing): LogState {
  return {
    path: null,
    run: null,
    status: 'unknown',
    detail: null,
    offset: 0,
    size: 0,
    modifiedAt: null,
    caughtUp: false,
    awaited: false,
    heardAt: null,
    before: null,
    gapBytes: 0,
    gaps: 0,
    ring,
    runFrom: ring.end,
    ahead: null,
    partial: '',
    lastAt: null,
    clockOffsetMs: null,
  };
}
