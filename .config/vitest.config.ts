import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '..');
const everyTest = ['test/**/*.test.ts'];

// What these measure is of the whole process: its memory, its processor time, its environment, how steadily it answers.
const ownProcess = [
  'test/domain/addons/clean-html.test.ts',
  'test/domain/pictures/store-picture.test.ts',
  'test/graphql/garbage.test.ts',
  'test/infra/pictures/picture-processes.test.ts',
  'test/package/zip/read-zip.test.ts',
  'test/rest/garbage.test.ts',
];

/** Tests of whole programs: vitest.programs.ts. */
export const programTests = ['test/programs/*.test.ts'];

// A file with a process of its own takes long.
class IsolatedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => (project.config.isolate ? 0 : 1);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** Test files of one kind. Each has settings, modules of ours and a database of its own (support/environment.ts, database.ts). */
export function testProject(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    extends: false,
    root,
    // As Node resolves it: vitest takes the build for bundlers, and two copies of graphql do not know each other's types.
    resolve: { alias: [{ find: /^graphql$/, replacement: join(root, 'node_modules/graphql/index.js') }] },
    test: {
      pool: 'forks',
      maxWorkers: 2,
      setupFiles: ['test/support/environment.ts', 'test/support/published-documents.ts'],
      sequence: { setupFiles: 'list' },
      // They end what would never end, also on a machine that has much else to do. What has to be quick says so itself.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 20_000 } },
      ...test,
    },
  };
}

/** What starts before the first file of all projects, and ends after the last one. */
export const globalSetup = ['test/support/global-setup.ts'];

// A process serves one file after another where it can: loading the libraries takes longer than most tests.
export default defineConfig({
  root,
  test: {
    include: everyTest,
    exclude: programTests,
    globalSetup,
    sequence: { sequencer: IsolatedFirst },
    projects: [
      testProject({ name: 'own process', include: ownProcess, isolate: true }),
      testProject({ name: 'shared process', include: everyTest, exclude: [...ownProcess, ...programTests], isolate: false }),
    ],
  },
});
