import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initialState } from '../../src/core/initial.js';
import { selectLog } from '../../src/core/select/log.js';
import type { State } from '../../src/core/state.js';
import { localHost } from '../../src/host/local.js';
import { createLogProbe } from '../../src/probes/log.js';
import { createStore } from '../../src/runtime/store.js';
import { createReading } from '../../src/triage/reading.js';
import { watchTarget } from '../core/fold.js';
import { available } from '../support/available.js';
import { type FakeDocker, fakeDockerOnPath } from '../support/fake-docker.js';
import { until } from '../support/until.js';
import { later } from './support.js';

describe.skipIf(!available('procfs'))('a large log of a container', () => {
  let docker: FakeDocker;
  beforeEach(() => {
    docker = fakeDockerOnPath();
  });
  afterEach(() => docker.stop());

  const many = 16_000;
  const lineOf = (number: number): string => `line ${number} ${'x'.repeat(90)}`;
  /** Prints that many lines, then waits for `more`, and goes on to live. */
  const talk = `seq -f 'line %.0f ${'x'.repeat(90)}' ${many}; until [ -e $MORE ]; do sleep 0.05; done; echo live; sleep 1000`;

  interface Early {
    readonly newest: string | undefined;
    readonly note: string | null;
    readonly outcome: string;
    readonly isParted: boolean;
  }

  function watch(name: string) {
    const target = watchTarget({ host: 'box', log: name });
    const store = createStore(initialState({ target, reading: createReading(), now: Date.now() }), () => {});
    store.dispatch({ type: 'link', at: Date.now(), link: { status: 'up' } });
    const seen: string[] = [];
    const early: Early[] = [];
    store.subscribe((state, event) => {
      if (event.type !== 'log-ahead') return;
      seen.push(event.change.kind);
      if (event.change.kind !== 'lines') return;
      const texts = textsOf(state);
      early.push({
        newest: texts.at(-1),
        note: selectLog(state).note,
        outcome: state.verdict.outcome,
        isParted: texts.includes('── lines between here and the newest lines are still being read ──'),
      });
    });
    const probe = createLogProbe({
      path: name,
      container: { engine: 'docker', name },
      containerAfterMs: 0,
      emit: store.dispatch,
      now: Date.now,
    });
    const stop = new AbortController();
    const running = probe.run(localHost(), stop.signal).catch(() => {});
    later(async () => {
      stop.abort();
      await running;
    });
    return { state: store.state, seen, early };
  }

  const textsOf = ({ log: { ring } }: State): readonly (string | undefined)[] =>
    Array.from({ length: ring.end - ring.start }, (_, index) => ring.get(ring.start + index)?.text);

  it('shows its newest lines first, judges nothing by them, and has each line once in the end', async () => {
    const more = `${docker.bin}/more`;
    docker.run('run', '-d', '--name', 'big', '-e', `MORE=${more}`, 'image:1', 'sh', '-c', talk);
    await until(
      () => docker.run('logs', '--tail', '1', 'big').includes(`line ${many} `),
      'it has been written',
    );
    const { state, seen, early } = watch('big');
    await until(() => seen.includes('ended'), 'all has been read in order');
    expect(textsOf(state())).toEqual(Array.from({ length: many }, (_, index) => lineOf(index + 1)));
    docker.run('run', '--rm', '--name', 'sign', 'image:1', 'touch', more);
    await until(() => textsOf(state()).at(-1) === 'live', 'it goes on');
    expect(textsOf(state())).toHaveLength(many + 1);
    expect(seen.filter((kind) => kind === 'began')).toHaveLength(1);
    // Before that was so, the newest line was in sight, behind a word on what is not there yet.
    expect(early.map(({ newest }) => newest)).toContain(lineOf(many));
    expect(new Set(early.map(({ note }) => note))).toEqual(
      new Set(['the newest lines; not yet all of the log read']),
    );
    expect(new Set(early.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
    expect(early.every(({ isParted }) => isParted)).toBe(true);
  });

  it('shows none of an earlier run', async () => {
    const again = `[ -e $MORE ] && { seq 14000 | sed 's/.*/& ${'y'.repeat(90)}/'; sleep 1000; }; touch $MORE; echo old run; exit 0`;
    docker.run('run', '-d', '--name', 'two', '-e', `MORE=${docker.bin}/more`, 'image:1', 'bash', '-c', again);
    await until(() => docker.inspect('two').State.Status === 'exited', 'its first run is over');
    docker.run('start', 'two');
    await until(() => docker.run('logs', '--tail', '1', 'two').includes('14000 '), 'it has been written');
    const { state, seen } = watch('two');
    await until(() => seen.includes('ended'), 'all has been read in order');
    expect(textsOf(state()).join('\n')).not.toContain('old run');
    expect(textsOf(state())).toHaveLength(14_000);
  });
});
