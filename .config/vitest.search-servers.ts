import { defineConfig } from 'vitest/config';
import { globalSetup, testProject } from './vitest.config.ts';

// What needs a search server, which test/search-servers/run.ts starts.
const include = ['test/search-servers/*.suite.ts'];

export default defineConfig({ test: { include, globalSetup, projects: [testProject({ name: 'search servers', include })] } });
