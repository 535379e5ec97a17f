/*
 * Imports a catalogue in one transaction of one session: lines are read into temporary tables, checked against each other and
 * against the catalogue, and loaded by set-based statements. Nothing is visible before the commit, and a killed process leaves
 * nothing behind. The service keeps running: ids are reserved before use, and only the add-ons that the file names are locked, once
 * all lines have been read. A concurrent change of one of them waits for the import or fails with a request to retry.
 */
import { setImmediate } from 'node:timers/promises';
import { BulkSession } from '../../infra/bulk-session.ts';
import { LOCK_KEYS } from '../../infra/lock-keys.ts';
import { COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { FOLD_COUNTS } from '../search/postgres/maintain/maintenance.ts';
import { checkLines, STAGED_TABLES } from './check-lines.ts';
import { loadCollections } from './collection-line.ts';
import { loadCuratedLists } from './curated-lines.ts';
import { type BadLine, describeBadLine, LineError } from './line-error.ts';
import { identifyAddons, loadAddonParts, loadAddons } from './load-addons.ts';
import { loadRatings } from './load-ratings.ts';
import { loadAccounts, loadApplicationVersions, loadCategories, updateChanged } from './load-references.ts';
import { chooseCurrentVersions, loadVersions } from './load-versions.ts';
import { publishLoaded } from './publish-loaded.ts';
import { LINE_KINDS, type LineKind, stageLine } from './stage-line.ts';
import { Staging } from './staging.ts';

/*
 * Loads staged curation and daily statistics, by one statement each. Existing entries that the file does not name stay.
 */

async function loadDiscovery(session: BulkSession): Promise<void> {
  await session.query(`INSERT INTO featured_entry (addon_id, app, locale, category)
    SELECT a.id, s.app, s.locale, s.category FROM s_featured s JOIN addon a ON a.guid = s.guid
    WHERE NOT EXISTS (SELECT FROM featured_entry e WHERE e.addon_id = a.id AND e.app = s.app
      AND e.locale IS NOT DISTINCT FROM s.locale AND e.category IS NOT DISTINCT FROM s.category)
    ORDER BY s.line`);
  await session.query(`DELETE FROM recommendation_fallback t USING s_fallback s
    WHERE (t.guid = s.guid OR t.position = s.position) AND (t.guid::text, t.position) <> (s.guid::text, s.position)`);
  await session.query(
    'INSERT INTO recommendation_fallback (guid, position) SELECT guid, position FROM s_fallback ON CONFLICT DO NOTHING',
  );
  const collection = { path: 's.path', guids: 's.guids' };
  await session.query(updateChanged('collection', 's_collection s', 't.path = s.path', collection));
  await session.query(
    'INSERT INTO collection (path, guids) SELECT path, guids FROM s_collection ORDER BY line ON CONFLICT DO NOTHING',
  );
  await loadCollections(session);
  await loadCuratedLists(session);
  const replacement = { guid: 's.guid', path: 's.path', guids: 's.guids' };
  await session.query(updateChanged('replacement', 's_replacement s', 't.guid = s.guid', replacement));
  await session.query(
    'INSERT INTO replacement (guid, path, guids) SELECT guid, path, guids FROM s_replacement ORDER BY line ON CONFLICT DO NOTHING',
  );
  await loadOverrides(session);
  await session.query(`INSERT INTO daily_statistics (addon_id, day, users, downloads)
    SELECT a.id, s.day, s.users, s.downloads FROM s_statistics s JOIN addon a ON a.guid = s.guid ORDER BY a.id, s.day
    ON CONFLICT (addon_id, day) DO UPDATE SET users = excluded.users, downloads = excluded.downloads,
      is_estimated = false
    WHERE (daily_statistics.users, daily_statistics.downloads, daily_statistics.is_estimated)
      IS DISTINCT FROM (excluded.users, excluded.downloads, false)`);
}

const RANGE = 'addon_min_version, addon_max_version, app, min_version, max_version';

/** Ranges have an order but no key: all ranges of an override are replaced when one differs. */
async function loadOverrides(session: BulkSession): Promise<void> {
  const override = { guid: 's.guid', name: 's.name' };
  await session.query(updateChanged('compat_override', 's_override s', 't.guid = s.guid', override));
  await session.query(
    'INSERT INTO compat_override (guid, name) SELECT guid, name FROM s_override ORDER BY line ON CONFLICT DO NOTHING',
  );
  await session.query(`CREATE TEMPORARY TABLE s_changed_override ON COMMIT DROP AS
    SELECT s.line, o.id FROM s_override s JOIN compat_override o ON o.guid = s.guid
    WHERE coalesce((SELECT json_agg(json_build_array(${RANGE}) ORDER BY r.id) FROM compat_override_range r WHERE r.override_id = o.id)::text, '')
      <> coalesce((SELECT json_agg(json_build_array(${RANGE}) ORDER BY r.place) FROM s_override_range r WHERE r.line = s.line)::text, '')`);
  await session.query('DELETE FROM compat_override_range r USING s_changed_override c WHERE r.override_id = c.id');
  await session.query(`INSERT INTO compat_override_range (override_id, ${RANGE})
    SELECT c.id, ${RANGE} FROM s_override_range r JOIN s_changed_override c USING (line) ORDER BY r.line, r.place`);
}

/** Current step and progress; `total` is unknown while lines are read. */
export interface ImportProgress {
  phase: 'reading' | 'loading' | 'publishing';
  done: number;
  total: number | null;
}

export interface ImportOptions {
  /** The lines in order, without line ends. A {@link LineError} replaces a line that is not text. */
  lines: AsyncIterable<string | LineError>;
  /** Base folder of the paths in lines; without it a path is invalid. */
  baseFolder?: string | undefined;
  /** Imports the valid lines when others are invalid. */
  skipBad?: boolean;
  /** Creates missing groups that accounts name, without permissions. */
  createGroups?: boolean;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportResult {
  /** Imported lines per kind, whether or not they changed anything. */
  imported: Record<LineKind, number>;
  /** The lines left out, in the order of the file. */
  skipped: BadLine[];
}

/** Some lines are invalid, and nothing was imported. */
export class BadCatalogueError extends Error {
  override readonly name = 'BadCatalogueError';
  readonly lines: readonly BadLine[];

  constructor(lines: readonly BadLine[]) {
    super(lines.map(describeBadLine)[0]);
    this.lines = lines;
  }
}

/** Another import is running: two would wait for each other's rows. */
export class ImportRunningError extends Error {
  override readonly name = 'ImportRunningError';
}

/** Limit of reported lines of an import that fails. */
export const MAX_BAD_LINES = 100;

/** Lines between checks whether staging should be flushed. */
const LINES_PER_CHECK = 50;

/** From this many add-ons on, tables are analysed before and after the commit. */
const LARGE_IMPORT = 1_000;

/** Every search reads the pending lists of the text indexes, so their size is limited during the import too. */
const SETTINGS = `SET temp_buffers = '64MB'; SET work_mem = '64MB'; SET jit = off; SET addons.bulk_load = 'on';
  SET gin_pending_list_limit = '16MB'`;

/**
 * Imports a catalogue into the database of this process (docs/moving-a-catalogue.md).
 * @throws {BadCatalogueError} when lines are bad and `skipBad` is not set, {ImportRunningError}; nothing is changed then.
 */
export function importCatalogue(options: ImportOptions): Promise<ImportResult> {
  return BulkSession.during('addons-import', async (session) => {
    if (!(await session.tryLock(LOCK_KEYS.catalogueImport)))
      throw new ImportRunningError('Another import is running; try again later.');
    await session.query(SETTINGS);
    await session.query('BEGIN');
    const staging = await Staging.create(session);
    const unread = await readLines(staging, options);
    const unfit = await checkAll(session, options, unread);
    const imported = await countStaged(session);
    await load(session, imported.addon, options);
    await recordAudit(session, COMMAND_LINE, 'catalogue-imported', {
      imported,
      skipped: unread.length + unfit.length,
    });
    await session.query('COMMIT');
    if (imported.addon >= LARGE_IMPORT) await analyse(session);
    return { imported, skipped: [...unread, ...unfit].sort((one, other) => one.line - other.line) };
  });
}

/**
 * Removes the rows that the import added up, and analyses its tables, each outside a transaction. The counts are rewritten between
 * two vacuums: the remaining rows move to the front and the tables that every search reads become short again.
 */
async function analyse(session: BulkSession): Promise<void> {
  await session.query('VACUUM search_facet');
  await session.query(FOLD_COUNTS);
  await session.query('VACUUM search_facet');
  await session.query('ANALYZE');
}

/** Stages every readable line. Returns the others, or throws when there are too many. */
async function readLines(
  staging: Staging,
  { lines, baseFolder, skipBad, onProgress }: ImportOptions,
): Promise<BadLine[]> {
  const bad: BadLine[] = [];
  let line = 0;
  for await (const text of lines) {
    line += 1;
    try {
      if (text instanceof LineError) throw text;
      if (text.trim() !== '') await stageLine(staging, line, text, baseFolder);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      bad.push({ line, key: error.key, problem: error.problem });
      if (!skipBad && bad.length === MAX_BAD_LINES) throw new BadCatalogueError(bad);
    }
    if (line % LINES_PER_CHECK === 0) await setImmediate();
    if (staging.isFull) {
      await staging.flush();
      onProgress?.({ phase: 'reading', done: line, total: null });
    }
  }
  onProgress?.({ phase: 'reading', done: line, total: line });
  if (bad.length > 0 && !skipBad) throw new BadCatalogueError(bad);
  await staging.finish();
  return bad;
}

/** Checks the staged lines, kind after kind in the order of their references. */
async function checkAll(
  session: BulkSession,
  { skipBad = false, createGroups = false }: ImportOptions,
  unread: readonly BadLine[],
): Promise<BadLine[]> {
  const bad: BadLine[] = [];
  for (const kind of LINE_KINDS) bad.push(...(await checkLines(session, kind, { skip: skipBad, createGroups })));
  if (bad.length === 0 || skipBad) return bad;
  throw new BadCatalogueError([...unread, ...bad].sort((one, other) => one.line - other.line).slice(0, MAX_BAD_LINES));
}

async function countStaged(session: BulkSession): Promise<Record<LineKind, number>> {
  const counts = LINE_KINDS.map((kind) => `'${kind}', (SELECT count(*) FROM ${STAGED_TABLES[kind][0]})`);
  const [row] = await session.query<{ counts: Record<LineKind, number> }>(
    `SELECT json_build_object(${counts.join(', ')}) AS counts`,
  );
  if (row === undefined) throw new Error('the database did not count');
  return row.counts;
}

/** `addons` is the number of add-ons in the file. */
type Step = (session: BulkSession, addons: number) => Promise<void>;

/** Tables and columns that current versions are chosen by. */
const CHOSEN_FROM = 'addon (id, type, status), version (id, addon_id), file (version_id)';

/** Tables and columns that documents are made of. */
const DOCUMENTED = `addon (id, current_version_id), addon_author (addon_id), account (id), addon_category (addon_id), category (id),
  addon_tag (addon_id), preview (addon_id), persona (addon_id), featured_entry (addon_id), version (id),
  version_compatibility (version_id), license (id), file (version_id)`;

/** Without statistics of the loaded rows the planner scans tables for each add-on. */
const analysed =
  (tables: string): Step =>
  async (session, addons) => {
    if (addons >= LARGE_IMPORT) await session.query(`ANALYZE ${tables}`);
  };

const STEPS: readonly Step[] = [
  loadApplicationVersions,
  loadCategories,
  loadAccounts,
  identifyAddons,
  loadAddons,
  loadAddonParts,
  loadVersions,
  analysed(CHOSEN_FROM),
  chooseCurrentVersions,
  loadRatings,
  loadDiscovery,
  analysed(DOCUMENTED),
];

async function load(session: BulkSession, addons: number, { onProgress }: ImportOptions): Promise<void> {
  for (const [done, step] of STEPS.entries()) {
    onProgress?.({ phase: 'loading', done, total: STEPS.length });
    await step(session, addons);
  }
  await publishLoaded(session, (done, total) => onProgress?.({ phase: 'publishing', done, total }));
}
