import { describe, expect, it } from 'vitest';
import { crashedRun, hostFacts, noon, readyRun, Story } from './fold.js';

/** Every outcome that a story has gone through, one after the other, without what is not known yet. */
class Told extends Story {
  readonly outcomes: string[] = [];

  override event(event: Parameters<Story['event']>[0]): this {
    super.event(event);
    const { outcome, provisional } = this.state.verdict;
    const isKnown = outcome !== 'unknown' || !provisional;
    if (isKnown && this.outcomes?.at(-1) !== outcome) this.outcomes?.push(outcome);
    return this;
  }
}

describe('the first thing that is told of a server', () => {
  it('is READY where it has long been so, whoever speaks first', () => {
    expect(new Told().oldLog(readyRun(60), 60).later(1).alive(300).outcomes).toEqual(['ready']);
    expect(new Told().alive(300).oldLog(readyRun(60), 60).outcomes).toEqual(['ready']);
    const asked = new Told({ port: 30000 }).oldLog(readyRun(60), 60).alive(300).later(1);
    expect(asked.outcomes).toEqual([]);
    expect(asked.answer(200).outcomes).toEqual(['ready']);
    const quiet = new Told({ log: null, port: 30000 }).alive(300).later(1).answer(200).later(3).answer(200);
    expect(quiet.later(3).answer(200).outcomes).toEqual(['ready']);
  });

  it('is READY by the zone of the host, which comes last', () => {
    const local = readyRun(60 - 2 * 3600);
    const story = new Told().event({ type: 'host', at: noon, host: null as never });
    story.oldLog(local, 60).alive(300).later(1);
    expect(story.outcomes).toEqual([]);
    const host = { ...hostFacts, utcOffsetMs: 2 * 3_600_000 };
    expect(story.event({ type: 'host', at: story.now, host }).outcomes).toEqual(['ready']);
  });

  it('is CRASHED where it is long over, by its line or by its process alone', () => {
    const line = new Told().oldLog(crashedRun(60), 60).process({ status: 'absent' }).later(4);
    expect(line.outcomes).toEqual(['crashed']);
    const gone = {
      status: 'gone',
      pid: 4711,
      exit: { code: 1, signal: null, oomKills: 0, at: noon },
    } as const;
    const silent = new Told().oldLog(readyRun(60).slice(0, 3), 60).process(gone).later(1);
    expect(silent.outcomes).toEqual(['crashed']);
  });

  it('is that nothing runs where an old log was ready once', () => {
    const story = new Told().oldLog(readyRun(3600), 3600).process({ status: 'absent' }).later(4);
    expect(story.outcomes).toEqual(['unknown']);
  });

  it('is LOADING at once where every witness has spoken for it', () => {
    expect(new Told().oldLog(readyRun(60).slice(0, 3), 1).alive(60).outcomes).toEqual(['loading']);
    const port = new Told({ port: 30000 }).oldLog(readyRun(60), 60).alive(300).answer('refused');
    expect(port.outcomes).toEqual(['loading']);
    expect(new Told().oldLog(readyRun(86_400), 86_400).alive(5).outcomes).toEqual(['loading']);
  });

  it('does not wait for ever for a witness that stays silent', () => {
    const story = new Told().oldLog(readyRun(60).slice(0, 3), 60).later(14);
    expect(story.outcomes).toEqual([]);
    expect(story.later(2).outcomes).toEqual(['loading']);
  });

  it('is not waited for once something has been told', () => {
    const story = new Told().emptyLog().alive(5).answer(200);
    expect(story.outcomes).toEqual(['loading']);
    expect(story.later(6).answer(200).outcomes).toEqual(['loading', 'ready']);
  });

  it('waits for a word on whose port it is, and calls nothing LOADING that is not there', () => {
    const story = new Story({ port: 30000 }).oldLog(readyRun(180), 180).alive(240).answer(200, null).later(1);
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    expect(story.answer(200).outcome).toBe('ready');
    const none = new Story().file({ kind: 'missing', writesTo: null });
    const facts = [{ status: 'absent' }, { status: 'unknown', reason: 'the log is not there' }] as const;
    for (const fact of facts) {
      none.process(fact).later(20);
      expect(none.state.verdict.summary).toMatch(/^waiting for the log/);
      expect(none.outcome).toBe('unknown');
    }
    expect(none.alive(1).outcome).toBe('loading');
  });
});
