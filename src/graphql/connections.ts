import { resolveCursorConnection } from '@pothos/plugin-relay';
import { refusedField } from '../errors.ts';
import { Prisma } from '../infra/db.ts';
import { message } from '../texts/messages.ts';
import { builder, INTERNAL, type ObjectFields } from './builder.ts';
import type { Context } from './context.ts';
import { databaseId } from './global-id.ts';
import { perRequest } from './per-request.ts';
import { PAGE_SIZE } from './query-cost.ts';

/** The paging arguments of a connection. */
export interface ConnectionArguments {
  first?: number | null;
  last?: number | null;
  before?: string | null;
  after?: string | null;
}

/** A page of a connection. */
export interface ConnectionPage<Row> {
  edges: { cursor: string; node: Row }[];
  pageInfo: { startCursor: string; endCursor: string; hasPreviousPage: boolean; hasNextPage: boolean };
}

/** Counts the items of all pages, when a query selects `totalCount`. */
export interface CountedConnection {
  totalCount: () => number | Promise<number>;
}

/** The fields of a connection whose items are counted on demand. */
export const countedFields = <Shape extends CountedConnection>(t: ObjectFields<Shape>) => ({
  totalCount: t.int({ resolve: ({ totalCount }) => totalCount() }),
});

/** The fields of a connection of `positionConnection` whose count is that of the rows that its pages reach. */
export const reachableFields = <Shape extends { loaded: { reachable: number } }>(t: ObjectFields<Shape>) => ({
  totalCount: t.int({ resolve: ({ loaded }) => loaded.reachable }),
});

/** The rows that a page of a connection needs. `inverted` means in reverse order, from the end. */
export interface KeysetPage<Id = number> {
  /** Id of the row that the page ends before or starts after, in the order of the connection. */
  before: Id | null;
  after: Id | null;
  limit: number;
  inverted: boolean;
}

/** The cursor of a row. `list` names the list in it, so that other lists refuse it. */
const toCursor = (list: string, id: number | bigint): string => Buffer.from(`${list}:${id}`).toString('base64url');

function idInCursor<Id extends number | bigint>(
  { list, readId }: KeyedList<Id>,
  argument: 'before' | 'after',
  cursor: string | null | undefined,
): Id | null {
  if (cursor == null) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const id = text.startsWith(`${list}:`) ? readId(text.slice(list.length + 1)) : null;
  if (id !== null && id > 0) return id;
  throw refusedField(argument, message('page.cursor_of_other_list', { name: argument }));
}

/**
 * The paging rule of every list: a size below 1 or above the maximum is an error, not corrected. A page past the end is empty,
 * and counts stay those of the whole list.
 * @throws {InvalidInputError} naming the argument.
 */
function requirePageSize(argument: string, size: number | null | undefined): void {
  if (size == null || (size >= 1 && size <= PAGE_SIZE.max)) return;
  throw refusedField(argument, message('page.invalid_size', { name: argument, count: PAGE_SIZE.max }));
}

/** @throws {InvalidInputError} for a size that cannot be used, and for both directions at once. */
function requireConnectionArguments({ first, last }: ConnectionArguments): void {
  requirePageSize('first', first);
  requirePageSize('last', last);
  if (first != null && last != null) throw refusedField('last', message('page.two_directions'));
}

/**
 * A page of rows that `load` reads by key, so that a page at the end of a list costs the same as one at its start. `list` is the name
 * of the field, with the id of the parent where each parent has a list of its own: `addons`, `Addon.versions/17`.
 * @throws {InvalidInputError} for a page size that cannot be used, and for a cursor that is not of this list.
 */
export function keysetConnection<Row extends { id: number }>(
  list: string,
  args: ConnectionArguments,
  load: (page: KeysetPage) => Promise<readonly Row[]>,
): Promise<ConnectionPage<Row>> {
  return connectionByKey({ list, readId: databaseId }, args, load);
}

/** A list of rows by id. `readId` parses an id in a cursor; it returns 0, which no row has, for malformed text. */
interface KeyedList<Id extends number | bigint> {
  list: string;
  readId: (text: string) => Id;
}

/** Like `keysetConnection`, for rows with ids of any type. */
export async function connectionByKey<Id extends number | bigint, Row extends { id: Id }>(
  keyed: KeyedList<Id>,
  args: ConnectionArguments,
  load: (page: KeysetPage<Id>) => Promise<readonly Row[]>,
): Promise<ConnectionPage<Row>> {
  requireConnectionArguments(args);
  const page = { before: idInCursor(keyed, 'before', args.before), after: idInCursor(keyed, 'after', args.after) };
  const connection = await resolveCursorConnection<Promise<readonly { id: Id }[]>>(
    { args, defaultSize: PAGE_SIZE.default, maxSize: PAGE_SIZE.max, toCursor: ({ id }) => toCursor(keyed.list, id) },
    ({ limit, inverted }) => load({ ...page, limit, inverted }),
  );
  return connection as ConnectionPage<Row>;
}

/**
 * The end of a statement that reads a page of a list ordered by `column`, from AND to LIMIT. `column` is SQL.
 */
export function keysetClause(
  column: string,
  order: 'ASC' | 'DESC',
  { before, after, limit, inverted }: KeysetPage,
): Prisma.Sql {
  const [key, isAscending] = [Prisma.raw(column), order === 'ASC'];
  const [next, previous] = [Prisma.raw(isAscending ? '>' : '<'), Prisma.raw(isAscending ? '<' : '>')];
  return Prisma.sql`
    AND (${after}::int IS NULL OR ${key} ${next} ${after}::int) AND (${before}::int IS NULL OR ${key} ${previous} ${before}::int)
    ORDER BY ${key} ${Prisma.raw(isAscending === inverted ? 'DESC' : 'ASC')} LIMIT ${limit}`;
}

/**
 * Loads pages of lists that belong to other objects, such as the add-ons of an account. Within one request, pages with the
 * same bounds are loaded in one batch. Bounds are JSON. `load` returns the rows of all parents, each list in the order of its page.
 */
export function pageLoader<Row extends { parentId: number }, Bounds extends object = KeysetPage>(
  load: (parentIds: readonly number[], page: Bounds, context: Context) => Promise<readonly Row[]>,
): (context: Context, parentId: number, page: Bounds) => Promise<readonly Row[]> {
  const loader = perRequest<{ parentId: number; page: Bounds }, readonly Row[]>(async (keys, context) => {
    const byBounds = Map.groupBy(keys, ({ page }) => JSON.stringify(page));
    const batches = [...byBounds].map(async ([bounds, same]) => {
      // A request may select the same page twice, as under two aliases.
      const ids = [...new Set(same.map(({ parentId }) => parentId))];
      const rows = await load(ids, JSON.parse(bounds) as Bounds, context);
      return [bounds, Map.groupBy(rows, ({ parentId }) => parentId)] as const;
    });
    const found = new Map(await Promise.all(batches));
    return keys.map(({ parentId, page }) => found.get(JSON.stringify(page))?.get(parentId) ?? []);
  });
  return (context, parentId, page) => loader(context).load({ parentId, page });
}

/** A numbered page of rows as a connection. `load` reads one row more than the page has, which shows whether a next page exists. */
async function numberedConnection<Row extends { id: number }>(
  list: string,
  { page, pageSize }: NumberedPage,
  load: (offset: number, limit: number) => Promise<readonly Row[]>,
): Promise<ConnectionPage<Row>> {
  const rows = await load((page - 1) * pageSize, pageSize + 1);
  const edges = rows.slice(0, pageSize).map((node) => ({ cursor: toCursor(list, node.id), node }));
  return {
    edges,
    pageInfo: {
      startCursor: edges[0]?.cursor ?? '',
      endCursor: edges.at(-1)?.cursor ?? '',
      hasPreviousPage: page > 1,
      hasNextPage: rows.length > pageSize,
    },
  };
}

/** A page by its number, counted from 1, and its number of items. */
interface NumberedPage {
  page: number;
  pageSize: number;
}

/**
 * The numbered page that the arguments select; the first page of the default size without them.
 * @throws {InvalidInputError} for a page number below 1 and a page size that cannot be used.
 */
function numberedPage(page: number | null | undefined, pageSize: number | null | undefined): NumberedPage {
  if (page != null && page < 1) throw refusedField('page', message('page.invalid_number'));
  requirePageSize('pageSize', pageSize);
  return { page: page ?? 1, pageSize: pageSize ?? PAGE_SIZE.default };
}

/** @throws {InvalidInputError} keyed by the first paging argument of connections that is present. */
function requireNoCursors(cursors: ConnectionArguments): void {
  const [given] = Object.entries(cursors).filter(([, value]) => value != null);
  if (given !== undefined) throw refusedField(given[0], message('page.two_styles'));
}

/** The paging arguments of a connection that has numbered pages too. */
export interface PagedArguments extends ConnectionArguments {
  page?: number | null;
  pageSize?: number | null;
}

/**
 * A page of a list by key: numbered with the internal arguments page or pageSize, by cursor otherwise. `list` is as for
 * `keysetConnection`.
 * @throws {InvalidInputError} keyed by an argument that cannot be used, or that belongs to the other form.
 */
export async function pagedConnection<Row extends { id: number }>(
  list: string,
  { page, pageSize, ...cursors }: PagedArguments,
  byNumber: (offset: number, limit: number) => Promise<readonly Row[]>,
  byKey: (page: KeysetPage) => Promise<readonly Row[]>,
): Promise<ConnectionPage<Row>> {
  if (page == null && pageSize == null) return keysetConnection(list, cursors, byKey);
  requireNoCursors(cursors);
  return numberedConnection(list, numberedPage(page, pageSize), byNumber);
}

/** A part of a list that is read by position: `offset` rows precede it. `size` is the number of rows that were requested. */
export interface PageSlice {
  offset: number;
  limit: number;
  size: number;
}

/** The rows of a slice. */
export interface SliceRows<Row> {
  /** Null for a row that has been hidden since the list was read. */
  rows: readonly (Row | null)[];
  /** Number of rows of the list that pages reach. */
  reachable: number;
}

/**
 * A page of a list whose cursors are positions in its order, for lists without keys, such as search results. Arguments are those of
 * `pagedConnection`. Only a page from the end, by `last` without `before`, loads twice. Returns what `load` returned, too.
 * @throws {InvalidInputError} as `pagedConnection` does.
 */
export async function positionConnection<Row, Loaded extends SliceRows<Row>>(
  list: string,
  args: PagedArguments,
  load: (slice: PageSlice) => Promise<Loaded & SliceRows<Row>>,
): Promise<ConnectionPage<Row> & { loaded: Loaded; size: number }> {
  const slice = await sliceIn(list, args, async () => (await load({ offset: 0, limit: 0, size: 0 })).reachable);
  const loaded = await load(slice);
  const edges = loaded.rows.flatMap((node, index) =>
    node === null ? [] : [{ cursor: toCursor(list, slice.offset + index + 1), node: node as Row }],
  );
  const requested = args.after ?? args.before ?? '';
  const pageInfo = {
    startCursor: edges[0]?.cursor ?? requested,
    endCursor: edges.at(-1)?.cursor ?? requested,
    hasPreviousPage: slice.offset > 0,
    hasNextPage: slice.offset + slice.limit < loaded.reachable,
  };
  return { edges, pageInfo, loaded, size: slice.size };
}

async function sliceIn(
  list: string,
  { page, pageSize, ...cursors }: PagedArguments,
  count: () => Promise<number>,
): Promise<PageSlice> {
  if (page != null || pageSize != null) {
    requireNoCursors(cursors);
    const { page: number, pageSize: size } = numberedPage(page, pageSize);
    return { offset: (number - 1) * size, limit: size, size };
  }
  requireConnectionArguments(cursors);
  const { first, last } = cursors;
  const size = first ?? last ?? PAGE_SIZE.default;
  const keyed = { list, readId: databaseId };
  // The number in a cursor is that of the rows up to it.
  const start = idInCursor(keyed, 'after', cursors.after) ?? 0;
  const next = idInCursor(keyed, 'before', cursors.before);
  const end = next === null ? (last == null ? start + size : await count()) : next - 1;
  const offset = last == null ? start : Math.max(start, end - last);
  return { offset, limit: Math.max(0, Math.min(size, end - offset)), size };
}

/** Numbered pages of a connection, for REST and pages. */
export const pageArguments = builder.args((t) => ({
  page: t.int({ subGraphs: INTERNAL }),
  pageSize: t.int({ subGraphs: INTERNAL }),
}));
