import { defineConfig } from 'vitest/config';
import { globalSetup, testProject } from './vitest.config.ts';

// Suites that need a search server; test/search-servers/run.ts starts it.
const include = ['test/search-servers/*.suite.ts'];

export default defineConfig({ test: { include, globalSetup, projects: [testProject({ name: 'search servers', include })] } });
