import { join } from 'node:path';
import type { Target } from '../../core/events.js';
import { launchSpec } from '../../core/launch-spec.js';
import { usableRemedy } from '../../core/relaunch-form.js';
import { type DemoWorld, startDemo } from '../../demo/world.js';
import { exitCodes } from '../../errors.js';
import { connectHost } from '../../host/connect.js';
import { noPrompts } from '../../host/prompts.js';
import type { HostSpec } from '../../host/spec.js';
import { launchCommand } from '../../runtime/actions/launch.js';
import type { Watch } from '../../runtime/watch.js';
import { setLastWill } from '../last-will.js';
import { type PresentOptions, presentation } from '../present.js';
import { showWatch } from '../show-watch.js';

export interface DemoCommandOptions extends PresentOptions {
  readonly scenario?: string;
  readonly speed: number;
  readonly headless?: boolean;
}

/** `firedup demo`: a whole launch on a simulated box, through the same client code as a real one. */
export async function demo(options: DemoCommandOptions): Promise<void> {
  const how = presentation(options, options.headless ? 'text' : 'screen');
  const world = await startDemo({
    scenario: options.scenario ?? (how.screen ? 'story' : 'ready'),
    speed: options.speed,
  });
  process.once('SIGHUP', () => void world.stop().then(() => process.exit(129)));
  setLastWill(world.stop);
  const interruption = stopOnSignals(world);
  try {
    const watched = await launchIn(world, options.speed);
    ({ exitCode: process.exitCode } = await showWatch(watched, how, async (watch) => {
      // The screen has the signals to itself: an editor that it lends the terminal to may cause some.
      if (how.screen) interruption.release();
      proposeRemedies(watch);
      await world.watchBegan();
    }));
    if (how.screen) process.stdout.write(`${whatNext}\n`);
  } catch (error) {
    if (!interruption.came()) throw error;
    process.exitCode = exitCodes.interrupted;
  } finally {
    interruption.hold();
    await world.stop();
  }
}

/** The last word of the demo on a screen. */
const whatNext =
  'Next: `firedup doctor HOST` looks at a box of yours, `firedup watch HOST --log PATH` watches a server there.';

/**
 * Stops the world on SIGINT and SIGTERM, and lets nobody end this process before that is done: also while the watch is
 * being set up, or closed, when nothing else hears them.
 */
function stopOnSignals(world: DemoWorld) {
  let came = false;
  const stop = (): void => {
    came = true;
    void world.stop();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const release = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  const hold = (): void => {
    release();
    for (const signal of signals) process.on(signal, stop);
  };
  hold();
  return { hold, release, came: () => came };
}

/** Launches the scenario's engine over the world's SSH server, and says what is to be watched. */
async function launchIn(world: DemoWorld, speed: number) {
  const spec: HostSpec = {
    label: `${world.user}@127.0.0.1:${world.sshPort}`,
    trusted: { hostKey: world.hostKey, privateKey: world.clientKey },
  };
  const connect = (signal?: AbortSignal) =>
    connectHost(spec, { prompts: noPrompts, ...(signal ? { signal } : {}) });
  const host = await connect();
  const launched = await launchCommand(host, {
    name: world.name,
    spec: launchSpec({ command: world.command, env: world.env, log: world.logPath }),
  });
  const attempt = world.watchLog === null ? launched : { ...launched, log: world.watchLog };
  const target: Target = {
    host: 'demo',
    name: world.scenario,
    log: attempt.log,
    pid: null,
    port: null,
    engine: null,
    readOnly: false,
    timeScale: speed,
    comeBack: '',
  };
  return {
    host,
    connect,
    target,
    attempt,
    attemptIsNew: true,
    before: world.before,
    ranBefore: [],
    graceMs: 10_000,
    // The attempts and dumps of a simulated box go with it.
    env: { ...process.env, XDG_STATE_HOME: join(world.folder, 'history') },
    preflight: 'tell' as const,
  };
}

/** The engineer of the demo's story takes the first remedy that is a change: `R` finds it in its form. */
function proposeRemedies({ store }: Watch): void {
  let proposedFor: number | null = null;
  store.subscribe((state, event) => {
    const number = state.attempt?.number ?? null;
    if (event.type !== 'tick' || state.verdict.outcome !== 'crashed' || number === proposedFor) return;
    const change = usableRemedy(state.reading.report().remedies)?.change;
    proposedFor = number;
    if (change) store.dispatch({ type: 'proposal', at: state.now, change });
  });
}
