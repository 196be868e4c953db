import { describe, expect, it } from 'vitest';
import type { Event, Link } from '../../src/core/events.js';
import { connectionError } from '../../src/errors.js';
import type { Host } from '../../src/host/host.js';
import { LoginRefused } from '../../src/host/login-refused.js';
import type { Prompts } from '../../src/host/prompts.js';
import type { Asking } from '../../src/runtime/login-again.js';
import { createLoginQuestions } from '../../src/runtime/login-questions.js';
import { type Connect, stayConnected } from '../../src/runtime/stay-connected.js';
import { until } from '../support/until.js';

const wantsPassword = connectionError(
  'login-failed',
  'box refused the login of me.',
  undefined,
  new LoginRefused(['password'], 'box wants a password for me.'),
);
const changedKey = connectionError('host-key-changed', 'The host key of box has changed.');
const unreachable = connectionError('unreachable', 'Nothing listens on box:22.');

/** A connection that is lost when the test says so, and keeps the order of what happens in `story`. */
function fakeHost(story: string[], name: string) {
  const listeners = new Set<(loss: { readonly reason: string }) => void>();
  const host: Host = {
    label: 'box',
    kind: 'ssh',
    via: 'ssh2',
    sessionsSeen: () => null,
    exec: () => Promise.reject(new Error('not here')),
    forward: () => Promise.reject(new Error('not here')),
    onDown(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await new Promise((resolve) => setTimeout(resolve, 30));
      story.push(`closed ${name}`);
    },
  };
  return { host, lose: () => [...listeners].map((listener) => listener({ reason: 'cut' })) };
}

function start(asking: Asking, connect: Connect) {
  const story: string[] = [];
  const first = fakeHost(story, 'first');
  const links: Link[] = [];
  const over = new AbortController();
  const connection = stayConnected({
    host: first.host,
    asking,
    connect(...how) {
      story.push(how[1] === undefined ? 'tried' : 'asked');
      return connect(...how);
    },
    use: (_, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    tell: (link) => links.push(link),
    signal: over.signal,
    now: Date.now,
    random: () => 0,
  });
  return { connection, links, story, first, over, last: () => links.at(-1) };
}

const nobodyAnswers: Prompts = {
  canAsk: true,
  confirmHostKey: async () => false,
  passphrase: async () => null,
  password: async () => null,
  interactive: async () => null,
};

const onDemand = (stop = new AbortController()): Asking => ({
  kind: 'on-demand',
  prompts: nobodyAnswers,
  cancelled: () => stop.signal,
});

const soon = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a login after a loss that needs somebody', () => {
  it('waits, is not tried again by itself, and goes on when they say so', async () => {
    const next = fakeHost([], 'next').host;
    let right = false;
    const { connection, links, story, first, over, last } = start(onDemand(), async (_signal, prompts) => {
      if (prompts === undefined || !right) throw wantsPassword;
      return next;
    });
    first.lose();
    await until(() => last()?.status === 'waiting', 'it waits');
    expect(last()).toEqual({
      status: 'waiting',
      needs: 'answer',
      reason: 'box wants a password for me.',
      trying: false,
    });
    expect(story).toEqual(['closed first', 'tried']);
    // Longer than the first waits between tries.
    await soon(2500);
    expect(story).toEqual(['closed first', 'tried']);

    connection.connectNow();
    await until(() => story.length === 3, 'it asks');
    await until(() => last()?.status === 'waiting' && !isTrying(last()), 'it waits again');
    right = true;
    connection.connectNow();
    await until(() => last()?.status === 'up', 'it is up');
    expect(connection.host()).toBe(next);
    expect(story).toEqual(['closed first', 'tried', 'asked', 'asked']);
    expect(links.filter(({ status }) => status === 'lost')).toEqual([]);
    over.abort();
    await connection.ended;
  });

  it('waits after a refused host key, too, and after a network that went meanwhile', async () => {
    const failures = [changedKey, changedKey, unreachable];
    const { connection, story, first, over, last } = start(onDemand(), async () => {
      throw failures.shift() ?? new Error('one try too many');
    });
    first.lose();
    await until(() => last()?.status === 'waiting', 'it waits');
    expect(last()).toMatchObject({ needs: 'retry', reason: 'The host key of box has changed.' });
    connection.connectNow();
    await until(() => story.length === 3 && !isTrying(last()), 'it was tried once');
    connection.connectNow();
    await until(() => story.length === 4 && !isTrying(last()), 'it was tried once more');
    expect(last()).toMatchObject({ status: 'waiting', reason: 'Nothing listens on box:22.' });
    await soon(1500);
    expect(failures).toEqual([]);
    expect(story).toHaveLength(4);
    over.abort();
    await connection.ended;
  });

  it('waits on after it was left unanswered, with the same question', async () => {
    const stop = new AbortController();
    const { connection, first, over, last } = start(onDemand(stop), (signal, prompts) => {
      if (prompts === undefined) return Promise.reject(wantsPassword);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true }),
      );
    });
    first.lose();
    await until(() => last()?.status === 'waiting', 'it waits');
    connection.connectNow();
    await until(() => isTrying(last()), 'it asks');
    stop.abort();
    await until(() => !isTrying(last()), 'it waits again');
    expect(last()).toMatchObject({ needs: 'answer', reason: 'box wants a password for me.' });
    over.abort();
    await connection.ended;
  });

  it('is lost for good where nobody can be asked, and says what was asked', async () => {
    const { connection, first, last } = start({ kind: 'nobody' }, async () => {
      throw wantsPassword;
    });
    first.lose();
    await connection.ended;
    expect(last()).toEqual({
      status: 'lost',
      reason: 'box wants a password for me, and nobody can be asked.',
    });
    await expect(connection.standing()).rejects.toThrow(/given up/);
  });

  it('is asked at once on a terminal, one time, and not for what no answer helps', async () => {
    const asking: Asking = { kind: 'at-once', prompts: nobodyAnswers };
    const wrong = connectionError('login-failed', 'No.', undefined, new LoginRefused(['password'], null));
    const one = start(asking, async (_signal, prompts) => {
      throw prompts === undefined ? wantsPassword : wrong;
    });
    one.first.lose();
    await one.connection.ended;
    expect(one.story).toEqual(['closed first', 'tried', 'asked']);
    expect(one.last()).toEqual({ status: 'lost', reason: 'No.' });
    const other = start(asking, async () => {
      throw changedKey;
    });
    other.first.lose();
    await other.connection.ended;
    expect(other.story).toEqual(['closed first', 'tried']);
  });

  it('does not wait for ever for the end of the former connection', async () => {
    const next = fakeHost([], 'next').host;
    const { connection, first, over, last } = start({ kind: 'nobody' }, async () => next);
    first.host.close = () => new Promise(() => {});
    first.lose();
    await until(() => last()?.status === 'down', 'it is lost');
    await until(() => last()?.status === 'up', 'it is up');
    over.abort();
    await connection.ended;
  });
});

describe('the questions of a login on the screen', () => {
  it('pass through events, and their answers do not', async () => {
    const events: Event[] = [];
    const questions = createLoginQuestions(
      (event) => events.push(event),
      () => 1,
    );
    const round = questions.prompts.interactive({
      host: 'box',
      name: 'Two steps\u001b[2J',
      instructions: '',
      prompts: [
        { text: 'Password: ', echo: false },
        { text: 'Code:\u001b]52;c;c3RvbGVu\u0007', echo: true },
      ],
    });
    questions.answer('hunter2');
    await until(() => events.length === 3, 'the second question');
    questions.answer('123456');
    expect(await round).toEqual(['hunter2', '123456']);
    questions.answer('for nobody');
    const told = JSON.stringify(events);
    expect(told).not.toMatch(/hunter2|123456|for nobody|\\u001b|\\u0007/);
    expect(events[0]).toMatchObject({
      type: 'question',
      question: { heading: ['Two steps [2J'], text: '(box) Password:', echo: false },
    });
    expect(events.at(-1)).toMatchObject({ type: 'question', question: null });
  });

  it('are no longer answered once the login was left', async () => {
    const questions = createLoginQuestions(
      () => {},
      () => 1,
    );
    const signal = questions.begin();
    const asked = questions.prompts.password('me', 'box', 1);
    questions.cancel();
    expect(signal.aborted).toBe(true);
    expect(await asked).toBeNull();
    expect(questions.begin().aborted).toBe(false);
  });
});

const isTrying = (link: Link | undefined): boolean => link?.status === 'waiting' && link.trying;
