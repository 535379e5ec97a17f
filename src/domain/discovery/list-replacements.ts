import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import type { NotFoundError } from '../../errors.ts';
import type { Replacement } from '../../generated/prisma/client.ts';
import type { PageSlice, SliceRows } from '../../graphql/connections.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { rowsInOrder } from '../../graphql/per-request.ts';
import { pool, prepared } from '../../infra/db.ts';
import type { AddonType } from '../../package/enums.ts';

/** A legacy add-on with the public add-ons that replace it, best first. */
export interface ReplacementRow {
  id: number;
  guid: string;
  /** The target as curators wrote it. */
  path: string | null;
  guids: string[];
  addons: { id: number; guid: string }[];
}

/** The target of a replacement: ids, slugs or guids of add-ons, or the path of a collection. */
type Target = { names: string[] } | { collection: string };

const readPage = prepared<{ count: number; rows: Replacement[] }>(
  pool,
  'replacements',
  `WITH chosen AS MATERIALIZED (
      SELECT id, guid, path, guids FROM replacement WHERE $3::text[] IS NULL OR guid = ANY($3::text[]::citext[])
    ), page AS (SELECT * FROM chosen ORDER BY id LIMIT $1 OFFSET $2)
    SELECT (SELECT count(*)::int FROM chosen) AS count, coalesce((
      SELECT json_agg(json_build_object('id', id, 'guid', guid, 'path', path, 'guids', guids) ORDER BY id) FROM page
    ), '[]') AS rows`,
);

const readCollections = prepared<{ path: string; guids: string[] }>(
  pool,
  'collections-by-path',
  'SELECT lower(path) AS path, guids FROM collection WHERE path = ANY($1::text[]::citext[])',
);

const readAddons = prepared<{ id: number; guid: string; slug: string | null; type: AddonType }>(
  pool,
  'public-addons-by-name',
  `SELECT a.id, a.guid, a.slug, a.type FROM addon a
    WHERE (a.guid = ANY($1::text[]::citext[]) OR a.slug = ANY($1::text[]::citext[]) OR a.id = ANY($2::int[])) AND ${IS_PUBLIC_ADDON}`,
);

const NOTHING: Target = { names: [] };

/**
 * Parses the target of a replacement: `/addon/<slug, guid or id>/` or `/collections/<path>/`. Any other URL has no add-ons
 * (contract, Replacement item).
 */
function targetOf({ path, guids }: Pick<Replacement, 'path' | 'guids'>): Target {
  if (path === null) return { names: guids };
  const [, kind, rest = ''] = /^\/(addon|collections)\/([^?#]+?)\/*(?:[?#].*)?$/.exec(path) ?? [];
  const name = decode(rest);
  if (kind === undefined || name === null) return NOTHING;
  if (kind === 'collections') return { collection: name.toLowerCase() };
  return name.includes('/') ? NOTHING : { names: [name] };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The replacements for legacy add-ons, oldest first, each with its public target add-ons except those of types in `except`
 * (contract, replacement-addon). With `guids`, only those for these legacy add-ons. Always three statements.
 */
export async function listReplacements(
  { offset, limit }: PageSlice,
  except: readonly AddonType[],
  guids: readonly string[] | null = null,
): Promise<SliceRows<ReplacementRow>> {
  const [{ count, rows: stored } = { count: 0, rows: [] }] = await readPage(limit, offset, guids);
  return { rows: await withAddons(stored, except), reachable: count };
}

/** The replacement for the legacy add-on with this guid in any case, or null. */
export async function findReplacement(guid: string): Promise<ReplacementRow | null> {
  const { rows } = await pool.query<Replacement>(
    'SELECT id, guid, path, guids FROM replacement WHERE guid = $1::citext',
    [guid],
  );
  return (await withAddons(rows, []))[0] ?? null;
}

/** The replacements with these ids, in their order. At most three statements. */
export async function loadReplacements(ids: readonly number[]): Promise<(ReplacementRow | NotFoundError)[]> {
  const { rows } = await pool.query<Replacement>('SELECT id, guid, path, guids FROM replacement WHERE id = ANY($1)', [
    ids,
  ]);
  return rowsInOrder(ids, await withAddons(rows, []));
}

async function withAddons(stored: readonly Replacement[], except: readonly AddonType[]): Promise<ReplacementRow[]> {
  const targets = stored.map((replacement) => targetOf(replacement));
  const collections = await guidsByPath(targets.flatMap((target) => ('names' in target ? [] : [target.collection])));
  const names = targets.map((target) =>
    'names' in target ? target.names : (collections.get(target.collection) ?? []),
  );
  const find = await addonFinder(names.flat(), except);
  return stored.map(({ id, guid, path, guids }, index) => {
    const found = (names[index] ?? []).map(find).filter((addon) => addon !== undefined);
    return { id, guid, path, guids, addons: [...new Set(found)] };
  });
}

async function guidsByPath(paths: readonly string[]): Promise<Map<string, string[]>> {
  if (paths.length === 0) return new Map();
  return new Map((await readCollections(paths)).map(({ path, guids }) => [path, guids]));
}

/** Loads the public add-ons with these names and returns a lookup by id, guid or slug. */
async function addonFinder(
  names: readonly string[],
  except: readonly AddonType[],
): Promise<(name: string) => { id: number; guid: string } | undefined> {
  if (names.length === 0) return () => undefined;
  const texts = names.filter((name) => !name.includes('\0'));
  const ids = texts.map(databaseId).filter((id) => id > 0);
  const byName = new Map<string, { id: number; guid: string }>();
  for (const { id, guid, slug, type } of await readAddons(texts, ids)) {
    if (except.includes(type)) continue;
    for (const name of [slug, String(id), guid]) if (name !== null) byName.set(name.toLowerCase(), { id, guid });
  }
  return (name) => byName.get(name.toLowerCase());
}
