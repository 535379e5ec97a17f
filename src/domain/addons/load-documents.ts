/*
 * Reads published documents and caches parsed ones by id and row version. Callers read the row version from the database
 * first, so no response contains a document older than the request.
 */
import { IS_PUBLIC_ADDON, isPublicAddon } from '../../auth/public-addon.ts';
import { Batcher } from '../../infra/batcher.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { countReads } from '../../infra/metrics.ts';
import { SecondChanceCache } from '../../infra/second-chance-cache.ts';
import type { AddonDocument } from './addon-document.ts';

/** Cache key of a document. Without a row version nothing is published yet, and the document is built for this read. */
export interface DocumentKey {
  id: number;
  rowVersion: string | null;
}

/** Limit of the text that cached documents were parsed from; parsed, they take about three times as much memory. */
const MAX_CACHED_CHARACTERS = 16_000_000;

interface Entry {
  rowVersion: string;
  document: AddonDocument;
}

/** The row version of each document that was read from the table. */
const versions = new WeakMap<AddonDocument, string>();

/** The row version of a published document, which changes with every update; null for an unpublished one. */
export function versionOfDocument(document: AddonDocument): string | null {
  return versions.get(document) ?? null;
}

const countRead = countReads('addon_documents');

/** By add-on id. */
const cache = new SecondChanceCache<number, Entry>(MAX_CACHED_CHARACTERS);

function parseDocument(body: string): AddonDocument {
  const document = JSON.parse(body) as AddonDocument;
  for (const author of document.authors) author.addonId = document.id;
  return document;
}

/** The row version of the cached document of an add-on; null without one. */
export const cachedVersion = (id: number): string | null => cache.peek(id)?.rowVersion ?? null;

/** Caches the text of a stored document. Returns the document. */
export function cacheDocument(id: number, rowVersion: string, body: string): AddonDocument {
  const document = parseDocument(body);
  versions.set(document, rowVersion);
  cache.set(id, { rowVersion, document }, body.length);
  return document;
}

function recall({ id, rowVersion }: DocumentKey): AddonDocument | null {
  const isCached = cache.peek(id)?.rowVersion === rowVersion;
  countRead(isCached);
  return isCached ? (cache.get(id)?.document ?? null) : null;
}

const readStored = prepared<{ id: number; rowVersion: string; body: string }>(
  lookupPool,
  'addon-documents',
  'SELECT addon_id AS id, row_version AS "rowVersion", body::text AS body FROM addon_document WHERE addon_id = ANY($1)',
);

const readUnpublished = prepared<{ id: number; body: string }>(
  lookupPool,
  'unpublished-addon-documents',
  'SELECT addon_id AS id, body::text AS body FROM current_addon_document WHERE addon_id = ANY($1)',
);

const storedDocuments = new Batcher<number, AddonDocument | null>(async (ids) => {
  const rows = await readStored(ids);
  const found = new Map(rows.map(({ id, rowVersion, body }) => [id, cacheDocument(id, rowVersion, body)]));
  return ids.map((id) => found.get(id) ?? null);
});

const unpublishedDocuments = new Batcher<number, AddonDocument | null>(async (ids) => {
  const found = new Map((await readUnpublished(ids)).map(({ id, body }) => [id, parseDocument(body)]));
  return ids.map((id) => found.get(id) ?? null);
});

/**
 * The documents of add-ons, in the order of the keys; null for a missing add-on. One statement reads those that are not
 * cached. A document may be newer than its key. Requests share documents, so callers must not modify them.
 */
export async function loadDocuments(keys: readonly DocumentKey[]): Promise<(AddonDocument | null)[]> {
  const found = keys.map(recall);
  const absent = keys.filter((_, index) => found[index] === null);
  if (absent.length === 0) return found;
  const read = await Promise.all(
    absent.map(({ id, rowVersion }) => (rowVersion === null ? unpublishedDocuments : storedDocuments).load(id)),
  );
  const byId = new Map(absent.map(({ id }, index) => [id, read[index]]));
  return keys.map(({ id }, index) => found[index] ?? byId.get(id) ?? null);
}

const readChanged = prepared<{ id: number; rowVersion: string; body: string | null }>(
  lookupPool,
  'public-addon-documents',
  `SELECT d.addon_id AS id, d.row_version AS "rowVersion",
      CASE WHEN d.row_version = known.row_version THEN NULL ELSE d.body::text END AS body
    FROM unnest($1::int[], $2::int8[]) AS known(id, row_version)
    JOIN addon_document d ON d.addon_id = known.id
    JOIN addon a ON a.id = d.addon_id AND ${IS_PUBLIC_ADDON}`,
);

/**
 * The current documents of the public add-ons among these ids, by id. One statement checks the row versions and reads the
 * documents that are not cached.
 */
export async function loadPublicDocuments(ids: readonly number[]): Promise<Map<number, AddonDocument>> {
  const found = new Map<number, AddonDocument>();
  if (ids.length === 0) return found;
  const known = new Map(ids.map((id) => [id, cache.peek(id)?.document]));
  for (const { id, rowVersion, body } of await readChanged(ids, ids.map(cachedVersion))) {
    const document = body === null ? known.get(id) : cacheDocument(id, rowVersion, body);
    if (document === undefined || !isPublicAddon(document)) continue;
    if (body === null) cache.get(id);
    found.set(id, document);
  }
  return found;
}

/** The columns of a `DocumentKey` for add-ons with alias `a`, and the join that they need. */
export const KEY_COLUMNS = 'a.id, d.row_version AS "rowVersion"';
export const KEY_JOIN = 'LEFT JOIN addon_document d ON d.addon_id = a.id';

/** The documents of the public add-ons among these, in the same order. */
export async function loadPublic(keys: readonly DocumentKey[]): Promise<AddonDocument[]> {
  const documents = await loadDocuments(keys);
  // A document may have been rewritten since its key was read.
  return documents.filter((document) => document !== null).filter(isPublicAddon);
}
