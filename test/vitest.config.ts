import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Ink draws nothing while CI is set (`is-in-ci`); the tests look at what it draws.
    env: { CI: 'false', NODE_ENV: 'production' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
