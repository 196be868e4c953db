import type { Link } from '../../../src/core/events.js';
import { selectScreen } from '../../../src/core/select/screen.js';
import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import { noon, processSample, readyRun, Story } from '../../core/fold.js';
import { LaunchStory } from '../screen-stories.js';

const launch = (): LaunchStory => new LaunchStory().weights();

const log = '~/logs/server.log';

/** A watch of a log on a host of which nothing is known yet. */
const watch = (): Story => new Story({ host: 'gpu-17', log, port: 30000 });

const nameOf = (pid: number): string => (pid === 4711 ? 'python' : `sglang::scheduler_TP${pid - 4801}`);

const waiting: Link = {
  status: 'waiting',
  reason: 'The host key of gpu-17 has changed.',
  needs: 'retry',
  trying: false,
};

/** What there is to see of a host that is not, or no longer, or not quite there, and of a log that is not there. */
export const linkViews = {
  connecting: () =>
    selectScreen(watch().event({ type: 'link', at: noon, link: { status: 'connecting' } }).state),
  'connected-just-now': () => selectScreen(watch().later(1).state),
  'link-lost': () =>
    launch().link({ status: 'lost', reason: 'The login was refused: no key fits.' }).later(75).model,
  'link-refused': () => launch().link(waiting).later(75).model,
  'reconnecting-now': () =>
    launch().link({ status: 'down', reason: 'no answer for 15 s', retryAt: noon }).later(31).model,
  'ready-link-down': () =>
    new LaunchStory()
      .ready()
      .link({ status: 'down', reason: 'the connection was closed', retryAt: noon + 900_000 })
      .later(3700).model,
  'log-missing': () => selectScreen(watch().file({ kind: 'missing', writesTo: null }).later(4).state),
  'log-elsewhere': () =>
    selectScreen(
      watch()
        .alive(45)
        .file({ kind: 'missing', writesTo: '/srv/models/logs/2026-03-01/server_tp8_eagle3.log' })
        .later(4).state,
    ),
  'log-unreadable': () =>
    selectScreen(
      watch()
        .file({ kind: 'unreadable', reason: `Permission denied: ${log}` })
        .later(4).state,
    ),
  'log-reading': () => {
    const story = watch();
    story.opened(log, { size: 48_000_000, modifiedAt: noon });
    const lines = readyRun(3000)
      .slice(0, 3)
      .map((text, index) => ({ number: index + 1, text }));
    story.event({ type: 'log-lines', at: story.now, lines, offset: 21_600_000, size: 48_000_000 });
    return selectScreen(story.later(1).state);
  },
  'log-gap': () => launch().file({ kind: 'gap', bytes: 48_211 }).later(1).model,
  /** The log of a run that is over, and nothing runs. */
  'finished-log': () =>
    selectScreen(
      watch().oldLog(readyRun(7200), 7200).process({ status: 'absent' }).answer('refused').later(8).state,
    ),
  /** Whose process it is cannot be read; the port is another's. */
  'process-unknown': () =>
    selectScreen(
      watch()
        .oldLog(readyRun(90).slice(0, 4), 20)
        .process({ status: 'unknown', reason: 'it belongs to another user' })
        .answer(200, false)
        .later(8).state,
    ),
  /** No byte of log for ten minutes, while it reads from a slow disk: no stall. */
  slow: () => {
    const story = launch().event({ type: 'log-partial', at: noon, text: '' });
    for (let count = 0; count < 40; count++) {
      story
        .later(15)
        .running(58_000 + count * 300)
        .sample(
          [4711, 4801, 4802].map((pid) =>
            processSample({
              pid,
              parent: pid === 4711 ? 1 : 4711,
              startTicks: `${pid}00`,
              name: nameOf(pid),
              state: pid === 4801 ? 'D' : 'S',
              cpuMs: count * 900,
              rssMiB: 900 + count * 220,
              readBytes: count * 620_000_000,
              readChars: count * 620_000_000,
              wchan: 'folio_wait_bit_common',
            }),
          ),
          { uptimeMs: story.now - noon },
        );
    }
    return story.model;
  },
  /** One rank is gone, and the others wait for it. */
  'dead-rank': () => {
    const story = new LaunchStory().joining();
    const members = (alive: readonly number[]) =>
      [4711, ...alive].map((pid) =>
        processSample({
          pid,
          parent: pid === 4711 ? 1 : 4711,
          startTicks: pid === 4711 ? '471100' : `${pid}`,
          name: nameOf(pid),
        }),
      );
    const all = [4801, 4802, 4803, 4804, 4805, 4806, 4807, 4808];
    for (let count = 0; count < 20; count++) {
      const alive = count < 4 ? all : all.filter((pid) => pid !== 4806);
      story
        .later(5)
        .running(600)
        .sample(members(alive), { uptimeMs: story.now - noon });
    }
    return story.model;
  },
} satisfies Readonly<Record<string, () => ScreenModel>>;
