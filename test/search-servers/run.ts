/*
 * Runs the suites of this folder on a real search server of each kind, one after the other. Usage:
 *
 *   node test/search-servers/run.ts PROGRAM [--flavor elasticsearch9|elasticsearch8|opensearch]
 *
 * PROGRAM start FLAVOR starts a server and prints its address, PROGRAM stop FLAVOR ends it; pause and resume make it hang. Its
 * exit status 69 says that this machine cannot run one: that is then the status of the run, and its last line says so.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const FLAVORS = ['elasticsearch9', 'elasticsearch8', 'opensearch'];
const UNAVAILABLE = 69;
const ROOT = join(import.meta.dirname, '../..');
const OUTAGE = 'test/search-servers/outage.suite.ts';
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

const { values, positionals } = parseArgs({ options: { flavor: { type: 'string' } }, allowPositionals: true });
const [given] = positionals;
if (given === undefined) throw new Error('Which program starts a search server?');
const program = resolve(given);

const results: string[] = [];
let status = 0;
for (const flavor of values.flavor === undefined ? FLAVORS : [values.flavor]) {
  const started = performance.now();
  const outcome = await runOn(flavor);
  results.push(
    `${outcome === 0 ? 'ok' : outcome === UNAVAILABLE ? 'skipped: no' : 'FAILED'} ${flavor} (${seconds(started)} s)`,
  );
  if (outcome !== 0 && (outcome !== UNAVAILABLE || status === 0)) status = outcome;
}
console.log(results.join('\n'));
if (status === UNAVAILABLE) console.log('skipped: no search server');
process.exitCode = status;

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

/** The status of the suites on one kind of server; that of the program if it cannot start it. */
async function runOn(flavor: string): Promise<number> {
  const server = await run(program, ['start', flavor], {}, 'pipe');
  if (server.status !== 0) return server.status;
  try {
    const settings = {
      SEARCH_SERVER_URL: server.printed.trim(),
      SEARCH_SERVER_FLAVOR: flavor,
      SEARCH_SERVER_PROGRAM: program,
    };
    const others = await suites(settings, ['--exclude', OUTAGE]);
    // These stop the server, so they run by themselves.
    return others === 0 ? await suites(settings, [OUTAGE]) : others;
  } finally {
    await run(program, ['resume', flavor], {}, 'pipe');
    await run(program, ['stop', flavor], {}, 'pipe');
  }
}

async function suites(settings: Record<string, string>, words: string[]): Promise<number> {
  const vitest = [VITEST, 'run', '--config', join(ROOT, '.config/vitest.search-servers.ts'), '--reporter', 'dot'];
  return (await run(process.execPath, [...vitest, ...words], settings, 'inherit')).status;
}

async function run(
  command: string,
  words: string[],
  settings: Record<string, string>,
  output: 'pipe' | 'inherit',
): Promise<{ status: number; printed: string }> {
  const env = { ...process.env, ...settings };
  const child = spawn(command, words, { cwd: ROOT, env, stdio: ['ignore', output, 'inherit'] });
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { status: code ?? 1, printed };
}
