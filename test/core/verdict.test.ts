import { describe, expect, it } from 'vitest';
import type { ProcessDoubt } from '../../src/core/process-fact.js';
import { crashedRun, noon, processSample, readyRun, Story } from './fold.js';

describe('READY (rule 1)', () => {
  it('is the ready line of this run, of a process that lives', () => {
    const story = new Story().emptyLog().alive(1);
    for (const line of readyRun(0).slice(0, -1)) story.write(line);
    expect(story.outcome).toBe('loading');
    story.write(...readyRun(0).slice(-1));
    expect(story.outcome).toBe('ready');
    expect(story.state.verdict.evidence.map(({ witness }) => witness)).toEqual(['log', 'process']);
  });

  it('waits for the first word about the process', () => {
    const story = new Story().emptyLog().write(...readyRun(0));
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    story.process({ status: 'unknown', reason: 'another user' });
    expect(story.outcome).toBe('ready');
  });

  it('is 5 s of 200 from the readiness path of its own listener, without any line', () => {
    const story = new Story().emptyLog().alive(60).write('quiet server').answer(200);
    expect(story.outcome).toBe('loading');
    story.later(4).answer(200);
    expect(story.outcome).toBe('loading');
    story.later(2).answer(200);
    expect(story.outcome).toBe('ready');
    expect(story.state.verdict.evidence[0]?.witness).toBe('http');
  });

  it('is not a 200 from a process outside the tree, however long', () => {
    const story = new Story().emptyLog().alive(60).write('quiet server').answer(200, false);
    story.later(30).answer(200, false);
    expect(story.outcome).toBe('loading');
    expect(story.state.verdict.summary).toContain('not this server');
  });

  it('is not a 200 whose listener cannot be told', () => {
    const story = new Story().emptyLog().alive(60).write('quiet server').answer(200, null);
    expect(story.later(30).answer(200, null).outcome).toBe('loading');
  });

  it('starts the 5 s again after another answer', () => {
    const story = new Story().emptyLog().alive(60).write('quiet').answer(200).later(4).answer(503);
    story.later(1).answer(200).later(3).answer(200);
    expect(story.outcome).toBe('loading');
  });

  it('needs an answer on the port that was given', () => {
    const story = new Story({ port: 30000 })
      .emptyLog()
      .alive(60)
      .write(...readyRun(0));
    expect(story.outcome).toBe('loading');
    expect(story.answer('refused').outcome).toBe('loading');
    story.answer(401);
    expect(story.state.verdict.summary).toBe('ready by its log; port 30000 answers 401 on /health, not 200');
    expect(story.answer(200, false).outcome).toBe('loading');
    expect(story.answer(200).outcome).toBe('ready');
  });

  it('does not take the first answer on it for its own before that is known', () => {
    const story = new Story({ port: 30000 })
      .emptyLog()
      .alive(60)
      .write(...readyRun(0))
      .answer(200, null);
    expect(story.outcome).toBe('loading');
    expect(story.later(3).answer(200, false).outcome).toBe('loading');
    // Where it can never be told, it is believed after a while.
    story.answer(200, null).later(9).answer(200, null);
    expect(story.outcome).toBe('loading');
    expect(story.later(2).answer(200, null).outcome).toBe('ready');
  });

  it('is not vetoed by a port that only the log names', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0))
      .answer('refused', null, { source: 'log' });
    expect(story.outcome).toBe('ready');
  });
});

describe('a server without a log that can be read', () => {
  it('is judged by its port and its process', () => {
    const story = new Story({ log: null, port: 30000 }).alive(60).answer('refused');
    expect(story.outcome).toBe('loading');
    expect(story.later(1).answer(200).later(6).answer(200).outcome).toBe('ready');
    const dead = new Story({ log: null, port: 30000 }).alive(60);
    expect(dead.process({ status: 'gone', pid: 4711, exit: null }).later(2).outcome).toBe('crashed');
  });
});

describe('after READY', () => {
  it('stays READY while its port answers late or 503: only the death of the engine counts', () => {
    const story = new Story({ port: 30000 })
      .emptyLog()
      .alive(60)
      .write(...readyRun(0))
      .answer(200);
    expect(story.later(5).answer(503).later(5).answer('refused').outcome).toBe('ready');
    const quiet = new Story().emptyLog().alive(60).write('quiet').answer(200).later(6).answer(200);
    expect(quiet.later(5).answer(503).later(30).outcome).toBe('ready');
  });

  it('is over when the same process begins a new run', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0));
    expect(story.later(5).write(...readyRun(-5).slice(0, 3)).outcome).toBe('loading');
  });
});

describe('this run (rule 2)', () => {
  it("does not take yesterday's ready line for a process of today", () => {
    const story = new Story().oldLog(readyRun(86_400), 86_400).alive(5);
    expect(story.outcome).toBe('loading');
    story.later(60);
    expect(story.outcome).toBe('loading');
  });

  it("does not take yesterday's ready line when today's process has appended a line of its own", () => {
    const story = new Story().oldLog([...readyRun(86_400), `${' '.repeat(3)}warming the cache`], 2).alive(5);
    expect(story.later(10).outcome).toBe('loading');
  });

  it('knows the zone of a log by the host, or by a container that stamps in UTC', () => {
    const zone = (hours: number): Story =>
      new Story().event({
        type: 'host',
        at: noon,
        host: {
          hostname: 'gpu-17',
          user: 'ml',
          os: 'Linux',
          bootId: 'b',
          clockSkewMs: 0,
          utcOffsetMs: hours * 3_600_000,
        },
      });
    const local = readyRun(60 - 8 * 3600);
    expect(zone(8).oldLog(local, 60).alive(200).outcome).toBe('ready');
    expect(zone(8).oldLog(readyRun(60), 60).alive(200).outcome).toBe('ready');
    expect(zone(8).oldLog(local, 60).alive(5).outcome).toBe('loading');
  });

  it("does not take yesterday's crash for a process of today", () => {
    const story = new Story().oldLog(crashedRun(86_400), 86_400).alive(5);
    expect(story.later(10).outcome).toBe('loading');
  });

  it("does not take yesterday's ready line for a process that died before its first word", () => {
    const story = new Story().oldLog(readyRun(86_400), 86_400).alive(5);
    story.process({ status: 'gone', pid: 4711, exit: null }).later(2);
    expect(story.outcome).toBe('crashed');
  });

  it('dates stamps without a year or a day by the file', () => {
    const lines = (hoursAgo: number, stampOf: (iso: string) => string): readonly string[] => {
      const at = stampOf(new Date(noon - hoursAgo * 3_600_000).toISOString());
      return [
        `INFO ${at} [api_server.py:1] vLLM API server version 0.11.0`,
        `INFO ${at} [core.py:58] Initializing a V1 LLM engine (v0.11.0) with config: model='demo'`,
        'INFO:     Application startup complete.',
      ];
    };
    const noYear = (iso: string): string => iso.slice(5, 19).replace('T', ' ');
    expect(new Story().oldLog(lines(1, noYear), 3600).alive(3700).outcome).toBe('ready');
    expect(new Story().oldLog(lines(24, noYear), 86_400).alive(5).outcome).toBe('loading');
  });

  it('does not take an undated line that was there before us, and says what it waits for', () => {
    const undated = readyRun(0).map((line) => line.replace(/^\[[\d: -]+/, '['));
    const story = new Story().oldLog([...undated, 'starting up with conda'], 1).alive(5);
    expect(story.later(5).outcome).toBe('loading');
    expect(story.state.verdict.summary).toMatch(/ready line .* is not known to be of this process/);
    expect(story.answer(200).later(6).answer(200).outcome).toBe('ready');
  });

  it('takes the ready line of a process that started before it', () => {
    const story = new Story().oldLog(readyRun(3600), 3600).alive(3700);
    expect(story.outcome).toBe('ready');
  });

  it('starts anew at the first line of a run appended to the same file', () => {
    const story = new Story().oldLog(readyRun(3600), 3600).alive(3700);
    story.process({ status: 'gone', pid: 4711, exit: null }).later(2).alive(0, 5000);
    expect(story.outcome).toBe('loading');
    story.write(...readyRun(0));
    expect(story.outcome).toBe('ready');
  });
});

describe('a server that is started anew at once, into the same log', () => {
  const gone = { status: 'gone', pid: 4711, exit: null } as const;

  it('is not READY by the line of the one before, nor by what its port has said', () => {
    const story = new Story().emptyLog().alive(0);
    story.write(...readyRun(0)).answer(200);
    expect(story.outcome).toBe('ready');
    story.later(0.8).process(gone).later(0.2).alive(0.1, 4712);
    expect(story.later(1).outcome).toBe('loading');
    expect(story.later(60).outcome).toBe('loading');
    expect(story.write(...readyRun(0)).outcome).toBe('ready');
  });

  it('is not CRASHED by the end of the one before', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...crashedRun(0));
    expect(story.later(0.3).process(gone).later(1).outcome).toBe('crashed');
    expect(story.alive(1.1, 4712).later(1).outcome).toBe('loading');
    expect(story.write(...crashedRun(0)).outcome).toBe('crashed');
  });
});

describe('the process (rule 3)', () => {
  it('leaves a ready line without a process unbelieved', () => {
    const story = new Story().oldLog(readyRun(3600), 3600).process({ status: 'absent' });
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    story.later(4);
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: false });
    expect(story.state.verdict.summary).toContain('finished log');
  });

  it('judges a finished log of a crash as triage does, with a word that nothing runs', () => {
    const story = new Story().oldLog(crashedRun(3600), 3600).process({ status: 'absent' }).later(4);
    expect(story.outcome).toBe('crashed');
    expect(story.state.verdict.summary).toMatch(
      /finished log: KeyError: 'lm_head.weight'; nothing is running/,
    );
  });

  it('has no veto while it cannot be read', () => {
    const story = new Story().oldLog(readyRun(60), 60).process({ status: 'unknown', reason: 'another user' });
    expect(story.outcome).toBe('ready');
  });
});

describe('CRASHED (rule 4)', () => {
  it('is a line that only a dying engine prints, at once', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...crashedRun(0));
    expect(story.outcome).toBe('crashed');
    expect(story.state.verdict.summary).toBe("KeyError: 'lm_head.weight'");
  });

  it('is never an error-like line alone: that is a suspicion', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0).slice(0, 3));
    story.write('[2026-03-01 11:59:59 TP0] ValueError: something odd in a line of its own').later(5);
    expect(story.outcome).toBe('loading');
  });

  it('is a process that went before it was ready, whatever its status', () => {
    for (const code of [0, 1, 137]) {
      const story = new Story()
        .emptyLog()
        .alive(60)
        .write(...readyRun(0).slice(0, 3));
      story
        .process({ status: 'gone', pid: 4711, exit: { code, signal: null, at: null, oomKills: null } })
        .later(1);
      expect(story.outcome).toBe('crashed');
    }
  });

  it('is a process that went with a ready line, but before the port that was given ever answered', () => {
    const story = new Story({ port: 30000 })
      .emptyLog()
      .alive(60)
      .write(...readyRun(0))
      .answer('refused');
    expect(story.process({ status: 'gone', pid: 4711, exit: null }).later(2).outcome).toBe('crashed');
  });

  it('says that a silent death left no word', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0).slice(0, 3));
    story
      .process({
        status: 'gone',
        pid: 4711,
        exit: { code: null, signal: 'SIGKILL', at: null, oomKills: null },
      })
      .later(1);
    expect(story.state.verdict.summary).toMatch(/killed by SIGKILL.*no word in the log/);
  });

  it('judges a last line that the process left without its end', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0).slice(0, 3));
    story.write(...crashedRun(0).slice(3, 6));
    story.event({ type: 'log-partial', at: story.now, text: "KeyError: 'the last word'" });
    story.process({ status: 'gone', pid: 4711, exit: null }).later(1).later(1);
    expect(story.state.verdict.summary).toBe("KeyError: 'the last word'");
  });

  it('gives the last words of a process that went time to arrive', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0).slice(0, 3));
    story.process({ status: 'gone', pid: 4711, exit: null }).later(0.3);
    expect(story.outcome).toBe('loading');
  });

  it('is the process gone with a non-zero status after ready, and not after a SIGTERM', () => {
    const story = () =>
      new Story()
        .emptyLog()
        .alive(60)
        .write(...readyRun(0));
    const gone = (code: number | null, signal: string | null) =>
      ({ status: 'gone', pid: 4711, exit: { code, signal, at: null, oomKills: null } }) as const;
    expect(story().process(gone(137, 'SIGKILL')).later(1).outcome).toBe('crashed');
    expect(story().process(gone(null, 'SIGTERM')).later(1).outcome).toBe('stopped');
  });

  it('is not made by a failed request after ready', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0));
    story.write(
      '[2026-03-01 12:00:10] INFO:     10.0.0.1:1234 - "POST /v1/chat/completions HTTP/1.1" 500 Internal Server Error',
      'Traceback (most recent call last):',
      '  File "/opt/sglang/srt/entrypoints/openai/serving_chat.py", line 10, in handle',
      'ValueError: The input (9000 tokens) is longer than the model context length',
      '[2026-03-01 12:00:11] Decode batch, #running-req: 1, #token: 100, token usage: 0.01',
    );
    expect(story.later(10).outcome).toBe('ready');
  });
});

describe('STALLED and unknown (rule 5)', () => {
  const still = (story: Story): Story =>
    story.sample([processSample({})], { memTotalMiB: 100, memAvailableMiB: 50 });
  const quiet = (): Story =>
    new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0).slice(0, 2));

  const wait = (story: Story, minutes: number): Story => {
    for (let s = 0; s < minutes * 60 && story.outcome !== 'stalled'; s += 5) still(story.later(5));
    return story;
  };

  it('is quiet for longer than this phase knows, while nothing moves', () => {
    const story = wait(still(quiet()), 120);
    expect(story.outcome).toBe('stalled');
    expect(story.state.verdict.evidence.map(({ witness }) => witness)).toContain('quiet');
  });

  it('is said without telemetry only after an hour without a word', () => {
    const story = quiet();
    for (let minute = 0; minute < 60; minute += 1) story.later(30).later(30);
    expect(story.outcome).toBe('loading');
    expect(story.later(30).outcome).toBe('stalled');
    expect(story.state.verdict.evidence.at(-1)?.text).toContain('only the time tells');
  });

  it('does not count the time over which we were asleep', () => {
    const story = wait(still(quiet()), 4);
    story.later(7200);
    expect(still(story).later(5).outcome).toBe('loading');
  });

  it('is withdrawn at once when life returns', () => {
    const story = wait(still(quiet()), 120);
    story.write('[2026-03-01 13:30:00 TP0] Init torch distributed ends. mem usage=0.50 GB');
    expect(story.outcome).toBe('loading');
  });

  it('gives way to unknown while the link is down, and a crash stays what it is', () => {
    const down = { status: 'down', reason: 'no word for 10 s', retryAt: 0 } as const;
    const loading = quiet();
    loading.event({ type: 'link', at: loading.now, link: down });
    expect([loading.outcome, loading.state.verdict.provisional]).toEqual(['unknown', true]);
    const crashed = new Story()
      .emptyLog()
      .alive(60)
      .write(...crashedRun(0));
    crashed.event({ type: 'link', at: crashed.now, link: down });
    expect(crashed.outcome).toBe('crashed');
  });

  it('is not judged while the log is still being read', () => {
    const story = new Story().opened('/logs/server.log', { size: 1_000_000, modifiedAt: null });
    story.alive(7200).write(...readyRun(3600));
    expect([story.outcome, story.state.verdict.provisional]).toEqual(['unknown', true]);
  });
});

describe('a server that another firedup ends', () => {
  const ended = { status: 'gone', pid: 4711, exit: null, endedOnPurpose: true } as const;

  it('is STOPPED, before and after it was ready', () => {
    expect(new Story().emptyLog().alive(60).process(ended).later(2).outcome).toBe('stopped');
    const ready = new Story().emptyLog().alive(60);
    expect(
      ready
        .write(...readyRun(0))
        .process(ended)
        .later(2).outcome,
    ).toBe('stopped');
  });

  it('stays CRASHED where it had crashed before, and its rest is tidied up', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...crashedRun(0));
    expect(story.process(ended).later(2).outcome).toBe('crashed');
  });
});

describe('a process that may only be left of a server that has ended', () => {
  const doubted = (doubt: ProcessDoubt, ...lines: readonly string[]): Story => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...lines);
    const { fact } = story.state.process;
    if (fact?.status !== 'alive') throw new Error('not alive');
    return story.later(60).process({ ...fact, pid: 4800, doubt });
  };

  it.each(['fork', 'silent', 'orphan'] as const)('is not READY by the log: %s', (doubt) => {
    const story = doubted(doubt, ...readyRun(0));
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    story.later(6);
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: false });
    expect(story.state.verdict.summary).toMatch(/^was READY: pid 4800/);
  });

  it.each([true, false, null])('is READY by 5 s of 200 from itself alone: owned %s', (owned) => {
    const story = doubted('fork', ...readyRun(0)).answer(200, owned);
    story.later(4).answer(200, owned);
    expect(story.outcome).toBe('unknown');
    story.later(2).answer(200, owned);
    expect(story.outcome).toBe(owned === true ? 'ready' : 'unknown');
    // A busy server may well answer late then.
    story.later(30).answer('refused', owned);
    expect(story.outcome).toBe(owned === true ? 'ready' : 'unknown');
  });

  it('may be loading where it only listens on nothing yet, and is never CRASHED for that', () => {
    const some = readyRun(0).slice(0, 3);
    expect(doubted('silent', ...some).later(30).outcome).toBe('loading');
    expect(doubted('orphan', ...some).later(30).outcome).toBe('loading');
    expect(doubted('fork', ...some).later(30).state.verdict.summary).toMatch(/^not known to run: pid 4800/);
  });

  it('is never READY by a port where the log that was given is of another server', () => {
    const byPort = (doubt: ProcessDoubt, port: number): Story => {
      const story = new Story({ port }).oldLog(readyRun(10), 10).alive(3600);
      const { fact } = story.state.process;
      if (fact?.status !== 'alive') throw new Error('not alive');
      story.process({ ...fact, foundBy: 'port', doubt }).answer(200, true, { port });
      return story.later(6).answer(200, true, { port });
    };
    // The log names port 30000.
    expect(byPort('stranger', 8080).state.verdict.summary).toMatch(
      /nobody writes the log, which names port 30000$/,
    );
    expect(byPort('elsewhere', 30000).state.verdict.summary).toMatch(/nobody writes the log$/);
    expect(byPort('stranger', 30000).outcome).toBe('ready');
  });

  it('is READY by the log once it listens', () => {
    const story = doubted('silent', ...readyRun(0)).later(10);
    const { fact } = story.state.process;
    if (fact?.status !== 'alive') throw new Error('not alive');
    const { doubt: _, ...sure } = fact;
    expect(story.process(sure).outcome).toBe('ready');
  });
});
