import { describe, expect, it } from 'vitest';
import type { ExitStatus, ProcessFact } from '../../src/core/process-fact.js';
import { noon, readyRun, Story } from './fold.js';
import { launched } from './launched.js';

const shell = 'bash -lc source venv/bin/activate; python -m sglang.launch_server; sleep 600';
const server = 'python -m sglang.launch_server';

const pidOf = (command: string, index: number): number =>
  index === 0 ? 4711 : command === server ? 4712 : 4720 + index;

/** A shell (4711) with these commands below it. */
const tree = (...commands: readonly string[]): ProcessFact => ({
  status: 'alive',
  pid: 4711,
  startTicks: '471100',
  startedAt: noon - 1000,
  command: shell,
  user: 'ml',
  foundBy: 'log',
  tree: [shell, ...commands].map((command, index) => ({
    pid: pidOf(command, index),
    parent: index === 0 ? 1 : 4711,
    startTicks: `${pidOf(command, index)}00`,
    command,
  })),
});

/** A server below a shell that has written `lines` and run for a minute. */
function below(lines: readonly string[], ...beside: readonly string[]): Story {
  const story = new Story().emptyLog();
  return story
    .process(tree(server, ...beside))
    .write(...lines)
    .later(60);
}

describe('a server below a shell that lives on', () => {
  it('is not READY any more when it has ended', () => {
    const story = below(readyRun(0));
    expect(story.outcome).toBe('ready');
    story.process(tree());
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    story.later(1).answer('refused');
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: false });
    expect(story.state.verdict.summary).toBe(
      'was READY: pid 4712 has ended, only what ran it (pid 4711) is left',
    );
  });

  it('is CRASHED by its own last words, or by what the shell says of it', () => {
    const thrown = below(readyRun(0)).write(
      'Traceback (most recent call last):',
      '  File "/opt/sglang/srt/server.py", line 3, in serve',
      "KeyError: 'boom'",
    );
    thrown.process(tree()).later(1).answer('refused');
    expect(thrown.state.verdict).toMatchObject({ outcome: 'crashed', summary: "KeyError: 'boom'" });
    const killed = below(readyRun(0)).write('bash: line 2: 4712 Killed                  python -m server');
    killed.process(tree('sleep 600')).later(1).answer('refused');
    expect(killed.outcome).toBe('crashed');
    expect(killed.state.verdict.evidence[0]?.lineNumber).toBe(8);
  });

  it('stays READY while the port answers: it has left the tree', () => {
    const story = below(readyRun(0)).answer(200, false, { source: 'log' });
    story.process(tree()).later(1).answer(200, false, { source: 'log' });
    expect(story.outcome).toBe('ready');
  });

  it('stays READY where what ended was a command of a script that is the server itself', () => {
    const story = new Story().emptyLog();
    story.process(tree('sleep 1')).write(...readyRun(0));
    story.later(1).process(tree('sleep 1', 'node -e 1'));
    story.later(1).process(tree('sleep 1')).later(30);
    expect(story.outcome).toBe('ready');
  });

  it('is CRASHED when it has gone before it was ready, unless a loop starts it anew', () => {
    const story = below(readyRun(0).slice(0, 3));
    story.process(tree('sleep 5')).later(5);
    expect(story.outcome).toBe('loading');
    expect(story.later(6).state.verdict).toMatchObject({ outcome: 'crashed' });
    expect(story.state.verdict.summary).toMatch(/^gone before it was ready: pid 4712 has ended/);
    story.process(tree(server)).write(...readyRun(-5).slice(0, 3));
    expect(story.outcome).toBe('loading');
  });

  it('is not CRASHED by what ran before it, in a log with an older run', () => {
    const story = new Story().oldLog(readyRun(86_400).slice(0, 3), 86_400);
    story.process(tree('python download.py')).later(60);
    expect(story.process(tree('sleep 60')).later(30).outcome).toBe('loading');
  });
});

describe('an end well of a shell after READY', () => {
  const ended = (code: number): ExitStatus => ({ code, signal: null, at: null, oomKills: null });
  const launchedBy = (command: string, ...more: readonly string[]): Story => {
    const story = launched(new Story(), 1);
    const { attempt } = story.state;
    if (attempt === null) throw new Error('no attempt');
    story.event({
      type: 'attempt',
      at: story.now,
      attempt: { ...attempt, command },
      isNew: true,
      reading: story.state.reading.fresh(),
    });
    const line = {
      kind: 'opened',
      path: attempt.log,
      offset: 0,
      size: 0,
      modifiedAt: story.now,
      resumed: false,
    } as const;
    return story
      .file(line)
      .fromTheTop()
      .process(tree(server, 'tee x.log'))
      .write(...readyRun(0), ...more)
      .later(60);
  };
  const gone = (story: Story, code = 0): Story =>
    story.process({ status: 'gone', pid: 4711, exit: ended(code) }).later(1);

  it('is not the end of the server in its pipeline or line', () => {
    for (const command of ['server | tee x.log', 'server; true', './run.sh', 'bash run.sh']) {
      const story = gone(launchedBy(command));
      expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: false });
      expect(story.state.verdict.summary).toMatch(/exit 0 is of the shell/);
    }
  });

  it('is CRASHED where the log says so', () => {
    const words = [
      'Traceback (most recent call last):',
      '  File "/opt/x.py", line 3, in serve',
      "KeyError: 'boom'",
    ];
    expect(gone(launchedBy('server | tee x.log', ...words)).state.verdict).toMatchObject({
      outcome: 'crashed',
      summary: "KeyError: 'boom'",
    });
  });

  it('is its own where the line ends with it', () => {
    expect(gone(launchedBy("cd x && server --template '{{ a | b }}'")).outcome).toBe('stopped');
    expect(gone(launchedBy('server | tee x.log'), 3).outcome).toBe('crashed');
  });
});
