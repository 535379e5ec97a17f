import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

// What needs a search server, which test/search-servers/run.ts starts. Nothing here is to be done by a certain time, so that
// the limits only end what would never end.
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['test/search-servers/*.suite.ts'], testTimeout: 240_000, hookTimeout: 240_000 },
});
