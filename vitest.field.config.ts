import { defineConfig } from 'vitest/config';

/** Published clients as truth: installs many packages, so it is never part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/field/**/*.test.ts'],
    globalSetup: 'test/e2e/harness/build.ts',
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
