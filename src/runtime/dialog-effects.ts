import { changedSpec } from '../core/changed-spec.js';
import type { DialogLook } from '../core/dialog-look.js';
import type { Effect } from '../core/effects.js';
import type { Event } from '../core/events.js';
import { putTogether } from '../core/form-problem.js';
import type { LaunchSpec } from '../core/launch-spec.js';
import type { RelaunchForm } from '../core/relaunch-form.js';
import type { State } from '../core/state.js';
import { describeError } from '../errors.js';
import type { Host } from '../host/host.js';
import { containerNotes } from './actions/container-target.js';
import { previewIfRunning } from './actions/end-server.js';
import { lastLaunch } from './actions/last-launch.js';
import { nearText } from './actions/preview-kill.js';
import { killTarget, launchedBy } from './which-server.js';

export interface DialogContext {
  readonly host: () => Host;
  readonly dispatch: (event: Event) => void;
  readonly now: () => number;
  /** Lends the terminal to the user's editor; absent where there is none. Resolves with the text afterwards. */
  readonly edit?: ((text: string) => Promise<string>) | null | undefined;
}

/** Looks up on the host what an open dialog asks about. What fails is a note in it. */
export async function lookUp(
  { host, dispatch, now }: DialogContext,
  state: State,
  { openedAt }: Extract<Effect, { type: 'look-up' }>,
): Promise<void> {
  const notes: string[] = [];
  const failed = (error: unknown): null => {
    notes.push(describeError(error));
    return null;
  };
  const [preview, last] = await Promise.all([
    killTarget(host(), state)
      .then((target) => {
        if (target?.container) notes.push(...containerNotes(target.container));
        return target && previewIfRunning(host(), target);
      })
      .catch(failed),
    state.dialog?.kind === 'relaunch' ? readLast(host(), state).catch(failed) : null,
  ]);
  const look: DialogLook = {
    ends: preview?.processes ?? [],
    foreign: preview?.foreign ?? [],
    near: (preview?.near ?? []).map((process) => ({ ...process, why: nearText(process) })),
    spec: last?.spec ?? null,
    notes: [...notes, ...(last?.notes ?? [])],
  };
  dispatch({ type: 'dialog-look', at: now(), openedAt, look });
}

/**
 * Opens what the next attempt runs in the user's editor, and puts what comes back into the form. A text that cannot be
 * read is kept, with what is wrong, for the next try. Without an editor it is edited in place.
 */
export function createLaunchEditor(
  context: DialogContext,
): (effect: Extract<Effect, { type: 'edit-launch' }>, state: State) => Promise<void> {
  const { dispatch, now } = context;
  let draft: string | null = null;
  return async ({ spec: known, form }, state) => {
    const tell = (change: Pick<Extract<Event, { type: 'form' }>, 'form' | 'problem'>): void =>
      dispatch({ type: 'form', at: now(), ...change });
    const spec =
      known ??
      (await readLast(context.host(), state).then(
        (last) => last.spec,
        () => null,
      ));
    if (!context.edit || spec === null) {
      dispatch({ type: 'intent', at: now(), intent: { kind: 'edit-in-place' } });
      return;
    }
    let edited: string | null = null;
    try {
      const { launchText, parseLaunchText } = await import('./launch-text.js');
      const { spec: next, toDo } = startOf(spec, form);
      const text = draft ?? launchText(next, form.before, toDo);
      edited = await context.edit(text);
      if (edited !== text || draft !== null) tell({ form: parseLaunchText(edited, spec), problem: null });
      draft = null;
    } catch (error) {
      draft = edited;
      const again = edited === null ? '' : '; e opens your text again';
      tell({ form: null, problem: `${describeError(error)}${again}` });
    }
  };
}

/** What is edited; arguments without a certain place in it are for the user to put in. */
function startOf(
  spec: LaunchSpec,
  form: RelaunchForm,
): { readonly spec: LaunchSpec; readonly toDo: readonly string[] } {
  const next = putTogether(spec, form);
  return typeof next === 'string'
    ? { spec: changedSpec(spec, { ...form, args: [] }), toDo: form.args }
    : { spec: next, toDo: [] };
}

// Async, so that a state without a process is a rejection as well.
const readLast = async (host: Host, state: State) => lastLaunch(host, launchedBy(state));
