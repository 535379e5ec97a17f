/* The comparison of a large package with its previous version: time of its page, and what it costs other requests. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { zip } from '../../test/support/packages.ts';
import { percentile, time } from '../measure.ts';
import { memoryOf, type ServerProcess } from '../processes.ts';
import type { Row } from '../report.ts';

const FILES = 2_000;
const LINES = 200;
/** Every tenth file is changed. */
const CHANGED = 10;
const ROUNDS = 20;
/** Requests for other pages, one after the other, whose latencies are compared. */
const OTHERS = 400;
const GOALS = { firstMs: 3_000, keptMs: 300, slower: 1.3, memoryMb: 768 };

interface Compared {
  id: number;
  slug: string;
  versions: { id: number; version: string }[];
}

/** The rows of pages of code, for an add-on of the catalogue that gets the packages. */
export async function codeRows(
  database: pg.Client,
  { pid, url }: ServerProcess,
  dataDir: string,
  others: readonly string[],
): Promise<Row[]> {
  const { slug, versions } = await storePair(database, dataDir);
  const [from, to] = versions;
  const path = `/addon/${slug}/compare/${from?.version}...${to?.version}/`;
  const fetched = (address: string) => get(url + address);
  const first = await latencyOf(() => fetched(path));
  const kept = await time(ROUNDS, 1, () => fetched(path));
  const firstFile = await latencyOf(() => fetched(`${path}?file=${nameOf(0)}`));
  const keptFile = await time(ROUNDS, 1, () => fetched(`${path}?file=${nameOf(0)}`));
  await latenciesOf(url, others);
  const alone = percentile(await latenciesOf(url, others), 0.99);
  const reading = readUnkept(fetched, `/addon/${slug}/versions/${to?.version}/files/`);
  const during = percentile(await latenciesOf(url, others), 0.99);
  const read = await reading.stop();
  const unit = 'ms';
  return [
    { what: 'comparison of 2,000 files, 20 MB: first time', value: first, unit, goal: { max: GOALS.firstMs } },
    { what: 'comparison: kept, p95', value: percentile(kept, 0.95), unit, goal: { max: GOALS.keptMs } },
    { what: 'comparison of one file: first time', value: firstFile, unit, goal: { max: GOALS.firstMs } },
    { what: 'comparison of one file: kept, p95', value: percentile(keptFile, 0.95), unit, goal: { max: GOALS.keptMs } },
    { what: 'add-on page: p99, one request at a time', value: alone, unit },
    { what: 'files formatted and highlighted at the same time, for the next row', value: read, unit: 'files' },
    {
      what: 'add-on page: p99 at the same time, compared',
      value: during / alone,
      unit: '×',
      goal: { max: GOALS.slower },
    },
    {
      what: 'processes that read packages: most memory of one',
      value: await peakMemory(pid),
      unit: 'MB',
      goal: { max: GOALS.memoryMb },
    },
  ];
}

const nameOf = (index: number): string => `folder-${index % 40}/file-${index}.js`;

/** About 10 kB. */
const textOf = (index: number, version: number): string =>
  Array.from({ length: LINES }, (_, line) =>
    line % 50 === 7 && index % CHANGED === 0
      ? `export const changed${line} = { version: ${version}, file: ${index} };\n`
      : `export const value${line} = "${index * 7919 + line}"; // of ${line}\n`,
  ).join('');

async function get(address: string): Promise<void> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${address} returned ${response.status}`);
}

async function latencyOf(work: () => Promise<unknown>): Promise<number> {
  const [ms = Number.NaN] = await time(1, 0, work);
  return ms;
}

/** Opens files that were not opened before, two at a time, until it is stopped. Returns their number. */
function readUnkept(fetched: (address: string) => Promise<void>, path: string): { stop(): Promise<number> } {
  let isRunning = true;
  let next = 1;
  const readOn = async () => {
    while (isRunning && next < FILES) await fetched(`${path}?pretty=1&file=${nameOf(next++)}`);
  };
  const readers = [readOn(), readOn()];
  return {
    stop: async () => {
      isRunning = false;
      await Promise.all(readers);
      return next - 1;
    },
  };
}

async function latenciesOf(url: string, paths: readonly string[]): Promise<number[]> {
  let index = 0;
  return time(OTHERS, 20, () => get(url + paths[index++ % paths.length]));
}

/** Gives two versions of an add-on the packages, and makes its source public. */
async function storePair(database: pg.Client, dataDir: string): Promise<Compared> {
  const { rows } = await database.query<Compared>(
    `SELECT a.id, a.slug, json_agg(json_build_object('id', v.id, 'version', v.version) ORDER BY v.id) AS versions
     FROM addon a JOIN version v ON v.addon_id = a.id
     WHERE a.status = 'public' AND a.slug IS NOT NULL AND v.channel = 'listed' AND v.stage = 'signed' AND v.deleted_at IS NULL
       AND EXISTS (SELECT FROM file f WHERE f.version_id = v.id)
     GROUP BY a.id HAVING count(*) >= 2 ORDER BY a.weekly_downloads DESC, a.id LIMIT 1`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('No add-on has two versions.');
  await database.query('UPDATE addon SET is_source_public = true WHERE id = $1', [found.id]);
  for (const [index, { id }] of found.versions.slice(0, 2).entries()) {
    const names = Array.from({ length: FILES }, (_, file) => file);
    const bytes = await zip(Object.fromEntries(names.map((file) => [nameOf(file), textOf(file, index)])));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const folder = join(dataDir, 'blobs', sha256.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, sha256), bytes);
    await database.query('UPDATE file SET original_sha256 = $1, is_stored = true WHERE version_id = $2', [sha256, id]);
  }
  return found;
}

/** The most memory that one of the processes has had that read packages, in MB. */
async function peakMemory(parent: number): Promise<number> {
  const peaks: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    if (!command.includes('code-process') || !status.includes(`PPid:\t${parent}\n`)) continue;
    peaks.push((await memoryOf(Number(entry))).peak);
  }
  return Math.max(...peaks);
}
