/* Accounts by state. */
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { RULES } from './addon-states.ts';
import { PEOPLE_RULES } from './state-roles.ts';
import {
  includesId,
  mutationOf,
  nodeOf,
  refused,
  type StateAction,
  type StateRule,
  type StateTable,
} from './state-table.ts';
import { badFile } from './world.ts';

/** `self` is the account itself. `official` holds `Users:Edit`, and is staff below an administrator. */
const ROLES = { ...RULES, self: [], clerk: PEOPLE_RULES.clerk } as const;
type AccountRole = keyof typeof ROLES;

interface AccountState {
  isPublic?: true;
  isGone?: true;
  /** Whether it has a rule that `official` could not grant. */
  isAboveOfficial?: true;
  /** Whether it can be deleted, so that deletions take another one like it. */
  isDeletable?: true;
  /** What is made: the account with a rule, as the author of an add-on or of the one that several have; null for an unknown account. */
  made: { column?: 'disabled_at' | 'deleted_at'; rule?: string; addon?: AddonFacts; isListed?: boolean } | null;
}

interface MadeAccount {
  id: number;
}

const author = (addon: AddonFacts): AccountState => ({ made: { addon } });
/** Without add-ons. */
const deletable = (made: AccountState['made'], more: Partial<AccountState> = {}): AccountState => ({
  ...{ isDeletable: true, made, ...more },
});
const UNLISTED: AddonFacts = { status: 'incomplete', versions: [{ channel: 'unlisted' }] };
const DELETED: AddonFacts = { status: 'deleted', slug: null, deletedAt: new Date() };

const STATES: Readonly<Record<string, AccountState>> = {
  author: { isPublic: true, made: { isListed: true } },
  secondAuthor: { isPublic: true, made: { isListed: true } },
  unlistedAuthor: { made: { isListed: false } },
  disabledAuthor: { made: { isListed: true, column: 'disabled_at' } },
  authorOfHidden: author({ status: 'disabled' }),
  authorOfDisabledByDeveloper: author({ isDisabledByDeveloper: true }),
  authorOfUnlisted: author(UNLISTED),
  authorOfDeleted: deletable({ addon: DELETED }),
  administrator: deletable({ rule: '*:*' }, { isAboveOfficial: true }),
  official: deletable({ rule: 'Users:Edit' }),
  reviewer: deletable({ rule: 'Addons:Review' }, { isAboveOfficial: true }),
  withoutAddons: deletable({}),
  disabled: deletable({ column: 'disabled_at' }),
  deleted: { isGone: true, made: { column: 'deleted_at' } },
  unknown: { isGone: true, made: null },
};

type Rule = StateRule<AccountState, AccountRole>;

const isAdministrator = (role: AccountRole) => role === 'official' || role === 'root';
const may = ({ isGone }: AccountState, role: AccountRole) => !isGone && (role === 'self' || isAdministrator(role));

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

function viewerOf({ id }: MadeAccount, { isGone }: AccountState, role: AccountRole): Viewer | null | undefined {
  if (role !== 'self') return undefined;
  // An account that does not exist is not signed in.
  if (isGone) return null;
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
    rule: ({ isGone }, role) => (!isAdministrator(role) ? refused(role) : isGone ? 404 : 200),
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

/** The accounts by state. */
async function make(app: TestApp): Promise<Record<string, MadeAccount>> {
  const accounts: Record<string, MadeAccount> = {};
  const shared: NonNullable<AddonFacts['authors']>[number][] = [];
  for (const [name, { made }] of Object.entries(STATES)) {
    const [row] = await app.sql<MadeAccount>('INSERT INTO account (username) VALUES ($1) RETURNING id', [
      `state-${name}`,
    ]);
    const id = row?.id ?? 0;
    accounts[name] = { id: made === null ? 999_999 : id };
    const { column, rule, addon: facts, isListed } = made ?? {};
    if (column) await app.sql(`UPDATE account SET ${column} = now() WHERE id = $1`, [id]);
    if (rule) {
      await app.sql(
        `WITH g AS (INSERT INTO permission_group (name, rules) VALUES ('state ' || $1, ARRAY[$1]) RETURNING id)
         INSERT INTO group_member (group_id, account_id) SELECT id, $2 FROM g`,
        [rule, id],
      );
    }
    if (facts) await addon({ authors: [id], ...facts });
    if (isListed !== undefined) shared.push({ id, listed: isListed });
  }
  await addon({ authors: shared });
  return accounts;
}

export const ACCOUNT_TABLE: StateTable<AccountState, AccountRole, MadeAccount> = {
  ...{ kind: 'an account', roles: ROLES, states: STATES, make, params: ({ id }) => ({ account: id }), viewerOf },
  actions: ACTIONS,
};
