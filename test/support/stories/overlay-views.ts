import { selectScreen } from '../../../src/core/select/screen.js';
import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import { Story } from '../../core/fold.js';
import { LaunchStory } from '../screen-stories.js';

const history = (): LaunchStory => new LaunchStory().crashed().key({ kind: 'overlay', overlay: 'history' });

/** Overlays at other moments than a launch's own views show, and the log held, wrapped, searched in other ways. */
export const overlayViews = {
  'history-opened': () => {
    const story = history();
    return story.key({ kind: 'choose', id: 'boot 2 100' }).key({ kind: 'open' }).model;
  },
  /** A server that was found, and no attempt of which anything is kept. */
  'history-empty': () =>
    selectScreen(new Story({ log: '/logs/server.log' }).key({ kind: 'overlay', overlay: 'history' }).state),
  'arguments-alone': () =>
    new LaunchStory({}, { entries: [] }).joining().key({ kind: 'overlay', overlay: 'arguments' }).model,
  'arguments-untold': () => new LaunchStory().key({ kind: 'overlay', overlay: 'arguments' }).model,
  'triage-loading': () => new LaunchStory().weights().key({ kind: 'overlay', overlay: 'triage' }).model,
  held: () =>
    new LaunchStory().ready().key({ kind: 'scroll', lines: -14 }).key({ kind: 'scroll', lines: 1 }).model,
  wrapped: () =>
    new LaunchStory().crashed().key({ kind: 'filter-clear' }).key({ kind: 'toggle', what: 'wrap' }).model,
  sideways: () => new LaunchStory().weights().key({ kind: 'scroll-sideways', columns: 40 }).model,
  'errors-only': () =>
    new LaunchStory().crashed().key({ kind: 'filter-clear' }).key({ kind: 'toggle', what: 'errors-only' })
      .model,
  'no-match': () =>
    new LaunchStory()
      .weights()
      .key({ kind: 'edit-filter' })
      .key({ kind: 'filter-text', text: 'nothing like that' })
      .key({ kind: 'filter-done' }).model,
  /** Marks of every kind: a warning, an error, a milestone, the living line, a mark of the user's. */
  'log-marks': () => {
    const story = new LaunchStory().weights();
    story.write(
      `[${story.stamp()}] WARNING model_config.py:1090: Tokenizer has no chat template: a default one is used`,
      `[${story.stamp()} TP1] ERROR weight_utils.py:212: read of model-00031-of-00064.safetensors failed, trying again`,
    );
    return story.key({ kind: 'mark' }).model;
  },
  stopped: () => {
    const story = new LaunchStory().ready();
    story.write(
      `[${story.stamp()}] SIGTERM received. signum=15 frame=None. Draining requests and shutting down...`,
      `[${story.stamp()}] Gracefully exiting... Remaining number of requests 0. Remaining requests remaining_rids=[].`,
    );
    return story.gone('SIGTERM').model;
  },
  'zoomed-phases': () =>
    new LaunchStory().weights().key({ kind: 'focus', pane: 'phases' }).key({ kind: 'toggle', what: 'zoom' })
      .model,
  'zoomed-log': () =>
    new LaunchStory().weights().key({ kind: 'focus', pane: 'log' }).key({ kind: 'toggle', what: 'zoom' })
      .model,
} satisfies Readonly<Record<string, () => ScreenModel>>;
