/* Review pages and comparisons of a large package: their time, and what they cost other requests. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { percentile, time } from '../measure.ts';
import { memoryOf, type ServerProcess } from '../processes.ts';
import type { Row } from '../report.ts';
import { nameOf, storeLargeAddon } from './large-packages.ts';
import { startVisitor } from './visitor.ts';

const KEPT_ROUNDS = 20;
/** Versions whose review page is opened for the first time, while other requests are measured. */
const VERSIONS = 6;
/** Each turn with reviewers follows one without them, of this length, in ms. */
const ALONE_MS = 4_000;
/** What a turn with reviewers leaves to do ends before the next one without them, in ms. */
const REST_MS = 1_000;
/** A review page says that its package is still read at most this long, in ms. */
const READING_MS = 60_000;
/** Files that are read in a turn. */
const READ_FILES = 30;
const GOALS = { firstMs: 3_000, keptMs: 300, slower: 1.3, memoryMb: 768 };

/** The rows of pages of code, for an add-on of the catalogue that gets the packages. `session` is that of a reviewer. */
export async function codeRows(
  database: pg.Client,
  { pid, url }: ServerProcess,
  { dataDir, session }: { dataDir: string; session: string },
  others: readonly string[],
): Promise<Row[]> {
  const { slug, base, waiting } = await storeLargeAddon(database, dataDir, VERSIONS);
  const get = (path: string) => read(url + path, session);
  const review = (version: string) => `/reviewers/review/${slug}/?version=${version}`;
  const compare = (version: string) => `/addon/${slug}/compare/${base}...${version}/`;
  const visitor = startVisitor(others.map((path) => url + path));
  await visitor.during(sleep(2 * ALONE_MS));
  const times: Record<'review' | 'analysed' | 'compare' | 'lines', number[]> = {
    ...{ review: [], analysed: [], compare: [], lines: [] },
  };
  const turns: Record<'alone' | 'reviewing' | 'files', number[]> = { alone: [], reviewing: [], files: [] };
  const turn = async (name: 'reviewing' | 'files', work: () => Promise<void>) => {
    await sleep(REST_MS);
    turns.alone.push(...(await visitor.during(sleep(ALONE_MS))));
    turns[name].push(...(await visitor.during(work())));
  };
  for (const [index, version] of waiting.entries()) {
    await turn('reviewing', async () => {
      const started = performance.now();
      times.review.push(await latencyOf(() => get(review(version))));
      times.compare.push(await latencyOf(() => get(`${compare(version)}?all=1`)));
      while (isReading(await get(review(version))) && performance.now() - started < READING_MS) await sleep(500);
      times.analysed.push(performance.now() - started);
      times.lines.push(await latencyOf(() => get(`${compare(version)}?file=${nameOf(0)}`)));
    });
    await turn('files', () => readFiles(get, `/addon/${slug}/versions/${version}/files/`, index));
  }
  visitor.stop();
  const [version = ''] = waiting;
  const kept = async (path: string) => percentile(await time(KEPT_ROUNDS, 2, () => get(path)), 0.95);
  const p99 = (turn: readonly number[]) => percentile(turn, 0.99);
  const unit = 'ms';
  const first = { unit, goal: { max: GOALS.firstMs } };
  const later = { unit, goal: { max: GOALS.keptMs } };
  const slower = { unit: '×', goal: { max: GOALS.slower } };
  return [
    { what: 'review page of 2,000 files, 20 MB: first time, slowest', value: Math.max(...times.review), ...first },
    { what: 'review page: until its package is read, slowest', value: Math.max(...times.analysed), unit },
    { what: 'review page: kept, p95', value: await kept(review(version)), ...later },
    { what: 'comparison of 2,000 files: first time, slowest', value: Math.max(...times.compare), ...first },
    { what: 'comparison: kept, p95', value: await kept(`${compare(version)}?all=1`), ...later },
    { what: 'comparison of one file: first time, slowest', value: Math.max(...times.lines), ...first },
    { what: 'comparison of one file: kept, p95', value: await kept(`${compare(version)}?file=${nameOf(0)}`), ...later },
    { what: 'add-on page: p99, one request at a time', value: p99(turns.alone), unit },
    {
      what: 'add-on page: p99 during first review pages, compared',
      value: p99(turns.reviewing) / p99(turns.alone),
      ...slower,
    },
    {
      what: `add-on page: p99 while ${READ_FILES} files are formatted and highlighted, compared`,
      value: p99(turns.files) / p99(turns.alone),
      ...slower,
    },
    {
      what: 'processes that read packages: most memory of one',
      value: await peakMemory(pid),
      unit: 'MB',
      goal: { max: GOALS.memoryMb },
    },
  ];
}

/** A page as text. `session` is the value of the session cookie; empty for anonymous visitors. */
export async function read(address: string, session: string): Promise<string> {
  const response = await fetch(address, { headers: { accept: 'text/html', cookie: `addons_session=${session}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${address} returned ${response.status}`);
  return text;
}

/** Whether a review page waits for its package: it has a part that its script renews. */
const isReading = (page: string): boolean => page.includes('<div id="checks" class="sections" data-events="">');

async function latencyOf(work: () => Promise<unknown>): Promise<number> {
  const [ms = Number.NaN] = await time(1, 0, work);
  return ms;
}

/** Opens files that were not opened before, two at a time. */
async function readFiles(get: (path: string) => Promise<string>, path: string, turn: number): Promise<void> {
  let next = turn * READ_FILES;
  const end = next + READ_FILES;
  const readOn = async () => {
    while (next < end) await get(`${path}?pretty=1&file=${nameOf(next++)}`);
  };
  await Promise.all([readOn(), readOn()]);
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
