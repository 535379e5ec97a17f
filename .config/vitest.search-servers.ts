import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

// What needs a search server, which test/search-servers/run.ts starts.
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['test/search-servers/*.suite.ts'] },
});
