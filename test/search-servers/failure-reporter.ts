import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** An error as the reporter gets it. */
interface Failure {
  message?: string;
  stack?: string;
}

const MOST_LINES = 12;

/**
 * A reporter of vitest that writes what failed and why, each in a few lines, as a list in JSON into the file that the setting
 * SEARCH_SERVER_REPORT names: tests, what prepares them, and what belongs to none.
 */
export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Failure[]): void {
    const failed = modules.flatMap((module) => [
      ...module.errors().map((error) => told(module.moduleId, error)),
      ...[...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => told(suite.fullName, error)),
      ),
      ...[...module.children.allTests('failed')].flatMap((test) =>
        (test.result().errors ?? []).map((error) => told(test.fullName, error)),
      ),
    ]);
    const others = unhandled.map((error) => told('outside of all tests', error));
    writeFileSync(process.env.SEARCH_SERVER_REPORT ?? '', JSON.stringify([...failed, ...others]));
  }
}

function told(what: string, { message = '', stack = '' }: Failure): string {
  const places = stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node_modules'));
  const lines = [...message.split('\n').slice(0, MOST_LINES), ...places.slice(0, 3).map((place) => place.trim())];
  return `${what}\n${lines.map((line) => `    ${line}`).join('\n')}`;
}
