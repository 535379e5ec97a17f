/*
 * Runs the suites of this folder on a real search server of each flavor, concurrently: most of their time is spent waiting
 * for the service to retry a server. Usage:
 *
 *   node test/search-servers/run.ts PROGRAM [--flavor elasticsearch9|elasticsearch8|opensearch]
 *
 * PROGRAM start FLAVOR starts a server and prints its URL, PROGRAM stop FLAVOR stops it, and pause and resume freeze it. If
 * its exit status is 69, this machine cannot run the server: the run has the same exit status and prints so in its last line.
 * All failures are printed again at the end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const FLAVORS = ['elasticsearch9', 'elasticsearch8', 'opensearch'];
const UNAVAILABLE = 69;
/** Lines of output to print for a run that fails without a report. */
const LAST_LINES = 12;
const ROOT = join(import.meta.dirname, '../..');
const OUTAGE = 'test/search-servers/outage.suite.ts';
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
/** The servers run for minutes: the second compiler of Java would take more processor time than it saves. */
const JAVA = { JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1' };

const { values, positionals } = parseArgs({ options: { flavor: { type: 'string' } }, allowPositionals: true });
const [given] = positionals;
if (given === undefined) throw new Error('PROGRAM is missing: the program that starts a search server');
const program = resolve(given);

interface Result {
  flavor: string;
  status: number;
  seconds: string;
}

/** The failures so far, with their errors. */
const failures: string[] = [];

/** The running processes, with a function that returns their output. */
const running = new Map<ChildProcess, () => string>();

process.once('SIGTERM', () => {
  for (const [child, output] of running) {
    child.kill();
    console.log(`Ended: ${child.spawnargs.slice(1).join(' ')}\n${output()}`);
  }
  for (const failure of failures) console.log(failure);
  process.exit(1);
});

let turn: Promise<unknown> = Promise.resolve();

const started = performance.now();
const reports = await mkdtemp(join(tmpdir(), 'search-servers-'));
const results = await Promise.all((values.flavor === undefined ? FLAVORS : [values.flavor]).map(runOn)).finally(() =>
  rm(reports, { recursive: true, force: true }),
);
for (const { flavor, status, seconds } of results) {
  console.log(
    `${status === 0 ? 'ok' : status === UNAVAILABLE ? 'skipped: no' : 'FAILED'} ${flavor} (after ${seconds} s)`,
  );
}
for (const failure of failures) console.log(failure);
const statuses = results.map(({ status }) => status).filter((status) => status !== 0);
const status = statuses.find((each) => each !== UNAVAILABLE) ?? statuses[0] ?? 0;
if (status === UNAVAILABLE) console.log('skipped: no search server');
process.exitCode = status;

/** Runs all suites on one flavor. The status is that of the program if it cannot start the server. */
async function runOn(flavor: string): Promise<Result> {
  const status = await tryOn(flavor).catch((error: unknown) => {
    failures.push(`${flavor}: ${error}`);
    return 1;
  });
  return { flavor, status, seconds: ((performance.now() - started) / 1000).toFixed(0) };
}

async function tryOn(flavor: string): Promise<number> {
  try {
    const settings: Record<string, string> = {
      ...{ SEARCH_SERVER_FLAVOR: flavor, SEARCH_SERVER_PROGRAM: program, NO_COLOR: '1' },
      // The suites start it, too.
      ...JAVA,
    };
    // A start and these suites use all of a small machine, so they run for one flavor at a time.
    const others = await inTurn(async () => {
      const server = await run(program, ['start', flavor], JAVA);
      if (server.status !== 0) {
        failures.push(`${flavor} does not start (${server.status}): ${server.errors.trim()}`);
        return server.status;
      }
      settings['SEARCH_SERVER_URL'] = server.printed.trim();
      return suites(flavor, settings, ['--exclude', OUTAGE]);
    });
    if (!('SEARCH_SERVER_URL' in settings)) return others;
    // These suites stop the server and wait until the service retries it, so the next flavor runs concurrently.
    return (await suites(flavor, settings, [OUTAGE])) || others;
  } finally {
    await run(program, ['resume', flavor], {});
    await run(program, ['stop', flavor], {});
  }
}

async function suites(flavor: string, settings: Record<string, string>, words: string[]): Promise<number> {
  const report = join(reports, `${flavor}-${words.length}.json`);
  const reporters = ['--reporter', 'dot', '--reporter', join(import.meta.dirname, 'failure-reporter.ts')];
  const vitest = [VITEST, 'run', '--config', join(ROOT, '.config/vitest.search-servers.ts'), ...reporters];
  const environment = { ...settings, SEARCH_SERVER_REPORT: report };
  const { status, printed, errors } = await run(process.execPath, [...vitest, ...words], environment);
  process.stdout.write(`${printed}${errors}`);
  if (status === 0) return 0;
  const reported = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text) as string[],
    () => [],
  );
  const end = printed.trim().split('\n').slice(-LAST_LINES).join('\n');
  failures.push(...(reported.length > 0 ? reported : [end]).map((failure) => `${flavor}: ${failure}`));
  return status;
}

/** Runs `work` after all earlier calls. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = turn.then(work);
  turn = mine.catch(() => {});
  return mine;
}

async function run(
  command: string,
  words: string[],
  settings: Record<string, string>,
): Promise<{ status: number; printed: string; errors: string }> {
  const env = { ...process.env, ...settings };
  const child = spawn(command, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { printed: '', errors: '' };
  child.stdout.on('data', (chunk) => (output.printed += chunk));
  child.stderr.on('data', (chunk) => (output.errors += chunk));
  running.set(child, () => `${output.printed}${output.errors}`);
  const [code] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  return { status: code ?? 1, ...output };
}
