import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Job, Outcome } from './load-generator.ts';

/** The load generator, in a separate process. */
export interface LoadGenerator {
  /** @throws {Error} for any status other than the expected one. */
  send(job: Job, status: number): Promise<{ requests: number; perSecond: number }>;
  stop(): void;
}

/** Starts the load generator. */
export function startLoadGenerator(): LoadGenerator {
  const child = spawn(process.execPath, [`${import.meta.dirname}/load-generator.ts`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async send(job, status) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error('the load generator has ended');
      const { statuses, failures, seconds } = JSON.parse(value) as Outcome;
      const { [status]: requests = 0, ...others } = statuses;
      if (failures > 0 || Object.keys(others).length > 0) {
        throw new Error(`${job.url}: ${failures} failures, responses by status ${JSON.stringify(statuses)}`);
      }
      return { requests, perSecond: requests / seconds };
    },
    stop: () => child.kill(),
  };
}
