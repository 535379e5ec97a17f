import { defineConfig } from 'vitest/config';
import { globalSetup, programTests as include, testProject } from './vitest.config.ts';

// Whole programs: `npm start` and the demo, operator commands, workers, validators, stock clients, the embedded database, the steps of the
// README; and hostile files in the processes that show code. They take as long as all other tests together.
// Each starts processes of its own, which keep the processors busy.
export default defineConfig({
  test: { include, globalSetup, projects: [testProject({ name: 'programs', include, isolate: true, maxWorkers: 2 })] },
});
