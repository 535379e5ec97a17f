import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = join(import.meta.dirname, '..');

// One process per test file: settings are read once per process, and each file has a database of its own.
export default defineConfig({
  root,
  // As Node resolves it: vitest takes the build for bundlers, and two copies of graphql do not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: join(root, 'node_modules/graphql/index.js') }] },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/environment.ts', 'test/support/published-documents.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
