import type { NumberedPage } from '../../graphql/connections.ts';
import { lookupPool } from '../../infra/db.ts';
import {
  type CompatOverrideRow,
  findCompatOverrides,
  OVERRIDE_COLUMNS,
  overrideOf,
  type StoredOverride,
} from './find-compat-overrides.ts';
import { type NumberedList, sliceOf } from './numbered-list.ts';

/** Reads count and page in one statement. */
const ALL = {
  name: 'compat-overrides',
  text: `WITH page AS (SELECT ${OVERRIDE_COLUMNS} FROM compat_override o ORDER BY o.id LIMIT $1 OFFSET $2)
    SELECT (SELECT count(*)::int FROM compat_override) AS count, coalesce((SELECT json_agg(page ORDER BY id) FROM page), '[]') AS rows`,
};

/**
 * The compat overrides for these guids in any case, or all overrides, oldest first (contract, compat-override). Unknown guids
 * are ignored.
 */
export async function listCompatOverrides(
  guids: readonly string[] | null,
  page: NumberedPage,
): Promise<NumberedList<CompatOverrideRow>> {
  const { offset, limit } = sliceOf(page);
  if (guids !== null) {
    const found = await findCompatOverrides(guids);
    return { ...page, count: found.length, results: found.slice(offset, offset + limit) };
  }
  const query = { ...ALL, values: [limit, offset] };
  const [row] = (await lookupPool.query<{ count: number; rows: StoredOverride[] }>(query)).rows;
  return { ...page, count: row?.count ?? 0, results: (row?.rows ?? []).map((stored) => overrideOf(stored)) };
}
