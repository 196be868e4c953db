import { defineConfig } from 'vitest/config';

/** The benchmarks print tables; they take minutes, and no number of theirs fails a build. */
export default defineConfig({
  test: {
    include: ['test/bench/**/*.bench.ts'],
    fileParallelism: false,
    env: { CI: 'false', NODE_ENV: 'production' },
    globalSetup: 'test/support/own-home.ts',
    testTimeout: 600_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
