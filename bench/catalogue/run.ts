/*
 * Cost of catalogue reads, compared with a hand-written implementation that returns the same bytes: `npm run bench catalogue`.
 * Prints a table, and exits with status 1 if a row misses its goal. `--write` writes the table to docs/benchmarks.md. Run it on an
 * idle machine.
 *
 * `--sizes 20000,200000` sets the numbers of add-ons; `--ratings 15` the number of ratings per public add-on, 0 for none; `--folder F`
 * keeps the catalogues in F/<size> and reuses them with their ratings; `--rounds` and `--seconds` set the length of a run,
 * `--connections` the number of connections; `--only detail,overload` measures only some kinds of requests (`requests.ts`) and the parts
 * `language-tools`, `writes`, `statements`, `memory`, `introspection` and `overload`.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { childEnvironment } from '../../src/config.ts';
import { type InstalledCatalogue, installCatalogue } from '../installed-catalogue.ts';
import { machine, markdownTable, passes, type Row, writePart } from '../report.ts';
import { startLoadGenerator } from '../send-load.ts';
import { languagePacks, manyVersions, overrides } from './extra-lines.ts';
import { introspectionRows } from './introspection.ts';
import { compareBodies, countStatements, measureInTurns, requireGraphqlData } from './measurements.ts';
import { overloadRows } from './overload.ts';
import { mostRatedAddon } from './requests.ts';
import { comparedRows, countedPaths, growthRows, plainRows, ratingRows, writeRows } from './rows.ts';
import { openSite, type Site, serverSettings } from './site.ts';

const LANGUAGE_PACKS = 300;
const OVERRIDES = 2_000;
/** As on a page of ratings. */
const VERSIONS = 25;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '20000,200000' },
    ratings: { type: 'string', default: '15' },
    folder: { type: 'string' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    // Enough to keep every server busy.
    connections: { type: 'string', default: '32' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const only = options.only?.split(',');
if (only !== undefined && options.write) throw new Error('--write needs all rows, so not with --only.');
const hasRatings = options.ratings !== '0';
if (!hasRatings && options.write) throw new Error('--write needs all rows, so not with --ratings 0.');
const isWanted = (part: string): boolean => (hasRatings || !part.endsWith('ratings')) && (only?.includes(part) ?? true);

const catalogues = await makeCatalogues();
const sites: Site[] = [];
const generator = startLoadGenerator();
try {
  for (const catalogue of catalogues) sites.push(await openSite(catalogue, Number(options.connections)));
  const rows = await measure();
  const report = `${machine([sites[0]?.postgres ?? ''])}\n\n${markdownTable(rows)}`;
  console.log(report);
  if (options.write) await writePart('catalogue', report);
  process.exitCode = rows.some((row) => passes(row) === false) ? 1 : 0;
} finally {
  generator.stop();
  await Promise.all(sites.map((site) => site.stop()));
  for (const catalogue of catalogues) await catalogue.remove();
}

async function makeCatalogues(): Promise<InstalledCatalogue[]> {
  const made: InstalledCatalogue[] = [];
  for (const size of options.sizes.split(',')) {
    const folder = options.folder === undefined ? null : join(options.folder, size);
    const more = (guids: readonly string[]) => [
      manyVersions(VERSIONS),
      ...languagePacks(LANGUAGE_PACKS),
      ...overrides(guids.slice(0, OVERRIDES)),
    ];
    const catalogue = await installCatalogue({ addons: Number(size), personas: 0, more }, folder);
    made.push(catalogue);
    if (hasRatings) await fillRatings(catalogue);
  }
  return made;
}

/** Writes ratings, unless a kept catalogue has some. */
async function fillRatings(catalogue: InstalledCatalogue): Promise<void> {
  const env = childEnvironment(serverSettings(catalogue));
  await promisify(execFile)(process.execPath, [`${import.meta.dirname}/fill-ratings.ts`, options.ratings], { env });
}

async function measure(): Promise<Row[]> {
  for (const site of sites) {
    await compareBodies(site);
    await requireGraphqlData(site);
  }
  // Before all load, while no language pack is in memory.
  const cold: { milliseconds: number; again: number }[] = [];
  for (const site of isWanted('language-tools') ? sites : [])
    cold.push(await site.readTwice('/api/v4/addons/language-tools/?app=desktop_browser'));
  const medians = await measureInTurns(sites, generator, {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    isWanted,
  });
  const of = (site: Site) => {
    const found = medians.get(site);
    if (found === undefined) throw new Error('a site was not measured');
    return found;
  };
  const [small, large] = sites;
  const last = large ?? small;
  const rows = [
    ...sites.flatMap((site) => plainRows(nameOf(site), of(site).idle)),
    ...sites.flatMap((site) => comparedRows(nameOf(site), of(site).idle)),
    ...(hasRatings ? sites.flatMap((site) => ratingRows(nameOf(site), of(site).idle)) : []),
    ...sites.flatMap((site) => writeRows(nameOf(site), of(site))),
    ...(small && large
      ? growthRows(`${nameOf(large)} instead of ${nameOf(small)}`, of(small).idle, of(large).idle)
      : []),
    ...cold.flatMap(({ milliseconds, again }, index) => languageToolRows(sites[index], milliseconds, again)),
    ...(last !== undefined && isWanted('statements') ? await statementRows(last) : []),
    ...(last !== undefined && isWanted('memory') ? await memoryRows(last) : []),
    ...(last !== undefined && isWanted('introspection') ? await introspectionRows(last) : []),
    ...(last !== undefined && isWanted('overload') ? await overloadRows(last) : []),
  ];
  // A part that is not wanted has no figures.
  return only === undefined ? rows : rows.filter(({ value }) => !Number.isNaN(value));
}

function nameOf({ addons }: Site): string {
  return `${Math.round(addons / 1000).toLocaleString('en')},000`;
}

function languageToolRows(site: Site | undefined, milliseconds: number, again: number): Row[] {
  const name = site === undefined ? '' : nameOf(site);
  return [
    {
      what: `${name}: language-tools with 300 packs, first time`,
      value: milliseconds,
      unit: 'ms',
      goal: { max: 200 },
    },
    { what: `${name}: language-tools, again with its tag`, value: again, unit: 'status', goal: { min: 304, max: 304 } },
  ];
}

async function statementRows(site: Site): Promise<Row[]> {
  const { rows } = await site.database.query<{ id: number; guid: string }>(
    'SELECT id, guid FROM addon WHERE status = $1 ORDER BY weekly_downloads DESC, id LIMIT 25',
    ['public'],
  );
  const paths = countedPaths(
    rows[0]?.id ?? 0,
    rows.map(({ guid }) => guid),
    await mostRatedAddon(site.database),
  );
  const counts = await countStatements(
    site,
    paths.map(({ path }) => path),
  );
  return paths.map(({ what, max }, index) => ({
    what: `SQL statements: ${what}`,
    value: counts[index] ?? Number.NaN,
    unit: 'statements',
    goal: { max },
  }));
}

async function memoryRows(site: Site): Promise<Row[]> {
  const { current, peak } = await site.memory();
  return [
    { what: `${nameOf(site)}: memory of the server under load`, value: peak, unit: 'MB', goal: { max: 400 } },
    { what: `${nameOf(site)}: memory of the server afterwards`, value: current, unit: 'MB' },
  ];
}
