/* Collections by state: whose they are, and whether they are public. */
import type { TestApp } from '../app.ts';
import { addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import {
  mutationOf,
  nodeOf,
  nodeRow,
  refused,
  type StateAction,
  type StateRule,
  type StateTable,
} from './state-table.ts';

interface CollectionState {
  holder: 'party' | 'stranger' | 'operator';
  isPublic: boolean;
  isGone?: true;
}

const ROLES = {
  anonymous: null,
  stranger: [],
  party: [],
  reviewer: ['Addons:Review'],
  editor: ['Addons:Edit'],
  curator: ['Admin:Curation'],
  moderator: ['AbuseReports:Edit'],
  accountAdmin: ['Users:Edit'],
  everyAdmin: ['Admin:*'],
  root: ['*:*'],
} as const;

type CollectionRole = keyof typeof ROLES;

const STATES: Readonly<Record<string, CollectionState>> = {
  public: { holder: 'party', isPublic: true },
  private: { holder: 'party', isPublic: false },
  publicOfOther: { holder: 'stranger', isPublic: true },
  privateOfOther: { holder: 'stranger', isPublic: false },
  ofOperator: { holder: 'operator', isPublic: true },
  privateOfOperator: { holder: 'operator', isPublic: false },
  deleted: { holder: 'party', isPublic: true, isGone: true },
  deletedOfOperator: { holder: 'operator', isPublic: true, isGone: true },
};

interface MadeCollection {
  id: string;
  databaseId: number;
  account: string | number;
  slug: string;
  addon: string;
}

type Rule = StateRule<CollectionState, CollectionRole>;
type Action = StateAction<CollectionState, CollectionRole, MadeCollection>;

const CURATORS: readonly CollectionRole[] = ['curator', 'everyAdmin', 'root'];

const mayChange = ({ holder }: CollectionState, role: CollectionRole): boolean =>
  holder === 'operator' ? CURATORS.includes(role) : role === holder;

const read: Rule = (state, role) => {
  if (state.isGone) return 404;
  return state.isPublic || mayChange(state, role) ? 200 : refused(role);
};
const change: Rule = (state, role) => {
  if (!mayChange(state, role)) return refused(role);
  return state.isGone ? 404 : 200;
};
/** By its id, which names no account, a missing collection is missing for all. */
const changeById: Rule = (state, role) => (role === 'anonymous' ? 401 : state.isGone ? 404 : change(state, role));
const byNode: Rule = (state, role) => (read(state, role) === 200 ? 200 : 404);

/** A collection that is not public is none for others. */
const report: Rule = (state, role) => (read(state, role) === 200 ? 200 : 404);

const NO_VALUES = { values: new Map(), isForm: false, file: null };
const changing = { rest: { body: () => NO_VALUES } };

async function add(app: TestApp, accountId: number, { isPublic }: CollectionState): Promise<MadeCollection> {
  const { slug: listed, guid } = await addon();
  const [row] = await app.sql<{ id: number; slug: string }>(
    `INSERT INTO collection (account_id, path, slug, name, is_public, guids) SELECT $1, path, 'list-' || left(path, 8), '{"en-US": "x"}', $2, $3
     FROM (SELECT gen_random_uuid()::text AS path) fresh RETURNING id, slug::text AS slug`,
    [accountId, isPublic, accountId < 0 ? [guid] : []],
  );
  const { id = 0, slug = '' } = row ?? {};
  await app.sql(
    'INSERT INTO collection_item (collection_id, guid, position) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING',
    [id, guid],
  );
  const account = accountId < 0 ? 'operator' : accountId;
  return { id: globalId('Collection', id), databaseId: id, account, slug, addon: listed };
}

async function make(app: TestApp, ids: Record<CollectionRole, number>): Promise<Record<string, MadeCollection>> {
  const made: Record<string, MadeCollection> = {};
  for (const [name, state] of Object.entries(STATES)) {
    const accountId = state.holder === 'operator' ? -2 : ids[state.holder];
    made[name] = await add(app, accountId, state);
    if (state.isGone) await app.sql('DELETE FROM collection WHERE id = $1', [made[name].databaseId]);
  }
  return made;
}

/** A further collection of the same account, which is deleted or loses its add-on. */
async function spare(app: TestApp, state: CollectionState, like: MadeCollection): Promise<MadeCollection> {
  const accountId = typeof like.account === 'number' ? like.account : -2;
  const made = await add(app, accountId, state);
  if (state.isGone) await app.sql('DELETE FROM collection WHERE id = $1', [made.databaseId]);
  return made;
}

const LIST = '/accounts/account/:account/collections/';
const DETAIL = `${LIST}:collection/`;

const route = (name: string, rule: Rule, options: Partial<Action> = {}): Action => ({ name, rule, ...options });

const by = ({ id }: MadeCollection) => ({ by: { id } });
const withAddon = (made: MadeCollection) => ({ ...by(made), addon: { slug: made.addon } });

const mutation = (name: string, input: (made: MadeCollection) => object, options: Partial<Action> = {}): Action => ({
  ...{ name, rule: changeById, ...options },
  graphql: mutationOf(name, input),
});

/** The list is that of the account, whatever the state of the collection in it. */
const list: Rule = (state, role) => (mayChange(state, role) ? 200 : refused(role));
const listed: Rule = (state, role) => (mayChange(state, role) ? (state.isGone ? 404 : 200) : refused(role));

export const COLLECTION_TABLE: StateTable<CollectionState, CollectionRole, MadeCollection> = {
  ...{ kind: 'a collection', roles: ROLES, states: STATES, make },
  params: ({ account, slug, addon: listedAddon }) => ({ account, collection: slug, addon: listedAddon }),
  actions: [
    nodeRow('Collection', byNode),
    {
      ...{ name: 'collection', rule: read },
      graphql: { field: 'collection', args: by, selection: '{ id }' },
    },
    {
      ...{ name: 'Collection.canEdit', rule: (state, role) => (mayChange(state, role) && !state.isGone ? 200 : 404) },
      graphql: {
        ...nodeOf(({ id }: MadeCollection) => id, 'Collection', 'canEdit'),
        isShown: (value) => JSON.stringify(value).includes('true'),
      },
    },
    {
      ...{ name: 'accountCollections', rule: listed },
      graphql: {
        field: 'accountCollections',
        args: ({ account }) => ({
          account: typeof account === 'number' ? { databaseId: account } : { username: account },
        }),
        selection: '{ nodes { id } }',
        isShown: (value, { id }) => JSON.stringify(value).includes(`"${id}"`),
      },
    },
    route(`GET ${LIST}`, list),
    route(`GET ${DETAIL}`, read),
    route(`GET ${DETAIL}addons/`, read),
    route(`GET ${DETAIL}addons/:addon/`, read),
    route('POST /abuse/report/collection/', report, {
      rest: {
        body: ({ databaseId }) => ({
          ...NO_VALUES,
          values: new Map([
            ['collection', String(databaseId)],
            ['message', 'x'],
          ]),
        }),
      },
    }),
    {
      ...{ name: 'reportCollection', rule: report },
      graphql: mutationOf('reportCollection', ({ id }: MadeCollection) => ({ collection: { id }, message: 'x' })),
    },
    route(`POST ${LIST}`, list, changing),
    route(`PATCH ${DETAIL}`, change, changing),
    route(`POST ${DETAIL}addons/`, change, changing),
    route(`PATCH ${DETAIL}addons/:addon/`, change, changing),
    mutation('updateCollection', by),
    mutation('addCollectionAddon', withAddon),
    mutation('updateCollectionAddon', withAddon),
    route(`DELETE ${DETAIL}addons/:addon/`, change, { spare }),
    mutation('removeCollectionAddon', withAddon, { spare }),
    route(`DELETE ${DETAIL}`, change, { spare }),
    mutation('removeCollection', by, { spare }),
  ],
};
