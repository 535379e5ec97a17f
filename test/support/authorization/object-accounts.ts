/* The states of accounts and of uploads, and every route, field and mutation that takes one. */
import type { TestApp } from '../app.ts';
import { addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import type { Outcome } from './object-rules.ts';
import { badFile } from './world.ts';

/** `self` is the account itself, or that of the upload. `official` holds `Users:Edit`, and is staff below an administrator. */
export const PEOPLE = ['anonymous', 'stranger', 'self', 'reviewer', 'editor', 'official', 'root'] as const;
export type Person = (typeof PEOPLE)[number];

type Rule = (state: AccountState, person: Person) => Outcome;

interface AccountState {
  isPublic: boolean;
  exists: boolean;
  /** Whether it has a rule that `official` could not grant. */
  isAboveOfficial?: true;
}

const HIDDEN: AccountState = { isPublic: false, exists: true };
const GONE: AccountState = { isPublic: false, exists: false };

/** Accounts by state; their ids are in the world. */
export const ACCOUNT_STATES = {
  author: { isPublic: true, exists: true },
  secondAuthor: { isPublic: true, exists: true },
  unlistedAuthor: HIDDEN,
  authorOfHidden: HIDDEN,
  authorOfDisabledByDeveloper: HIDDEN,
  authorOfUnlisted: HIDDEN,
  authorOfDeleted: HIDDEN,
  administrator: { ...HIDDEN, isAboveOfficial: true },
  official: HIDDEN,
  reviewer: { ...HIDDEN, isAboveOfficial: true },
  withoutAddons: HIDDEN,
  disabled: HIDDEN,
  disabledAuthor: HIDDEN,
  deleted: GONE,
  unknown: GONE,
} as const satisfies Record<string, AccountState>;
export type AccountStateName = keyof typeof ACCOUNT_STATES;
export const ACCOUNT_STATE_NAMES = Object.keys(ACCOUNT_STATES) as AccountStateName[];

/** A route, field or mutation, and how it names an account. */
export interface AccountAction {
  name: string;
  rule: Rule;
  /** The path below `/accounts/account/ID/`, and what the route's body reader would return. */
  rest?: { path: string; body?: unknown };
  graphql?: { source: string; variables: (id: number) => Record<string, unknown> };
  /** Whether the account may be gone afterwards. */
  deletes?: true;
}

const isAdministrator = (person: Person) => person === 'official' || person === 'root';
const may = ({ exists }: AccountState, person: Person) => exists && (person === 'self' || isAdministrator(person));

const read: Rule = (state, person) => (state.isPublic || may(state, person) ? 200 : 404);
const readPrivate: Rule = (state, person) => (may(state, person) ? 200 : 404);
const readNotifications: Rule = (state, person) => {
  if (person === 'anonymous') return 401;
  return may(state, person) ? 200 : isAdministrator(person) ? 404 : 403;
};
const write: Rule = (state, person) =>
  state.isAboveOfficial && person === 'official' ? 403 : readNotifications(state, person);
const administer: Rule = (state, person) => (person === 'self' ? 403 : write(state, person));

const NO_VALUES = { values: new Map(), isForm: false, file: null };

const byId = (name: string, selection: string, rule: Rule): AccountAction => ({
  ...{ name, rule },
  graphql: {
    source: `query ($id: ID!) { node(id: $id) { ... on Account { shown: ${selection} } } }`,
    variables: (id) => ({ id: globalId('Account', id) }),
  },
});

const mutation = (name: string, rule: Rule, input: object = {}): AccountAction => ({
  ...{ name, rule },
  graphql: {
    source: `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) {
      shown: ${name}(input: $input) { __typename ... on UserError { code } } }`,
    variables: (id) => ({ input: { id: globalId('Account', id), ...input } }),
  },
});

export const ACCOUNT_ACTIONS: readonly AccountAction[] = [
  { name: 'GET /', rule: read, rest: { path: '' } },
  { name: 'PATCH /', rule: write, rest: { path: '', body: NO_VALUES } },
  { name: 'DELETE /', rule: write, rest: { path: '' }, deletes: true },
  { name: 'DELETE /picture', rule: write, rest: { path: 'picture' } },
  { name: 'GET /notifications/', rule: readNotifications, rest: { path: 'notifications/' } },
  { name: 'POST /notifications/', rule: write, rest: { path: 'notifications/', body: NO_VALUES } },
  {
    ...{ name: 'account', rule: read },
    graphql: {
      source: 'query ($ref: Int!) { shown: account(by: { databaseId: $ref }) { id } }',
      variables: (id) => ({ ref: id }),
    },
  },
  byId('node, of an Account', 'id', read),
  byId('Account.private', 'private { email }', readPrivate),
  byId('Account.uploads', 'uploads { totalCount }', readPrivate),
  mutation('updateAccount', write),
  mutation('updateNotifications', write, { changes: [] }),
  mutation('setAccountPicture', write, { file: badFile() }),
  { ...mutation('deleteAccount', write), deletes: true },
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
export async function makeAccounts(app: TestApp): Promise<Record<AccountStateName, number>> {
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
  return {
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
}
