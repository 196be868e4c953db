import { describe, expect, it } from 'vitest';
import { textToCopy } from '../../src/core/copy-text.js';
import type { HealthAnswer } from '../../src/core/events.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { selectCard } from '../../src/core/select/triage.js';
import type { State } from '../../src/core/state.js';
import { historyEntry } from '../support/history-entry.js';
import { LaunchStory } from '../support/screen-stories.js';
import { noon, Story } from './fold.js';

const factsOf = (state: State): ReadonlyMap<string, string> =>
  new Map(selectCard(state).known.map(({ label, text }) => [label, text]));

describe('the card of a server that is ready', () => {
  it('says where it serves, how to try it, who says so, what it took and what it uses', () => {
    const entry = historyEntry(2, {
      model: 'large-moe',
      startedAt: noon - 7_200_000,
      readyAt: noon - 7_200_000 + 634_000,
    });
    const { state } = new LaunchStory({}, { entries: [entry] }).ready();
    const facts = factsOf(state);
    expect(facts.get('serves on')).toBe('http://127.0.0.1:30000 as seen from gpu-17');
    expect(facts.get('try there')).toBe('curl -s http://127.0.0.1:30000/v1/models');
    expect(facts.get('log')).toBe('line 38: [2026-03-01 12:03:07] The server is fired up and ready to roll!');
    expect(facts.get('http')).toBe('/health on port 30000 answers 200');
    expect(facts.get('process')).toBe('pid 4711 is alive (9 processes)');
    expect(facts.get('took')).toMatch(/^3:07 from its start to READY, 7:27 faster than last time/);
    expect(facts.get('model')).toBe('large-moe on SGLang');
    expect(facts.get('limits')).toBe('context of 262144 tokens');
    expect(facts.get('GPUs')).toBe('1025 of 1123 GiB in use on 8 GPUs');
    expect(selectScreen(state).status.summary).toBe(
      'serves on http://127.0.0.1:30000, 7:27 faster than last time',
    );
  });

  it.each<[Partial<HealthAnswer>, string]>([
    [{ address: '10.0.0.5' }, 'http://10.0.0.5:30000'],
    [{ address: '::1', isSecure: true }, 'https://[::1]:30000'],
    [{ address: '127.0.0.1', isSecure: true }, 'https://127.0.0.1:30000'],
    [{}, 'http://127.0.0.1:30000'],
  ])('says where its port was found that its log does not tell: %j', (change, url) => {
    const story = new Story({ log: null, port: 30000 }).alive(600);
    story.answer(200, true, change).later(6).answer(200, true, change);
    expect(story.outcome).toBe('ready');
    expect(factsOf(story.state).get('serves on')).toBe(`${url} as seen from gpu-17`);
    const flags = url.startsWith('https') ? '-sk' : '-s';
    const quote = url.includes('[') ? "'" : '';
    expect(factsOf(story.state).get('try there')).toBe(`curl ${flags} ${quote}${url}/health${quote}`);
  });

  it('makes nothing of a second or two', () => {
    const took = (seconds: number): string | undefined => {
      const startedAt = noon - 7_200_000;
      const entry = historyEntry(2, { model: 'large-moe', startedAt, readyAt: startedAt + 1000 * seconds });
      return factsOf(new LaunchStory({}, { entries: [entry] }).ready().state).get('took');
    };
    expect(took(189)).toContain('3:07 from its start to READY, about as fast as last time');
    expect(took(187)).toContain('about as fast as last time');
    expect(took(195)).toContain('0:08 faster than last time');
  });

  it('says of a process when it was seen last, once the connection is gone', () => {
    const story = new LaunchStory().ready();
    const link = { status: 'down', reason: 'no answer for 15 s', retryAt: story.now + 60_000 } as const;
    expect(factsOf(story.link(link).later(9).state).get('process')).toMatch(
      /^pid 4711 is alive \(9 processes\), seen \d+ s ago$/,
    );
  });

  it('is what y copies while t shows it', () => {
    const { state } = new LaunchStory().ready().key({ kind: 'overlay', overlay: 'triage' });
    const copied = textToCopy(state);
    expect(copied?.lines[0]).toBe('READY: the engine says so');
    expect(copied?.lines).toContain('  try there: curl -s http://127.0.0.1:30000/v1/models');
  });

  it('names no address where none is known, nor the port of a stranger', () => {
    const story = (owned: boolean | null): Story => {
      const answer: HealthAnswer = {
        port: 8000,
        path: '/health',
        source: 'log',
        result: { kind: 'status', code: 200 },
        owned,
      };
      const told = new Story({ engine: 'sglang' }).alive(0).oldLog([], 0);
      if (owned !== null) told.event({ type: 'health', at: told.now, answer });
      return told.write('[2026-03-01 12:00:00] The server is fired up and ready to roll!').later(1);
    };
    expect(story(null).outcome).toBe('ready');
    expect(factsOf(story(null).state).has('serves on')).toBe(false);
    expect(factsOf(story(false).state).has('serves on')).toBe(false);
    expect(factsOf(story(true).state).get('serves on')).toBe('http://127.0.0.1:8000 as seen from gpu-17');
    expect(selectScreen(story(null).state).status.summary).toBe('the engine says so');
  });

  it.each([
    ["host='0.0.0.0', port=8000", 'curl -s http://127.0.0.1:8000/v1/models'],
    ["host='10.0.0.7', port=8000", 'curl -s http://10.0.0.7:8000/v1/models'],
    ["host='fd00::7', port=8000", "curl -s 'http://[fd00::7]:8000/v1/models'"],
    ["host='$(reboot)', port=8000", 'curl -s http://127.0.0.1:8000/v1/models'],
    ["host='0.0.0.0', port=8000, ssl_keyfile='/k'", 'curl -sk https://127.0.0.1:8000/v1/models'],
    [
      "host='0.0.0.0', port=8000, api_key='abc'",
      'curl -s -H "Authorization: Bearer $API_KEY" http://127.0.0.1:8000/v1/models',
    ],
  ])('of ServerArgs(%s) the line to try is %s', (args, curl) => {
    const story = new Story({ engine: 'sglang' }).alive(0).oldLog([], 0);
    story.write(
      `[2026-03-01 12:00:00] server_args=ServerArgs(model_path='acme/m', ${args})`,
      '[2026-03-01 12:00:01] The server is fired up and ready to roll!',
    );
    expect(factsOf(story.later(1).state).get('try there')).toBe(curl);
  });
});

describe('the card of a server that loads', () => {
  it('says what is known so far, and by what', () => {
    const { state } = new LaunchStory().weights().later(1);
    const facts = factsOf(state);
    expect(facts.get('phase')).toBe('Load weights, 29/64 shards');
    expect(facts.get('so far')).toBe('1:13 in this phase, which took 2:28 last time');
    expect(facts.get('left')).toBe('≈ 1:05–1:50 left in this phase, at its present rate');
    expect(facts.get('log')).toMatch(/^quiet for \d+ s; up to \d+ \w+ is normal in this phase$/);
    expect(facts.get('process')).toBe('pid 4711 is alive (9 processes)');
  });

  it('says so where nothing tells how long it will take', () => {
    const { state } = new LaunchStory({}, { entries: [] }).joining();
    expect(factsOf(state).get('left')).toBe(
      'not known: no earlier launch tells it, nor a progress bar in this phase',
    );
  });
});
