import { defineConfig } from 'vitest/config';

/**
 * Two projects, one after the other, so that a unit test never shares the machine with a wrapped suite:
 * `unit` is fast and wide; `e2e` starts real processes, few at a time, because its bounds are on time.
 * `test/field/` (published clients from npm, about 1 GB) has a configuration of its own.
 */
export default defineConfig({
  test: {
    projects: [
      {
        // Packages that are inlined name sources which they do not ship.
        logLevel: 'error',
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/clients/**', 'test/field/**'],
          testTimeout: 60_000,
          // GitHub's parser imports its schema as a bundler would: Node alone wants an attribute for JSON.
          server: { deps: { inline: [/@actions\//] } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/clients/**/*.test.ts'],
          globalSetup: 'test/e2e/harness/build.ts',
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          // Real processes with timeouts of their own on a shared machine: what fails twice more is no accident.
          retry: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
