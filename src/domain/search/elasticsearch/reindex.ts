/*
 * A new index beside the one that is searched, and then in its place. From the moment that its row is there, changes are
 * written into both, so that the copy of everything that is made meanwhile is never behind: a copy has the revision of its
 * row and cannot overwrite what is newer. Everything is written down, so that a rebuild that was interrupted is gone on with.
 */
import { db } from '../../../infra/db.ts';
import { log } from '../../../infra/log.ts';
import { bulkWrite } from './bulk-write.ts';
import { documentsAfter, type IndexDocument } from './documents.ts';
import { createIndex, moveReadAlias, presentIndexes, putInService, refreshIndex, removeIndex } from './index-admin.ts';
import { asOnlyRebuilder, listIndexes, type SearchIndex, waitForOlderList } from './index-list.ts';
import { currentMake, type IndexMake } from './index-schema.ts';
import { verifyIndex } from './verify-index.ts';

/** What a rebuild has made. */
export interface Rebuilt {
  name: string;
  documents: number;
}

const CHUNK = 500;

/**
 * Builds an index of everything that can be found and has it searched. Searches and changes go on meanwhile. Null when
 * another process is at it already.
 * @throws {SearchServerError} when the server does not answer as it should, IndexGapError when the new index is not what it
 *   should be; the old one is searched as before, and the next attempt goes on from there.
 */
export async function reindex(onProgress: (documents: number) => void = () => {}): Promise<Rebuilt | null> {
  return asOnlyRebuilder(async () => {
    const make = currentMake();
    const index = (await unfinished(make)) ?? (await begin(make));
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

/** The rebuild to go on with; what else has been left behind is removed. */
async function unfinished(make: IndexMake): Promise<SearchIndex | null> {
  const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
  const own = rows.find((row) => row.state === 'building' && present.has(row.name) && isMadeLike(row, make)) ?? null;
  for (const { name, state } of rows) {
    if (name === own?.name || (state !== 'building' && present.has(name)) || state === 'live') continue;
    await removeIndex(name);
    await forget(name);
  }
  const known = new Set(rows.map(({ name }) => name));
  for (const name of present.keys()) if (!known.has(name)) await removeIndex(name);
  return own;
}

const isMadeLike = (one: IndexMake, other: IndexMake): boolean =>
  one.schemaHash === other.schemaHash && one.lexer === other.lexer && one.resultWindow === other.resultWindow;

async function forget(name: string): Promise<void> {
  await db.searchIndex.deleteMany({ where: { name } });
}

async function begin(make: IndexMake): Promise<SearchIndex> {
  const name = await createIndex(make);
  const { schemaHash, lexer, resultWindow } = make;
  await db.searchIndex.create({ data: { name, schemaHash, lexer, resultWindow } });
  return { name, state: 'building', backfilledTo: 0, ...make };
}

/** Copies what is not there yet, reading some while those before are written. Returns how many add-ons that were. */
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

/** Has an index searched. The one before stays up to date for a day. */
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

/** Removes the indexes that nobody is going back to: those retired for a day, and all but the last one. */
export async function removeRetired(): Promise<void> {
  const retired = await db.searchIndex.findMany({ where: { state: 'retired' }, orderBy: { retired: 'desc' } });
  for (const [place, { name, retired: since }] of retired.entries()) {
    if (place === 0 && (since === null || since.getTime() > Date.now() - KEPT_MS)) continue;
    await removeIndex(name);
    await forget(name);
  }
}

/**
 * Has the index searched again that was before the present one. Returns its name; null when there is none that this
 * program, with its settings, can search.
 */
export async function rollBack(): Promise<string | null> {
  return asOnlyRebuilder(async () => {
    const [rows, present] = await Promise.all([listIndexes(), presentIndexes()]);
    const last = rows.find((row) => row.state === 'retired' && present.has(row.name) && isMadeLike(row, currentMake()));
    if (last === undefined) return null;
    await goLive(last.name);
    return last.name;
  });
}
