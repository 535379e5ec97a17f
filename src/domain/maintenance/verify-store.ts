/* Compares every stored file with its hash and with the rows that need it. */
import type { FileProblem } from '../../infra/blob-store/blob-store.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { readBuffer } from '../../infra/blob-store/file-hash.ts';
import { db } from '../../infra/db.ts';

/** The names are compared in parts by their first digit, so that memory holds a sixteenth of them. */
const DIGITS = '0123456789abcdef';
const BATCH = 256;
/** The number of threads with which Node reads files. */
const AT_A_TIME = 4;
/** One buffer for each reader of a run. */
const buffers = Array.from({ length: AT_A_TIME }, readBuffer);
/** Age below which no file is garbage. Longer than a backup, which reads the database first and the files later. */
export const GRACE_MS = 24 * 3_600_000;
/** A collection runs each hour. */
const COLLECTED_MS = GRACE_MS + 2 * 3_600_000;
/** An interrupted run is continued within this time. */
const RESUME_MS = 24 * 3_600_000;
/** Unreferenced files whose names are kept. */
const MAX_NAMES = 10_000;

/** After all names that begin with this digit. */
const endOf = (digit: string): string => `${digit}g`;

/** The row of `service_state` with an unfinished run. */
const RUN = 'storage-verification';

/** The row of `service_state` with the result of the last complete run. */
const RESULT = 'storage-verified';

/** The state of a run over all files. */
interface Run {
  started: number;
  /** All names up to this one are done. */
  position: string;
  checked: number;
  unreferenced: string[];
}

/** What a verification found: numbers, and the names of files. */
export interface StoreReport {
  checked: number;
  lost: string[];
  damaged: string[];
  unreferenced: string[];
  /** Files that an interrupted run had checked. */
  resumed: number;
}

/**
 * Makes records and objects of the store agree, reads all files that rows need, and finds files that no row references and that should have been collected. Continues a run that was
 * interrupted in the last day. Problems are recorded for `addons doctor`, and forgotten when the file is whole.
 */
export async function verifyStore(): Promise<StoreReport> {
  await blobs.reconcile();
  const run = await openRun();
  const resumed = run.checked;
  for (const digit of DIGITS) if (run.position < endOf(digit)) await verifyPart(run, digit);
  await db.serviceState.deleteMany({ where: { name: RUN } });
  const found = await db.$queryRaw<{ sha256: string; problem: FileProblem }[]>`
    SELECT sha256, problem FROM stored_file_problem p WHERE EXISTS (
      SELECT FROM stored_file_use used WHERE used.sha256 = p.sha256 AND used.is_needed) ORDER BY sha256`;
  const withProblem = (wanted: FileProblem) =>
    found.filter(({ problem }) => problem === wanted).map(({ sha256 }) => sha256);
  const { checked, unreferenced } = run;
  const report = { checked, lost: withProblem('lost'), damaged: withProblem('damaged'), unreferenced, resumed };
  await saveResult(report);
  return report;
}

/** The numbers of a complete run. */
export interface StoreVerification {
  /** When it ended. */
  finished: Date;
  checked: number;
  lost: number;
  damaged: number;
  unreferenced: number;
}

async function saveResult({ checked, lost, damaged, unreferenced }: StoreReport): Promise<void> {
  const value = { checked, lost: lost.length, damaged: damaged.length, unreferenced: unreferenced.length };
  await db.$executeRaw`
    INSERT INTO service_state (name, value) VALUES (${RESULT}, ${JSON.stringify(value)}::jsonb)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, modified = now()`;
}

/** The result of the last complete run; null when there was none. */
export async function lastVerification(): Promise<StoreVerification | null> {
  const row = await db.serviceState.findUnique({ where: { name: RESULT } });
  return row === null
    ? null
    : { ...(row.value as unknown as Omit<StoreVerification, 'finished'>), finished: row.modified };
}

/** Reads `size` files that rows need, chosen at random. */
export async function verifySample(size: number): Promise<StoreReport> {
  const rows = await db.$queryRaw<{ sha256: string }[]>`
    SELECT sha256 FROM (SELECT DISTINCT sha256 FROM stored_file_use WHERE is_needed) AS needed
    ORDER BY random() LIMIT ${size}::int`;
  const report: StoreReport = { checked: rows.length, lost: [], damaged: [], unreferenced: [], resumed: 0 };
  for (let start = 0; start < rows.length; start += BATCH) {
    const problems = await verifyFiles(rows.slice(start, start + BATCH).map(({ sha256 }) => sha256));
    for (const [sha256, problem] of problems) report[problem].push(sha256);
  }
  return report;
}

async function openRun(): Promise<Run> {
  const row = await db.serviceState.findUnique({ where: { name: RUN } });
  const run = row === null ? null : (row.value as unknown as Run);
  if (run !== null && Date.now() - run.started < RESUME_MS) return run;
  return { started: Date.now(), position: '', checked: 0, unreferenced: [] };
}

async function saveRun(run: Run): Promise<void> {
  const value = { ...run };
  await db.serviceState.upsert({ where: { name: RUN }, create: { name: RUN, value }, update: { value } });
}

/** Files whose names begin with a digit. Both lists are read after each other: what appears in between is young or found again. */
async function verifyPart(run: Run, digit: string): Promise<void> {
  const needed = new Set(await neededFiles(digit, run.position));
  const old: string[] = [];
  for await (const { sha256, modified } of blobs.entries(digit, (name) => !needed.has(name))) {
    if (Date.now() - modified > COLLECTED_MS) old.push(sha256);
  }
  const unreferenced = await withoutUse(old);
  const names = [...needed].sort();
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH);
    await verifyFiles(batch);
    run.position = batch.at(-1) ?? run.position;
    run.checked += batch.length;
    await saveRun(run);
  }
  run.unreferenced.push(...unreferenced.slice(0, MAX_NAMES - run.unreferenced.length));
  run.position = endOf(digit);
  await saveRun(run);
}

async function neededFiles(digit: string, position: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ sha256: string }[]>`
    SELECT DISTINCT sha256 FROM stored_file_use
    WHERE is_needed AND left(sha256, 1) = ${digit} AND sha256 COLLATE "C" > ${position}`;
  return rows.map(({ sha256 }) => sha256);
}

/** Reads files, and records what is wrong with them. */
async function verifyFiles(names: readonly string[]): Promise<Map<string, FileProblem>> {
  const problems = new Map<string, FileProblem>();
  const queue = names.values();
  const work = async (buffer: Buffer): Promise<void> => {
    for (const sha256 of queue) {
      const problem = await blobs.check(sha256, buffer);
      if (problem !== null) problems.set(sha256, problem);
    }
  };
  await Promise.all(buffers.map(work));
  await db.$executeRaw`DELETE FROM stored_file_problem WHERE sha256 = ANY(${names.filter((name) => !problems.has(name))}::text[])`;
  await db.$executeRaw`
    INSERT INTO stored_file_problem (sha256, problem)
    SELECT * FROM unnest(${[...problems.keys()]}::text[], ${[...problems.values()]}::text[])
    ON CONFLICT (sha256) DO UPDATE SET problem = excluded.problem, seen = now()`;
  return problems;
}

/** Those of the hashes that no row references. */
export async function withoutUse(hashes: readonly string[]): Promise<string[]> {
  if (hashes.length === 0) return [];
  const rows = await db.$queryRaw<{ sha256: string }[]>`
    SELECT candidate AS sha256 FROM unnest(${hashes}::text[]) AS candidate
    WHERE NOT EXISTS (SELECT FROM stored_file_use WHERE stored_file_use.sha256 = candidate)`;
  return rows.map(({ sha256 }) => sha256);
}
