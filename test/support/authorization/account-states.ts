/* Accounts by state. */
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import { addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { RULES } from './addon-states.ts';
import { PEOPLE_RULES } from './state-roles.ts';
import { includesId, mutationOf, nodeOf, type StateAction, type StateRule, type StateTable } from './state-table.ts';
import { badFile } from './world.ts';

/** `self` is the account itself. `official` holds `Users:Edit`, and is staff below an administrator. */
const ROLES = { ...RULES, self: [], clerk: PEOPLE_RULES.clerk } as const;
type AccountRole = keyof typeof ROLES;

interface AccountState {
  isPublic: boolean;
  exists: boolean;
  /** Whether it has a rule that `official` could not grant. */
  isAboveOfficial?: true;
  /** Whether it can be deleted, so that deletions take another one like it. */
  isDeletable?: true;
}

interface MadeAccount {
  id: number;
}

const HIDDEN: AccountState = { isPublic: false, exists: true };
const DELETABLE: AccountState = { ...HIDDEN, isDeletable: true };
const GONE: AccountState = { isPublic: false, exists: false };

const STATES = {
  author: { isPublic: true, exists: true },
  secondAuthor: { isPublic: true, exists: true },
  unlistedAuthor: HIDDEN,
  authorOfHidden: HIDDEN,
  authorOfDisabledByDeveloper: HIDDEN,
  authorOfUnlisted: HIDDEN,
  authorOfDeleted: DELETABLE,
  administrator: { ...DELETABLE, isAboveOfficial: true },
  official: DELETABLE,
  reviewer: { ...DELETABLE, isAboveOfficial: true },
  withoutAddons: DELETABLE,
  disabled: DELETABLE,
  disabledAuthor: HIDDEN,
  deleted: GONE,
  unknown: GONE,
} as const satisfies Record<string, AccountState>;

type Rule = StateRule<AccountState, AccountRole>;

const isAdministrator = (role: AccountRole) => role === 'official' || role === 'root';
const may = ({ exists }: AccountState, role: AccountRole) => exists && (role === 'self' || isAdministrator(role));

const read: Rule = (state, role) => (state.isPublic || may(state, role) ? 200 : 404);
const readPrivate: Rule = (state, role) => (may(state, role) ? 200 : 404);
const readNotifications: Rule = (state, role) => {
  if (role === 'anonymous') return 401;
  return may(state, role) ? 200 : isAdministrator(role) ? 404 : 403;
};
const write: Rule = (state, role) =>
  state.isAboveOfficial && role === 'official' ? 403 : readNotifications(state, role);
const edit: Rule = (state, role) => (write(state, role) === 200 ? 200 : 404);
const administer: Rule = (state, role) => (role === 'self' ? 403 : write(state, role));

const NO_VALUES = { values: new Map(), isForm: false, file: null };

const accountId = ({ id }: MadeAccount) => globalId('Account', id);

type Action = StateAction<AccountState, AccountRole, MadeAccount>;

const route = (name: string, rule: Rule, options: Partial<Action> = {}): Action => ({ name, rule, ...options });
const part = (name: string, rule: Rule, selection: string): Action => ({
  ...{ name, rule },
  graphql: nodeOf(accountId, 'Account', selection),
});
const mutation = (name: string, rule: Rule, input: object = {}, options: Partial<Action> = {}): Action => ({
  ...{ name, rule, ...options },
  graphql: mutationOf(name, (made) => ({ id: accountId(made), ...input })),
});

/** An account with the groups of another and without add-ons, which is deleted next; the account itself if it cannot be deleted. */
async function spare(app: TestApp, { isDeletable }: AccountState, like: MadeAccount): Promise<MadeAccount> {
  if (!isDeletable) return like;
  const [row] = await app.sql<{ id: number }>(
    "INSERT INTO account (username) VALUES ('spare-' || gen_random_uuid()) RETURNING id",
  );
  await app.sql(
    'INSERT INTO group_member (group_id, account_id) SELECT group_id, $1 FROM group_member WHERE account_id = $2',
    [row?.id, like.id],
  );
  return { id: row?.id ?? 0 };
}

function viewerOf({ id }: MadeAccount, { exists }: AccountState, role: AccountRole): Viewer | null | undefined {
  if (role !== 'self') return undefined;
  // An account that does not exist is not signed in.
  if (!exists) return null;
  const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
  return { kind: 'account', accountId: id, username: 'self', rules: [], via };
}

const ACCOUNT = '/accounts/account/:account/';
const changing = { rest: { body: () => NO_VALUES } };

const ACTIONS: readonly Action[] = [
  route(`GET ${ACCOUNT}`, read),
  route(`PATCH ${ACCOUNT}`, write, changing),
  route(`DELETE ${ACCOUNT}`, write, { spare }),
  route(`DELETE ${ACCOUNT}picture`, write),
  route(`GET ${ACCOUNT}notifications/`, readNotifications),
  route(`POST ${ACCOUNT}notifications/`, write, changing),
  {
    ...{ name: 'account', rule: read },
    graphql: { field: 'account', args: ({ id }) => ({ by: { databaseId: id } }), selection: '{ id }' },
  },
  {
    ...{ name: 'accounts', isList: true },
    rule: ({ exists }, role) => (!isAdministrator(role) ? (role === 'anonymous' ? 401 : 403) : exists ? 200 : 404),
    graphql: {
      field: 'accounts',
      args: () => ({ first: 100 }),
      selection: '{ nodes { id } }',
      isShown: includesId(accountId),
    },
  },
  part('node, of an Account', read, 'id'),
  part('Account.private', readPrivate, 'private { email }'),
  {
    ...{ name: 'Account.private, editable', covers: ['AccountPrivate.isEditable'], rule: edit },
    graphql: {
      ...nodeOf(accountId, 'Account', 'private { isEditable }'),
      isShown: (value) => JSON.stringify(value).includes('true'),
    },
  },
  part('Account.uploads', readPrivate, 'uploads { totalCount }'),
  mutation('updateAccount', write),
  mutation('updateNotifications', write, { changes: [] }),
  mutation('setAccountPicture', write, { file: badFile() }),
  mutation('deleteAccount', write, {}, { spare }),
  mutation('disableAccount', administer),
  // Last: it ends the state of the disabled accounts.
  mutation('enableAccount', administer),
];

/** Gives an account a rule through a group of its own. */
async function addToGroup(app: TestApp, accountId: number, rule: string): Promise<void> {
  await app.sql(
    `WITH g AS (INSERT INTO permission_group (name, rules) VALUES ('state ' || $1, ARRAY[$1]) RETURNING id)
     INSERT INTO group_member (group_id, account_id) SELECT id, $2 FROM g`,
    [rule, accountId],
  );
}

/** The accounts by state. */
async function make(app: TestApp): Promise<Record<string, MadeAccount>> {
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO account (username) SELECT 'state-' || n FROM generate_series(1, 14) AS n RETURNING id`,
  );
  const [author = 0, second = 0, unlisted = 0, ofHidden = 0, ofUnlisted = 0, ofDeleted = 0, ...others] = rows.map(
    ({ id }) => id,
  );
  const [administrator = 0, withoutAddons = 0, disabled = 0, disabledAuthor = 0, deleted = 0, ofDisabled = 0] = others;
  const [official = 0, reviewer = 0] = others.slice(6);
  await app.sql('UPDATE account SET disabled_at = now() WHERE id = ANY($1)', [[disabled, disabledAuthor]]);
  await addToGroup(app, administrator, '*:*');
  await addToGroup(app, official, 'Users:Edit');
  await addToGroup(app, reviewer, 'Addons:Review');
  await app.sql('UPDATE account SET deleted_at = now() WHERE id = $1', [deleted]);
  await addon({ authors: [author, second, { id: unlisted, role: 'developer', listed: false }, disabledAuthor] });
  await addon({ status: 'disabled', authors: [ofHidden] });
  await addon({ isDisabledByDeveloper: true, authors: [ofDisabled] });
  await addon({ status: 'incomplete', authors: [ofUnlisted], versions: [{ channel: 'unlisted' }] });
  await addon({ status: 'deleted', slug: null, deletedAt: new Date(), authors: [ofDeleted] });
  const ids: Record<keyof typeof STATES, number> = {
    ...{
      author,
      secondAuthor: second,
      unlistedAuthor: unlisted,
      authorOfHidden: ofHidden,
      authorOfDisabledByDeveloper: ofDisabled,
      authorOfUnlisted: ofUnlisted,
    },
    ...{
      authorOfDeleted: ofDeleted,
      administrator,
      official,
      reviewer,
      withoutAddons,
      disabled,
      disabledAuthor,
      deleted,
      unknown: 999_999,
    },
  };
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, { id }]));
}

export const ACCOUNT_TABLE: StateTable<AccountState, AccountRole, MadeAccount> = {
  ...{ kind: 'an account', roles: ROLES, states: STATES, make, params: ({ id }) => ({ account: id }), viewerOf },
  actions: ACTIONS,
};
