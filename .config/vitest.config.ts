import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '..');

// One process per test file: settings are read once per process, and each file has a database of its own.
export default defineConfig({
  root,
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
