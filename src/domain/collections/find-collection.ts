import { canEditCollectionsOf, canSeeCollection } from '../../auth/account-permissions.ts';
import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { refuse, requireSignedIn } from '../../auth/permissions.ts';
import { requireRecentSignIn } from '../../auth/recent-sign-in.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { db, Prisma, pool, prepared, type Transaction } from '../../infra/db.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { type AccountRef, AccountRefInput, accountKey } from '../accounts/account-ref.ts';

/** A collection as it is stored, with the username of its account. */
export interface CollectionRow {
  id: number;
  accountId: number;
  username: string;
  /** That of the operator; a uuid for others. */
  path: string;
  guids: string[];
  uuid: string;
  slug: string;
  name: unknown;
  description: unknown;
  defaultLocale: string;
  isPublic: boolean;
  created: Date;
  modified: Date;
}

/** The columns of a `CollectionRow`, from `collection c` and its account `owner`. */
const COLLECTION_COLUMNS = `c.id, c.account_id AS "accountId", owner.username::text AS username, c.path::text AS path, c.guids,
  replace(c.uuid::text, '-', '') AS uuid, c.slug::text AS slug, c.name, c.description, c.default_locale AS "defaultLocale",
  c.is_public AS "isPublic", c.created, c.modified`;

/** Collections of accounts that are disabled are hidden; the built-in account of the operator is no such account. */
const SHOWN = `(owner.disabled_at IS NULL OR owner.id = ${OPERATOR_ID})`;

const FROM = `FROM collection c JOIN account owner ON owner.id = c.account_id AND ${SHOWN}`;

const readByIds = prepared<CollectionRow>(
  pool,
  'collections-by-id',
  `SELECT ${COLLECTION_COLUMNS} ${FROM} WHERE c.id = ANY ($1::int[])`,
);

// An address with an account and a slug, or the path of a collection of the operator.
const readByPath = prepared<CollectionRow>(
  pool,
  'collection-by-path',
  `SELECT ${COLLECTION_COLUMNS} ${FROM} WHERE (c.path = $1::citext AND c.account_id = ${OPERATOR_ID})
     OR (c.slug = $3::citext AND (owner.username = $2::citext OR owner.id = $4::int))
   ORDER BY c.account_id = ${OPERATOR_ID} AND c.path = $1::citext DESC LIMIT 1`,
);

const readByUuid = prepared<CollectionRow>(
  pool,
  'collection-by-uuid',
  `SELECT ${COLLECTION_COLUMNS} ${FROM} WHERE c.uuid = $1::uuid`,
);

const readBySlug = prepared<CollectionRow>(
  pool,
  'collection-by-slug',
  `SELECT ${COLLECTION_COLUMNS} ${FROM} WHERE c.account_id = $1 AND c.slug = $2::citext`,
);

const readAccount = prepared<{ id: number }>(
  pool,
  'account-of-collections',
  `SELECT id FROM account WHERE deleted_at IS NULL AND (id = $1::int OR username = $2::citext) AND id <> -1`,
);

const isOperatorName = (name: string): boolean => name.toLowerCase() === config.OPERATOR_ACCOUNT.toLowerCase();

const NO_ACCOUNT = 0;

/** The id of the account that a reference names, the built-in one of the operator included; 0, which no account has, for others. */
export async function accountIdOf(by: AccountRef, field = 'account'): Promise<number> {
  const key = accountKey(by, field);
  if ('id' in key) return key.id;
  if (isOperatorName(key.username)) return OPERATOR_ID;
  const [found] = key.username.includes('\0') ? [] : await readAccount(NO_ACCOUNT, key.username);
  return found?.id ?? NO_ACCOUNT;
}

/** The collections with these ids, with an error for each one that the viewer may not see. */
export async function findCollections(ids: readonly number[], { viewer }: Context): Promise<(CollectionRow | Error)[]> {
  const found = new Map((await readByIds(ids)).map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = found.get(id);
    if (row === undefined) return new NotFoundError();
    return canSeeCollection(viewer, row) ? row : refuse(viewer);
  });
}

const AccountSlugInput = builder.inputType('CollectionOfAccountInput', {
  description: 'A collection by its account.',
  fields: (t) => ({
    account: t.field({ type: AccountRefInput, required: true, description: 'The account that has made it.' }),
    slug: t.string({ required: true, description: 'Its short name in addresses, in any case.' }),
  }),
});

export const CollectionRefInput = builder.inputType('CollectionRefInput', {
  description: 'Names a collection in one way.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'Global id of the collection.' }),
    uuid: t.string({ description: 'Its UUID, with or without hyphens.' }),
    path: t.string({ description: 'The path behind /collections/, in any case.' }),
    ofAccount: t.field({ type: AccountSlugInput, description: 'Its account and slug.' }),
  }),
});

export type CollectionRef = typeof CollectionRefInput.$inferInput;

const UUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

async function byPath(path: string): Promise<CollectionRow | undefined> {
  const name = path.replace(/^\/+|\/+$/g, '');
  if (name.includes('\0')) return undefined;
  const [account = '', slug = null, ...rest] = name.split('/');
  const owned = rest.length > 0 || slug === null ? [null, null, null] : [account, slug, ownerId(account)];
  const [found] = await readByPath(name, ...owned);
  return found;
}

function ownerId(account: string): number | null {
  if (isOperatorName(account)) return OPERATOR_ID;
  return /^\d{1,9}$/.test(account) ? Number(account) : null;
}

async function read({ id, uuid, path, ofAccount }: CollectionRef): Promise<CollectionRow | undefined> {
  if (id != null) return (await readByIds([idOf('Collection', id, 'id')]))[0];
  if (uuid != null) return UUID.test(uuid) ? (await readByUuid(uuid))[0] : undefined;
  if (path != null) return byPath(path);
  if (ofAccount == null || ofAccount.slug.includes('\0')) return undefined;
  return (await readBySlug(await accountIdOf(ofAccount.account), ofAccount.slug))[0];
}

/** The collection. @throws {NotFoundError} for an unknown one, what `refuse` returns for one that the viewer may not see. */
export async function findCollection(viewer: Viewer, by: CollectionRef): Promise<CollectionRow> {
  const found = await read(by);
  if (found === undefined) throw new NotFoundError();
  if (!canSeeCollection(viewer, found)) throw refuse(viewer);
  return found;
}

/**
 * Lets a viewer pass who may change the collections of an account, and counts the change.
 * @throws what `refuse` returns for other viewers, {NotPermittedError} for a curator without a recent sign-in, {ThrottledError}.
 */
export async function admitChange({ viewer, waivesRecentSignIn }: Context, accountId: number): Promise<number> {
  if (viewer.kind === 'anonymous' || !canEditCollectionsOf(viewer, accountId)) throw refuse(viewer);
  // Collections of the operator are published by curators.
  if (accountId === OPERATOR_ID && !waivesRecentSignIn) requireRecentSignIn(viewer);
  await consumeLimit('collection-change-minute', viewer.accountId);
  return viewer.accountId;
}

/**
 * The collection, for a change by the viewer.
 * @throws as `findCollection` and `admitChange` do; for a collection of another account by its slug, whether it exists or not.
 */
export async function findOwnCollection(context: Context, by: CollectionRef): Promise<CollectionRow> {
  const { viewer } = context;
  requireSignedIn(viewer);
  if (by.ofAccount != null && !canEditCollectionsOf(viewer, await accountIdOf(by.ofAccount.account)))
    throw refuse(viewer);
  const found = await findCollection(viewer, by);
  await admitChange(context, found.accountId);
  return found;
}

/** Locks a collection until the end of the transaction. @throws {NotFoundError} for one that no longer exists. */
export async function lockCollection(tx: Transaction, id: number): Promise<{ name: unknown; description: unknown }> {
  const [row] = await tx.$queryRaw<{ name: unknown; description: unknown }[]>`
    SELECT name, description FROM collection WHERE id = ${id} FOR UPDATE`;
  if (row === undefined) throw new NotFoundError();
  return row;
}

/** A page of the collections of an account by id, newest change first. */
export const listCollectionsOf = (accountId: number, offset: number, limit: number): Promise<CollectionRow[]> =>
  db.$queryRaw<
    CollectionRow[]
  >`SELECT ${Prisma.raw(COLLECTION_COLUMNS)} ${Prisma.raw(FROM)} WHERE c.account_id = ${accountId}
    ORDER BY c.modified DESC, c.id DESC LIMIT ${limit} OFFSET ${offset}`;

/** Number of the collections of an account, private ones included. */
export const countCollectionsOf = (accountId: number): Promise<number> => db.collection.count({ where: { accountId } });
