import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BusyServer, startBusyServer } from './busy-server.js';
import { quantile, report } from './figures.js';
import { type OnTerminal, openOnTerminal } from './on-terminal.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lines that come with the file, before the writer's own. */
const opened = 2;

describe('the screen on a real terminal, eight GPUs at a sample a second', () => {
  let server: BusyServer;

  beforeEach(() => {
    server = startBusyServer();
  });
  afterEach(() => server.close());

  const open = (size: readonly [number, number]): Promise<OnTerminal> =>
    openOnTerminal(['watch', 'local', '--log', server.log, '--pid', String(server.pid)], size, server.env);

  it.each([
    [80, 24],
    [200, 50],
  ])('idle at %ix%i', async (columns, rows) => {
    const screen = await open([columns, rows]);
    await pause(8000);
    const cost = screen.measure();
    await pause(20_000);
    report(`idle, ${columns}x${rows}`, { ...cost(), ...screen.memory() });
    await screen.close();
  });

  it('1,000 lines a second at 200x50', async () => {
    const screen = await open([200, 50]);
    server.rate(1000);
    await pause(8000);
    const cost = screen.measure();
    await pause(20_000);
    const { clears, ...figures } = cost();
    report('1,000 lines/s, 200x50', { ...figures, ...screen.memory() });
    server.rate(0);
    await screen.close();
    expect(clears).toBe(0);
  });

  it('100,000 lines a second for 30 s at 200x50: nothing lost, and keys are answered', async () => {
    const screen = await open([200, 50]);
    server.rate(100_000);
    await pause(2000);
    const cost = screen.measure();
    const keys: number[] = [];
    const until = performance.now() + 28_000;
    for (let turn = 0; performance.now() < until; turn += 1) {
      const answered = screen.waitFor(turn % 2 === 0 ? /= held/ : / follow /);
      screen.press('f');
      keys.push(await answered);
      await pause(200);
    }
    const { clears, ...figures } = cost();
    report('100,000 lines/s, 200x50', { ...figures, ...screen.memory() });
    report('key to paint meanwhile (ms)', {
      median: quantile(keys, 0.5),
      p99: quantile(keys, 0.99),
      n: keys.length,
    });
    server.rate(0);
    screen.press('G');
    await pause(1000);
    const began = performance.now();
    const total = (server.lines() + opened).toLocaleString('en-US');
    await shows(screen, `${total} lines`);
    report('all lines are there', {
      written: total,
      'seconds after': (performance.now() - began) / 1000 + 1,
    });
    await screen.close();
    expect(clears).toBe(0);
  });

  /** Draws everything again until the words are on the screen. */
  async function shows(screen: OnTerminal, words: string): Promise<void> {
    for (let turn = 0; turn < 240; turn += 1) {
      const there = screen.waitFor(new RegExp(words), 1000).then(
        () => true,
        () => false,
      );
      screen.press('\x0c');
      if (await there) return;
    }
    throw new Error(`the screen never showed ${words}`);
  }
});
