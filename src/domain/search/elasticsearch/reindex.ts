/*
 * Blue/green rebuild of the index. Once the new index has its row in `search_index`, changes are written to both indexes. The copy of all
 * add-ons runs at the same time; each document carries its revision, so a copied one cannot overwrite a newer one. Progress is stored, and
 * an interrupted rebuild continues. Documents are made from PostgreSQL's search rows, so those of this release's analysis come first.
 */
import { db } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { checkRowsVersion } from '../postgres/maintain/rows-version.ts';
import { bulkWrite } from './bulk-write.ts';
import { documentsAfter, type IndexDocument } from './documents.ts';
import { createIndex, moveReadAlias, presentIndexes, putInService, refreshIndex, removeIndex } from './index-admin.ts';
import { asOnlyRebuilder, isSearchableIndex, listIndexes, type SearchIndex, waitForOlderList } from './index-list.ts';
import { currentMake, type IndexMake } from './index-schema.ts';
import { verifyIndex } from './verify-index.ts';

/** The result of a rebuild. */
interface Rebuilt {
  name: string;
  documents: number;
}

const CHUNK = 500;

/** The rows of another version of the analysis would make an index that returns wrong results. */
export class OutdatedRowsError extends Error {
  override readonly name = 'OutdatedRowsError';
}

/**
 * Builds an index of all searchable add-ons and makes it live. Searches and changes continue. Null when another process is rebuilding.
 * @throws {OutdatedRowsError} while the rows of PostgreSQL's search are of another release, {SearchServerError} when the server fails,
 *   {IndexGapError} when the new index differs from the database. The old index stays live, and the next attempt continues.
 */
export async function reindex(onProgress: (documents: number) => void = () => {}): Promise<Rebuilt | null> {
  if (!(await checkRowsVersion())) {
    throw new OutdatedRowsError(
      'The search rows are of another release. A worker of this release replaces older ones; otherwise run: npx addons reindex --rows',
    );
  }
  return asOnlyRebuilder(async () => {
    const index = (await unfinished()) ?? (await begin(currentMake()));
    await waitForOlderList();
    const documents = await fill(index, onProgress);
    await refreshIndex(index.name);
    await putInService(index.name);
    await verifyIndex(index.name);
    await goLive(index.name);
    log.info({ index: index.name, documents }, 'The search server has a new index.');
    return { name: index.name, documents };
  });
}

/** The interrupted rebuild to continue; other unfinished indexes are deleted. */
async function unfinished(): Promise<SearchIndex | null> {
  const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
  const own = rows.find((row) => row.state === 'building' && present.has(row.name) && isSearchableIndex(row)) ?? null;
  for (const { name, state } of rows) {
    if (name === own?.name || (state !== 'building' && present.has(name)) || state === 'live') continue;
    await removeIndex(name);
    await forget(name);
  }
  const known = new Set(rows.map(({ name }) => name));
  for (const name of present.keys()) if (!known.has(name)) await removeIndex(name);
  return own;
}

async function forget(name: string): Promise<void> {
  await db.searchIndex.deleteMany({ where: { name } });
}

async function begin(make: IndexMake): Promise<SearchIndex> {
  const name = await createIndex(make);
  const { schemaHash, lexer, resultWindow } = make;
  await db.searchIndex.create({ data: { name, schemaHash, lexer, resultWindow } });
  return { name, state: 'building', backfilledTo: 0, ...make };
}

/** Copies the remaining add-ons, reading a batch while the previous one is written. Returns their number. */
async function fill({ name, backfilledTo }: SearchIndex, onProgress: (documents: number) => void): Promise<number> {
  let documents = 0;
  const write = async (some: readonly IndexDocument[]) => {
    await bulkWrite(name, some);
    await db.searchIndex.update({ where: { name }, data: { backfilledTo: some.at(-1)?.id ?? backfilledTo } });
    documents += some.length;
    onProgress(documents);
  };
  let writing: Promise<void> = Promise.resolve();
  for (let after = backfilledTo; ; ) {
    const [some] = await Promise.all([documentsAfter(db, after, CHUNK), writing]);
    const last = some.at(-1);
    if (last === undefined) return documents;
    writing = write(some);
    after = last.id;
  }
}

/** Makes an index live. The previous one stays current for a day. */
async function goLive(name: string): Promise<void> {
  await moveReadAlias(name);
  await db.$transaction([
    db.searchIndex.updateMany({
      where: { state: 'live', name: { not: name } },
      data: { state: 'retired', retired: new Date() },
    }),
    db.searchIndex.update({ where: { name }, data: { state: 'live', retired: null } }),
  ]);
}

const KEPT_MS = 24 * 3_600_000;

/** Deletes retired indexes: those retired for a day, and all but the last. */
export async function removeRetired(): Promise<void> {
  const retired = await db.searchIndex.findMany({ where: { state: 'retired' }, orderBy: { retired: 'desc' } });
  for (const [place, { name, retired: since }] of retired.entries()) {
    if (place === 0 && (since === null || since.getTime() > Date.now() - KEPT_MS)) continue;
    await removeIndex(name);
    await forget(name);
  }
}

/** Makes the previous index live again. Returns its name; null when there is none of this program's format. */
export async function rollBack(): Promise<string | null> {
  return asOnlyRebuilder(async () => {
    const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
    const last = rows.find((row) => row.state === 'retired' && present.has(row.name) && isSearchableIndex(row));
    if (last === undefined) return null;
    await goLive(last.name);
    return last.name;
  });
}
