import { TOP_LEVEL } from '../../index/popularity.ts';
import type { SearchPage } from '../../query/engine.ts';
import type { OffsetLimit, SortKey } from '../../query/search-request.ts';
import { filterSql, StatementValues } from '../plan/statement.ts';
import { bitsOfRow, countSql, type SearchTarget, tierConditionsOf, unionOf } from '../plan/tier-conditions.ts';
import { type RankedRow, rankedPage, readPage, sliceSql, TIER_SCORES } from './ranking.ts';

/** The columns of `addon_search` to sort by. */
const SORT_COLUMNS: Readonly<Record<Exclude<SortKey, 'random' | 'relevance'>, string>> = {
  created: 'created',
  downloads: 'downloads',
  hotness: 'hotness',
  rating: 'rating',
  updated: 'last_updated',
  users: 'users',
};

/** The keys whose column has an index of its own in `addon_search`. */
const INDEXED: readonly SortKey[] = ['created', 'updated'];
/** Above this number of matches, a walk along an index soon finds enough of them. */
const MANY = 10_000;
const DEEPEST_WALK = 500;

const columnOf = (key: SortKey): string =>
  key === 'relevance' ? 'score' : SORT_COLUMNS[key as keyof typeof SORT_COLUMNS];

/** `ORDER BY` of some keys. Ties are in the order of ids; by relevance, rows with more users come first. */
export function orderOf(keys: readonly SortKey[]): string {
  const ties = keys.at(-1) === 'relevance' ? ['users DESC', 'addon_id'] : ['addon_id'];
  return [...keys.map((key) => `${columnOf(key)} DESC`), ...ties].join(', ');
}

/** The columns that some keys sort by, without the score. */
export const columnsOf = (keys: readonly SortKey[]): string[] =>
  keys.filter((key) => key !== 'relevance').map(columnOf);

/**
 * A slice of the matches in the order of `keys`, and their number: one statement, or two when many rows match but few popular ones.
 * Above `many` matches the shortcut is tried.
 */
export async function sortedPage(
  target: SearchTarget,
  keys: readonly SortKey[],
  slice: OffsetLimit,
  expected: number,
  many = MANY,
): Promise<SearchPage> {
  if (keys.includes('relevance')) return rankedBy(target, keys, slice);
  if (expected > many && slice.offset + slice.limit <= DEEPEST_WALK) {
    const page = await shortcut(target, keys, slice, many);
    if (page !== null) return page;
  }
  const values = new StatementValues();
  const found = `found AS MATERIALIZED (${foundSql(target, keys, values)}), matches AS (SELECT count(*)::int AS n FROM found)`;
  const sorted = `SELECT addon_id FROM found ${sortedBy(keys, slice, values)}`;
  return readSorted(target, found, sorted, values);
}

async function rankedBy(target: SearchTarget, keys: readonly SortKey[], slice: OffsetLimit): Promise<SearchPage> {
  const { plan, filters } = target;
  const values = new StatementValues();
  const filter = filterSql(filters, values, 'operator');
  const ranking = {
    overlapping: tierConditionsOf(plan, values),
    filter,
    tierScores: TIER_SCORES,
    columns: columnsOf(keys),
  };
  return rankedPage(target, ranking, orderOf(keys), slice, values);
}

const sortedBy = (keys: readonly SortKey[], slice: OffsetLimit, values: StatementValues): string =>
  `ORDER BY ${orderOf(keys)}${sliceSql(slice, values)}`;

/** Finds all matches before they are sorted; PostgreSQL would otherwise walk an index through rows that do not match. */
function foundSql({ plan, filters }: SearchTarget, keys: readonly SortKey[], values: StatementValues): string {
  const columns = [...new Set(columnsOf(keys))].join(', ');
  return `SELECT addon_id, ${columns} FROM addon_search WHERE ${unionOf(plan, filters, values)} OFFSET 0`;
}

/**
 * The slice without sorting all matches: from the popular rows, or by walking an index in order and testing each row. The statement
 * sorts all rows unless very many match. Null for keys without a shortcut, or when too few popular rows match.
 */
async function shortcut(
  target: SearchTarget,
  keys: readonly SortKey[],
  slice: OffsetLimit,
  many: number,
): Promise<SearchPage | null> {
  const [key, other] = keys;
  if (key === undefined || other !== undefined) return null;
  if (key !== 'users' && !INDEXED.includes(key)) return null;
  const values = new StatementValues();
  const quick = key === 'users' ? mostUsed(target, values) : walked(target, values);
  const all = `(${foundSql(target, keys, values)}) AS found`;
  const when = (holds: string, from: string) =>
    `(SELECT addon_id FROM (SELECT addon_id FROM ${from} ${sortedBy(keys, slice, values)}) AS sorted
      WHERE (SELECT n FROM matches) ${holds} ${many})`;
  const matches = `matches AS MATERIALIZED (${countSql(target, values)})`;
  const page = await readSorted(target, matches, `${when('>', quick)} UNION ALL ${when('<=', all)}`, values);
  return page.hits.length < Math.min(slice.limit, page.count - slice.offset) ? null : page;
}

/** The matching rows with enough users to be popular: no other row has as many users. */
function mostUsed({ plan, filters }: SearchTarget, values: StatementValues): string {
  const more = ` AND lvl >= ${TOP_LEVEL.level} AND users >= ${TOP_LEVEL.users}`;
  return `(SELECT addon_id, users FROM addon_search WHERE ${unionOf(plan, filters, values, { more })} OFFSET 0) AS used`;
}

/** The rows that match, tested one by one: no index but that of the order can be used. */
function walked({ plan, filters }: SearchTarget, values: StatementValues): string {
  return `addon_search WHERE ${unionOf(plan, filters, values, { form: 'function' })}`;
}

/** The rows of a page, in its order, with their scores, and the number of all matches. */
async function readSorted(
  { run, plan }: SearchTarget,
  first: string,
  sorted: string,
  values: StatementValues,
): Promise<SearchPage> {
  const rows = await run<RankedRow>(
    `WITH ${first},
      page AS MATERIALIZED (SELECT addon_id, row_number() OVER () AS place FROM (${sorted}) AS sorted),
      scored AS (
        SELECT addon_id, place, (${values.addOnce(TIER_SCORES)}::float8[])[${bitsOfRow(plan, values)} + 1] * m AS score
        FROM page JOIN addon_search USING (addon_id)
      )
    SELECT (SELECT n FROM matches) AS n, addon_id AS id, score
    FROM (SELECT) AS one LEFT JOIN scored ON true ORDER BY place`,
    values.all,
  );
  return readPage(rows);
}
