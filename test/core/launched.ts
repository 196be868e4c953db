import type { Attempt } from '../../src/core/events.js';
import { createReading } from '../../src/triage/reading.js';
import type { Story } from './fold.js';

/** A launch of ours begins, its log fresh and under our eyes, its process alive. */
export function launched(story: Story, number: number, before: readonly string[] = []): Story {
  const pid = 4710 + number;
  const attempt: Attempt = {
    number,
    name: 'big',
    folder: `/state/big/${number}`,
    log: `/logs/server.${number}.log`,
    logIsFresh: true,
    wasKilled: false,
    command: 'python -m sglang.launch_server',
    env: {},
    cwd: null,
    before,
    pid,
    startTicks: `${pid}00`,
    bootId: 'boot',
    startedAt: story.now,
  };
  story.event({ type: 'attempt', at: story.now, attempt, isNew: true, reading: createReading(), before });
  return story.opened(attempt.log).fromTheTop().alive(0, pid);
}
