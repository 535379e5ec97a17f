/*
 * Moves a catalogue in. All of it happens in one transaction of one session: lines are read into tables that only this session
 * sees, held against each other and against the catalogue, and then loaded by statements over all of them. Until the commit
 * nobody sees any of it, and a process that is killed leaves nothing behind. The service goes on meanwhile: ids are reserved
 * before they are used, and of what is here already only the add-ons that the file names are locked, from the moment that all
 * lines have been read; a change to one of them waits and is made on top of what was imported, or is told to try again.
 */
import { setImmediate } from 'node:timers/promises';
import { BulkSession } from '../../infra/bulk-session.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { FOLD_CHANGES, FOLD_COUNTS } from '../search/postgres/maintain/keep-up.ts';
import { type BadLine, checkLines, STAGED } from './check-lines.ts';
import { identifyAddons, loadAddonParts, loadAddons } from './load-addons.ts';
import { loadDiscovery } from './load-discovery.ts';
import { loadAccounts, loadApplicationVersions, loadCategories } from './load-references.ts';
import { loadVersions } from './load-versions.ts';
import { publishLoaded } from './publish-loaded.ts';
import { LineError } from './read-value.ts';
import { KINDS, type Kind, stageLine } from './stage-line.ts';
import { Staging } from './staging.ts';

/** What is being done, and how far it has come; `total` is unknown while lines are read. */
export interface ImportProgress {
  phase: 'reading' | 'loading' | 'publishing';
  done: number;
  total: number | null;
}

export interface ImportOptions {
  /** The lines in order, without their ends. A {@link LineError} stands for a line that cannot be read as text. */
  lines: AsyncIterable<string | LineError>;
  /** The folder that paths in lines are relative to; without it a path is refused. */
  baseFolder?: string | undefined;
  /** Imports the other lines when some are bad, instead of nothing. */
  skipBad?: boolean;
  /** Makes groups that accounts name and that do not exist, without any permission. */
  createGroups?: boolean;
  onProgress?: (progress: ImportProgress) => void;
}

export interface ImportResult {
  /** How many lines of each kind are in the catalogue now, whether or not they changed anything. */
  imported: Record<Kind, number>;
  /** The lines that were left out, in the order of the file. */
  skipped: BadLine[];
}

/** Some lines are bad, and nothing was imported. */
export class BadCatalogueError extends Error {
  override readonly name = 'BadCatalogueError';
  readonly lines: readonly BadLine[];

  constructor(lines: readonly BadLine[]) {
    super(describeBadLine(lines[0] ?? { line: 0, key: '', message: 'no lines' }));
    this.lines = lines;
  }
}

/** As operators see it: `line 17: addon.versions[0].channel: expected "listed" or "unlisted"`. */
export function describeBadLine({ line, key, message }: BadLine): string {
  return `line ${line}: ${key === '' ? '' : `${key}: `}${message}`;
}

/** Another import is under way: two at a time would wait for each other's rows. */
export class ImportRunningError extends Error {
  override readonly name = 'ImportRunningError';
}

// Whoever imports holds this session lock. Its number has no meaning beyond being ours.
const IMPORT_LOCK = 4_150_351;

/** So many bad lines are enough to see what is wrong with a file of which nothing will be imported. */
const MOST_BAD_LINES = 100;

/** After so many lines what was staged before goes on its way to the server. */
const READ_AT_ONCE = 50;

/** From so many add-ons on the planner should know about them at once. */
const MANY = 1_000;

/** Rows of the text indexes are put in their places by the thousand: the list in which they wait is the largest that searches bear. */
const SETTINGS = `SET temp_buffers = '64MB'; SET work_mem = '64MB'; SET jit = off; SET addons.bulk_load = 'on';
  SET gin_pending_list_limit = '16MB'`;

/**
 * Imports a catalogue into the database of this process (docs/operating.md, Moving a catalogue).
 * @throws {BadCatalogueError} when lines are bad and `skipBad` is not set, {ImportRunningError}; nothing is changed then.
 */
export function importCatalogue(options: ImportOptions): Promise<ImportResult> {
  return BulkSession.during('addons-import', async (session) => {
    if (!(await session.tryLock(IMPORT_LOCK)))
      throw new ImportRunningError('Another import is running; try again later.');
    await session.query(SETTINGS);
    await session.query('BEGIN');
    const staging = await Staging.create(session);
    const unread = await readLines(staging, options);
    const unfit = await checkAll(session, options, unread);
    const imported = await countStaged(session);
    await load(session, imported.addon, options);
    await recordAudit(session, 'command line', 'catalogue-imported', {
      imported,
      skipped: unread.length + unfit.length,
    });
    await session.query('COMMIT');
    if (imported.addon >= MANY) await analyse(session);
    return { imported, skipped: [...unread, ...unfit].sort((one, other) => one.line - other.line) };
  });
}

/**
 * The counts lose the rows that were added up, and the planner learns of what is there now: each on its own, outside of a
 * transaction. What is left of the counts stands behind the rows that are gone; written once more it comes to the front, and
 * the tables that every search reads become as short as they were.
 */
async function analyse(session: BulkSession): Promise<void> {
  await session.query('VACUUM search_facet, search_change');
  for (const fold of [FOLD_COUNTS, FOLD_CHANGES]) await session.query(fold);
  await session.query('VACUUM search_facet, search_change');
  await session.query('ANALYZE');
}

/** Stages every line that can be read. Returns those that cannot, or throws when they are too many to go on. */
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
      bad.push({ line, key: error.key, message: error.message });
      if (!skipBad && bad.length === MOST_BAD_LINES) throw new BadCatalogueError(bad);
    }
    if (line % READ_AT_ONCE === 0) await setImmediate();
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

/** Holds the staged lines against each other and the catalogue, in the order in which kinds refer to each other. */
async function checkAll(
  session: BulkSession,
  { skipBad = false, createGroups = false }: ImportOptions,
  unread: readonly BadLine[],
): Promise<BadLine[]> {
  const bad: BadLine[] = [];
  for (const kind of KINDS) bad.push(...(await checkLines(session, kind, { skip: skipBad, createGroups })));
  if (bad.length === 0 || skipBad) return bad;
  throw new BadCatalogueError([...unread, ...bad].sort((one, other) => one.line - other.line).slice(0, MOST_BAD_LINES));
}

async function countStaged(session: BulkSession): Promise<Record<Kind, number>> {
  const counts = KINDS.map((kind) => `'${kind}', (SELECT count(*) FROM ${STAGED[kind][0]})`);
  const [row] = await session.query<{ counts: Record<Kind, number> }>(
    `SELECT json_build_object(${counts.join(', ')}) AS counts`,
  );
  if (row === undefined) throw new Error('the database did not count');
  return row.counts;
}

type Step = (session: BulkSession) => Promise<void>;
const STEPS: readonly Step[] = [
  loadApplicationVersions,
  loadCategories,
  loadAccounts,
  identifyAddons,
  loadAddons,
  loadAddonParts,
  loadVersions,
  loadDiscovery,
];

/** What documents are made of, and by which columns. A planner that believes these tables to be empty reads them whole for each add-on. */
const LOADED = `addon (id, current_version_id), addon_author (addon_id), account (id), addon_category (addon_id), category (id),
  addon_tag (addon_id), preview (addon_id), persona (addon_id), featured_entry (addon_id), version (id),
  version_compatibility (version_id), license (id), file (version_id)`;

async function load(session: BulkSession, addons: number, { onProgress }: ImportOptions): Promise<void> {
  for (const [done, step] of STEPS.entries()) {
    onProgress?.({ phase: 'loading', done, total: STEPS.length });
    await step(session);
  }
  if (addons >= MANY) await session.query(`ANALYZE ${LOADED}`);
  await publishLoaded(session, (done, total) => onProgress?.({ phase: 'publishing', done, total }));
}
