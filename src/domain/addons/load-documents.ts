/*
 * Reads published documents. Parsed documents stay in memory under id and row version: whoever asks has learnt the version
 * from the database a moment ago, so no process ever shows an older document than that.
 */
import { acrossRequests } from '../../graphql/per-request.ts';
import { pool } from '../../infra/db.ts';
import { type AddonDocument, isPublic } from './addon-document.ts';

/** Which state of which document is wanted. Without a version there is no document yet, and it is made for this once. */
export interface DocumentKey {
  id: number;
  rowVersion: string | null;
}

/** The most text that the documents in memory were parsed from, in characters; parsed, they take about three times that. */
const CACHE_CHARACTERS = 24_000_000;

interface Entry {
  rowVersion: string;
  document: AddonDocument;
  characters: number;
}

/** The version of each document that was read from the table. */
const versions = new WeakMap<AddonDocument, string>();

/** The version of a document that was loaded from what is published; another one has another state. */
export function versionOfDocument(document: AddonDocument): string {
  return versions.get(document) ?? '';
}

/** By add-on; the least recently used is the first. */
const cache = new Map<number, Entry>();
let held = 0;

function remember(id: number, entry: Entry): void {
  versions.set(entry.document, entry.rowVersion);
  held += entry.characters - (cache.get(id)?.characters ?? 0);
  cache.delete(id);
  cache.set(id, entry);
  for (const [oldest, { characters }] of cache) {
    if (held <= CACHE_CHARACTERS) return;
    cache.delete(oldest);
    held -= characters;
  }
}

function recall({ id, rowVersion }: DocumentKey): AddonDocument | null {
  const entry = cache.get(id);
  if (entry === undefined || entry.rowVersion !== rowVersion) return null;
  cache.delete(id);
  cache.set(id, entry);
  return entry.document;
}

const STORED = {
  name: 'addon-documents',
  text: 'SELECT addon_id AS id, row_version AS "rowVersion", body::text AS body FROM addon_document WHERE addon_id = ANY($1)',
};

const MISSING = {
  name: 'unpublished-addon-documents',
  text: 'SELECT addon_id AS id, body::text AS body FROM current_addon_document WHERE addon_id = ANY($1)',
};

/** What stands in the table, read together for all requests that miss something at this moment. */
const storedDocuments = acrossRequests<number, AddonDocument>(async (ids) => {
  const { rows } = await pool.query<{ id: number; rowVersion: string; body: string }>({ ...STORED, values: [ids] });
  return new Map(
    rows.map(({ id, rowVersion, body }) => {
      const document = JSON.parse(body) as AddonDocument;
      remember(id, { rowVersion, document, characters: body.length });
      return [id, document];
    }),
  );
});

/** What has never been published. */
const unpublishedDocuments = acrossRequests<number, AddonDocument>(async (ids) => {
  const { rows } = await pool.query<{ id: number; body: string }>({ ...MISSING, values: [ids] });
  return new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as AddonDocument]));
});

/**
 * The documents of add-ons, in the order of the keys; null for an add-on that is gone. One statement for those that are not
 * in memory. A document may be newer than its key when it was rewritten in between. They are shared: nobody changes one.
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

const CURRENT = {
  name: 'public-addon-documents',
  text: `SELECT d.addon_id AS id, d.row_version AS "rowVersion",
      CASE WHEN d.row_version = known.row_version THEN NULL ELSE d.body::text END AS body
    FROM unnest($1::int[], $2::int8[]) AS known(id, row_version)
    JOIN addon_document d ON d.addon_id = known.id
    JOIN addon a ON a.id = d.addon_id AND a.status = 'public' AND NOT a.is_disabled_by_developer`,
};

/**
 * The current documents of those of these add-ons that anybody may see, by id, for ids that come without a version: in one
 * statement, which brings the text of a document only when another one, or none, is in memory.
 */
export async function loadPublicDocuments(ids: readonly number[]): Promise<Map<number, AddonDocument>> {
  const found = new Map<number, AddonDocument>();
  if (ids.length === 0) return found;
  const entries = ids.map((id) => cache.get(id));
  const known = new Map(ids.map((id, index) => [id, entries[index]?.document]));
  const values = [ids, entries.map((entry) => entry?.rowVersion ?? null)];
  const { rows } = await pool.query<{ id: number; rowVersion: string; body: string | null }>({ ...CURRENT, values });
  for (const { id, rowVersion, body } of rows) {
    const document = body === null ? known.get(id) : (JSON.parse(body) as AddonDocument);
    if (document === undefined || !isPublic(document)) continue;
    if (body === null) recall({ id, rowVersion });
    else remember(id, { rowVersion, document, characters: body.length });
    found.set(id, document);
  }
  return found;
}
