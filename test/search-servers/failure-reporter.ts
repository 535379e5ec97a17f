import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

interface Failure {
  message?: string;
  stack?: string;
}

const MAX_LINES = 12;

/**
 * A Vitest reporter that writes failures of tests, hooks and modules with a few lines of their errors to the file in
 * SEARCH_SERVER_REPORT, as a JSON array of strings.
 */
export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const failed = modules.flatMap((module) => [
      ...module.errors().map((error) => summaryOf(module.moduleId, error)),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => summaryOf(suite.fullName, error)),
      ),
      ...[...module.children.allTests('failed')].flatMap((test) =>
        (test.result().errors ?? []).map((error) => summaryOf(test.fullName, error)),
      ),
    ]);
    const others = unhandled.map((error) => summaryOf('outside of tests', error));
    writeFileSync(process.env.SEARCH_SERVER_REPORT ?? '', JSON.stringify([...failed, ...others]));
  }
}

function summaryOf(what: string, { message = '', stack = '' }: Failure): string {
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node_modules'));
  const lines = [...message.split('\n').slice(0, MAX_LINES), ...places.slice(0, 3).map((place) => place.trim())];
  return `${what}\n${lines.map((line) => `    ${line}`).join('\n')}`;
}
