/*
 * Kills an import in the middle, again and again: `node test/crash/kill-import.ts [--size 20000] [--kills 5]`. After each kill
 * the database named by DATABASE_URL, or the embedded one of DATA_DIR, has nothing of it; the import after the last one
 * succeeds. Exit status 1 when that is not so.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { manyAddons } from '../support/catalogue/many-addons.ts';
import { PROGRAM } from '../support/program.ts';

/** What was seen of a series of kills. */
export interface KilledImports {
  /** For each kill: milliseconds after the start, and the rows that were there afterwards. */
  kills: { afterMs: number; left: Record<string, number> }[];
  /** The rows that the import after them has left, and how long it took. */
  rows: Record<string, number>;
  completeMs: number;
}

type Query = (text: string) => Promise<Record<string, unknown>[]>;

const TABLES = [
  'account',
  'addon',
  'version',
  'file',
  'addon_document',
  'addon_search',
  'search_listing',
  'search_word',
];

/** The kinds of rows that an import makes, and how many there are. */
async function countRows(query: Query): Promise<Record<string, number>> {
  const counts = TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`);
  const [row = {}] = await query(`SELECT ${counts.join(', ')}`);
  return row as Record<string, number>;
}

function startImport(size: number) {
  const child = spawn(process.execPath, [PROGRAM, 'import', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.on('error', () => {});
  const fed = (async () => {
    for (const line of manyAddons(size)) if (!child.stdin.write(`${line}\n`)) await once(child.stdin, 'drain');
    child.stdin.end();
  })();
  fed.catch(() => {});
  return { child, ended: once(child, 'exit') };
}

/** The server ends a session some time after its client is gone; what it was doing is over then. */
async function sessionsEnded(query: Query): Promise<void> {
  const sessions = `SELECT pid FROM pg_stat_activity WHERE application_name = 'addons-import' AND datname = current_database()`;
  while ((await query(sessions)).length > 0) await sleep(100);
}

/** Kills imports, each in a later phase than the one before, and lets a last one run to its end. */
export async function killImports(
  query: Query,
  { size, kills }: { size: number; kills: number },
): Promise<KilledImports> {
  const before = await countRows(query);
  const seen: KilledImports['kills'] = [];
  for (let index = 0; index < kills; index += 1) {
    const { child, ended } = startImport(size);
    const began = performance.now();
    await phaseBegins(query, index, child);
    await sleep(Math.random() * 200);
    child.kill('SIGKILL');
    await ended;
    await sessionsEnded(query);
    const now = await countRows(query);
    const left = Object.fromEntries(Object.entries(now).map(([table, rows]) => [table, rows - (before[table] ?? 0)]));
    seen.push({ afterMs: Math.round(performance.now() - began), left });
  }
  const began = performance.now();
  const { child, ended } = startImport(size);
  await ended;
  if (child.exitCode !== 0) throw new Error(`the import after the kills ended with status ${child.exitCode}`);
  return { kills: seen, rows: await countRows(query), completeMs: Math.round(performance.now() - began) };
}

/** What an import's session is doing, in the order in which it does it. */
const PHASES = [
  'COPY s_addon ',
  'INSERT INTO addon ',
  'INSERT INTO version ',
  'INSERT INTO addon_document',
  'INSERT INTO addon_search',
];

/** Waits until an import does what is to be interrupted, or is past it. */
async function phaseBegins(query: Query, index: number, child: ChildProcess): Promise<void> {
  const wanted = PHASES.slice(index % PHASES.length);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`an import ended with status ${child.exitCode} before it was killed`);
    const [row] = await query(
      `SELECT query FROM pg_stat_activity WHERE application_name = 'addons-import' AND datname = current_database() AND state <> 'idle'`,
    );
    if (wanted.some((phase) => String(row?.query ?? '').includes(phase))) return;
    await sleep(5);
  }
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: 'string' }, kills: { type: 'string' } } });
  const [size, kills] = [Number(values.size ?? 20_000), Number(values.kills ?? 5)];
  const { openDatabase } = await import('../../src/process/open-database.ts');
  const { pool } = await import('../../src/infra/db.ts');
  const database = await openDatabase({ info: () => {}, warn: () => {} }, 'apply');
  try {
    const seen = await killImports(async (text) => (await pool.query(text)).rows, { size, kills });
    for (const { afterMs, left } of seen.kills) {
      process.stdout.write(`killed after ${afterMs} ms, left: ${JSON.stringify(left)}\n`);
      if (Object.values(left).some((rows) => rows !== 0)) process.exitCode = 1;
    }
    process.stdout.write(`then imported in ${seen.completeMs} ms: ${JSON.stringify(seen.rows)}\n`);
  } finally {
    await database.close();
  }
}

if (process.argv[1] === import.meta.filename) await run();
