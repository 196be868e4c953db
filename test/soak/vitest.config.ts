import { defineConfig } from 'vitest/config';

/** What takes minutes: hundreds of faults under load. A short form of it is part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts'],
    fileParallelism: false,
    env: { CI: 'false', NODE_ENV: 'production' },
    globalSetup: 'test/support/own-home.ts',
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
});
