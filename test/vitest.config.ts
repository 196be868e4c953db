import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.js';

export default defineConfig({
  // The production build of React, which the tests run with, has no `jsxDEV`.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Ink draws nothing while CI is set (`is-in-ci`); the tests look at what it draws.
    env: { CI: 'false', NODE_ENV: 'production' },
    globalSetup: 'test/support/own-home.ts',
    // They wait for processes, links and terminals far more than they compute.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A machine that does other things as well may let a wait run out (see also `.ci/tests.mjs`).
    retry: process.env.CI ? 1 : 0,
    // The waits inside have limits of their own, and say what did not come; a test is several of them.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
