import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import { historyEntry } from '../history-entry.js';
import { LaunchStory, looked } from '../screen-stories.js';

/** Names that take more or fewer columns than characters, or that terminals do not agree on, and some that act. */
export const wideNames = [
  '大模型服务器-推理节点',
  '모델서버-추론',
  '🚀rocket👩‍👩‍👧‍👦family',
  '🇩🇪🇯🇵flags🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '☺️text❤️‍🔥fire1️⃣',
  'e\u0301a\u0308\u0323o\u0302\u0301combining',
  'שרת-המודל العربية',
  'ไทย-กำลังโหลด นี้',
  'देवनागरी-क्षि',
  'tab\there\u001B[31mred\u001B]0;owned\u0007',
  `long-${'宽'.repeat(80)}-${'x'.repeat(120)}`,
] as const;

const all = wideNames.join(' ');

const name = (index: number): string => wideNames[index % wideNames.length] ?? '';

/** A launch in which everything that can be named is named so, beginning with the name at `from`. */
function wideLaunch(from: number): LaunchStory {
  const next = (offset: number): string => name(from + offset);
  const story = new LaunchStory({}, { target: { host: next(0), name: next(1) } });
  story.event({
    type: 'host',
    at: story.now,
    host: { hostname: next(2), user: next(3), os: 'Linux', bootId: 'boot', clockSkewMs: 0, utcOffsetMs: 0 },
  });
  story.event({
    type: 'history',
    at: story.now,
    entries: [0, 1, 2].map((index) =>
      historyEntry(index + 1, {
        host: next(0),
        name: next(1),
        cause: { text: `KeyError: '${next(index)}' ${all}`, category: next(4) },
        change: next(index + 3),
        helped: index === 1,
        remedies: [{ id: 'one', title: next(5), change: { env: { NAME: next(6) } } }],
        command: `serve ${next(7)} ${all}`,
        startedAt: story.now - (4 - index) * 600_000,
        endedAt: story.now - (4 - index) * 500_000,
        lastLines: [all, next(8)],
      }),
    ),
  });
  story.write(
    `[${story.stamp()}] server_args=ServerArgs(model_path='${next(4)}', tokenizer_path='${next(5)}', port=30000, tp_size=8, served_model_name='${next(6)}')`,
  );
  story.joining();
  story.event({
    type: 'gpus',
    at: story.now,
    reading: {
      status: 'ok',
      tookMs: 40,
      gpus: Array.from({ length: 8 }, (_, index) => ({
        index,
        uuid: `GPU-${index}`,
        name: next(7),
        memTotalMiB: 143_771,
        memUsedMiB: 58_000,
        utilPercent: index === 1 ? null : 40,
        temperatureC: 40,
        powerW: 200,
        powerLimitW: 700,
        fault: index === 2 ? next(8) : null,
        ...(index === 1 ? { migInstances: [next(9)] } : {}),
      })),
      apps: Array.from({ length: 8 }, (_, index) => ({
        uuid: `GPU-${index}`,
        pid: 4801 + index,
        memUsedMiB: 1,
      })),
    },
  });
  story.process({
    status: 'alive',
    pid: 4711,
    startTicks: '471100',
    startedAt: story.now,
    command: `python ${all}`,
    user: next(3),
    foundBy: 'launch',
    tree: Array.from({ length: 8 }, (_, index) => ({
      pid: 4801 + index,
      parent: 4711,
      startTicks: '1',
      command: `sglang::scheduler_TP${index} ${next(index)}`,
    })),
  });
  return story.later(1);
}

function wideCrash(from: number): LaunchStory {
  const story = wideLaunch(from);
  return story
    .write(
      `[${story.stamp()} TP0] Scheduler hit an exception: Traceback (most recent call last):`,
      `  File "/opt/${name(from)}/sglang/srt/managers/${name(from + 1)}.py", line 2870, in ${name(from + 2)}`,
      '    raise KeyError(name)',
      `KeyError: '${all}'`,
      '',
      `[${story.stamp()}] Received sigquit from a child process. It usually means the child failed. ${name(from + 3)}`,
    )
    .gone('SIGKILL');
}

const look = (from: number) => ({
  ends: [{ pid: 4711, startTicks: '471100', owner: name(from), ageMs: 90_000, command: all }],
  foreign: [{ pid: 4712, startTicks: '1', owner: name(from + 1), ageMs: 1, command: name(from + 2) }],
  near: wideNames.map((each, index) => ({
    pid: 5000 + index,
    startTicks: '1',
    owner: each,
    foreign: false,
    command: name(index + 1),
    why: 'reads the log',
  })),
  spec: null,
  notes: [all],
});

const asking = (from: number, kind: 'ask-kill' | 'ask-relaunch'): LaunchStory => {
  const story = wideLaunch(from).key({ kind });
  return story.event({ type: 'dialog-look', at: story.now, openedAt: story.now, look: look(from) });
};

/** By name, beginning with the name at `from`: every pane and overlay with such names in it. */
export const wideScreens = {
  loading: (from) => wideLaunch(from).model,
  crashed: (from) => wideCrash(from).model,
  triage: (from) => wideCrash(from).key({ kind: 'overlay', overlay: 'triage' }).model,
  history: (from) => wideCrash(from).key({ kind: 'overlay', overlay: 'history' }).model,
  attempt: (from) =>
    wideCrash(from)
      .key({ kind: 'overlay', overlay: 'history' })
      .key({ kind: 'choose', id: 'boot 2 100' })
      .key({ kind: 'open' }).model,
  arguments: (from) => wideLaunch(from).key({ kind: 'overlay', overlay: 'arguments' }).model,
  kill: (from) => asking(from, 'ask-kill').model,
  relaunch: (from) => asking(from, 'ask-relaunch').model,
  edit: (from) => asking(from, 'ask-relaunch').key({ kind: 'edit-text', text: name(from) + all }).model,
  filter: (from) =>
    wideLaunch(from)
      .key({ kind: 'edit-filter' })
      .key({ kind: 'filter-text', text: name(from) }).model,
  notice: (from) => {
    const story = wideLaunch(from);
    return story.event({ type: 'notice', at: story.now, level: 'warning', text: `${name(from)} ${all}` })
      .model;
  },
  login: (from) => {
    const story = wideLaunch(from);
    const reason = `${name(from)} wants a password`;
    story.link({ status: 'waiting', reason, needs: 'answer', trying: false }).key({ kind: 'connect-now' });
    story.link({ status: 'waiting', reason, needs: 'answer', trying: true });
    const question = { heading: [all, name(from)], text: `${name(from)}:`, echo: true };
    return story.event({ type: 'question', at: story.now, question }).model;
  },
} satisfies Readonly<Record<string, (from: number) => ScreenModel>>;

/** The two that are looked at: in the others the frames are checked by cells. */
export const wideViews = {
  'wide-names': () => wideLaunch(0).model,
  'wide-crash': () => wideCrash(0).model,
  'wide-kill': () => looked(wideLaunch(1).key({ kind: 'ask-kill' })).model,
} satisfies Readonly<Record<string, () => ScreenModel>>;
