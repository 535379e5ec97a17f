import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { EVALUATED_ONCE } from '../test/support/evaluated-once.ts';

const root = join(import.meta.dirname, '..');
const everyTest = ['test/**/*.test.ts'];

// Files that measure the whole process (memory, processor time, environment, response times): each runs in a separate process.
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

// Files with a separate process start first because they take long.
class IsolatedFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => (project.config.isolate ? 0 : 1);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** A project of test files. Each file gets new settings, new instances of the service's modules and a new database (test/support). */
export function testProject(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    extends: false,
    root,
    // The build that Node loads. Vitest would choose the one for bundlers, and graphql refuses types of another copy.
    resolve: { alias: [{ find: /^graphql$/, replacement: join(root, 'node_modules/graphql/index.js') }] },
    test: {
      pool: 'forks',
      // Modules have no `require`, as in Node: it would be made for each of a thousand modules in each file.
      injectCjsGlobals: false,
      // One more than the processors of a small machine: some tests wait, for timers and other processes.
      maxWorkers: 3,
      setupFiles: ['test/support/environment.ts', 'test/support/published-documents.ts'],
      sequence: { setupFiles: 'list' },
      // High enough for a busy machine: these timeouts only end tests that hang. Tests of speed have their own limits.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 20_000 } },
      ...test,
    },
  };
}

/** Runs before the first file of all projects; its teardown runs after the last one. */
export const globalSetup = ['test/support/global-setup.ts'];

// Most files share processes: loading the libraries takes longer than most tests. Each file leaves its modules to the garbage collector,
// which takes a tenth of the processor time less with a larger space for new objects, from the start.
const execArgv = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

// Node loads these, which takes a tenth less for the start of a file.
const external = EVALUATED_ONCE.map((path) => new RegExp(`^${RegExp.escape(join(root, path))}.*(?<=\\.ts)$`));

export default defineConfig({
  root,
  test: {
    include: everyTest,
    exclude: programTests,
    globalSetup,
    sequence: { sequencer: IsolatedFirst },
    projects: [
      testProject({ name: 'own process', include: ownProcess, isolate: true }),
      testProject({
        ...{ name: 'shared process', include: everyTest, exclude: [...ownProcess, ...programTests] },
        ...{ isolate: false, execArgv, server: { deps: { external } } },
      }),
    ],
  },
});
