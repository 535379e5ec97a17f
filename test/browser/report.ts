import { setTimeout } from 'node:timers/promises';

/** Results of all checks of a run. */
export interface Report {
  /** Runs a check and prints one line. It fails if it throws, takes more than five minutes, or if `problems` is not empty afterwards. */
  check(name: string, run: (problems: string[]) => Promise<void>): Promise<void>;
  /** Number of passed checks. */
  passed: number;
  /** Names of the failed checks. */
  failed: string[];
}

/** Number of problems of a check that are printed. */
const LISTED = 40;

const LIMIT_MS = 300_000;

/** Starts a report of the checks whose names match. */
export function openReport(matching: RegExp): Report {
  const report: Report = {
    passed: 0,
    failed: [],
    check: async (name, run) => {
      if (!matching.test(name)) return;
      const started = performance.now();
      const problems: string[] = [];
      await inTime(run(problems)).catch((error: unknown) => {
        problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${problems.length === 0 ? 'ok   ' : 'FAIL '} ${name} (${seconds} s)`);
      for (const problem of problems.slice(0, LISTED)) console.log(`      ${problem.replaceAll('\n', '\n      ')}`);
      if (problems.length > LISTED) console.log(`      and ${problems.length - LISTED} more`);
      if (problems.length === 0) report.passed += 1;
      else report.failed.push(name);
    },
  };
  return report;
}

/** Waits for work, for a limited time: a browser that runs no scripts never answers a question about a promise. */
async function inTime(work: Promise<void>): Promise<void> {
  const stop = new AbortController();
  const late = setTimeout(LIMIT_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`Not done after ${LIMIT_MS / 1000} s.`);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    stop.abort();
    late.catch(() => {});
  }
}

/** Runs `work` for all items, at most `width` at the same time, in their order. */
export async function eachOf<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, run));
}
