/*
 * Kills imports: `node test/crash/kill-import.ts [--size 20000] [--kills 5]`. After each kill, the database of DATABASE_URL or
 * the embedded one of DATA_DIR must have no row of the import; the import after the last kill must succeed. Otherwise the
 * exit status is 1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { manyAddons } from '../support/catalogue/many-addons.ts';
import { PROGRAM } from '../support/program.ts';

/** Results of a series of kills. */
export interface KilledImports {
  /** For each kill: milliseconds after the start, and the rows left by table. */
  kills: { afterMs: number; left: Record<string, number> }[];
  /** All rows by table after the last, complete import, and its duration. */
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

/** Number of rows in each table that an import writes. */
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

/** The server ends the session of a killed client with a delay. */
async function sessionsEnded(query: Query): Promise<void> {
  const sessions = `SELECT pid FROM pg_stat_activity WHERE application_name = 'addons-import' AND datname = current_database()`;
  while ((await query(sessions)).length > 0) await sleep(100);
}

/** Kills imports, each in a later phase than the previous one, and completes a last one. */
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

/** Statements of an import's session, in order. */
const PHASES = [
  'INSERT INTO s_addon ',
  'INSERT INTO addon ',
  'INSERT INTO version ',
  'INSERT INTO addon_document',
  'INSERT INTO addon_search',
];

/** Waits until an import has reached the phase to interrupt. */
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
