/*
 * One table of what each role may do with an add-on and its newest version in each of their states: every route, field and mutation
 * that takes one. Runs in this process, below HTTP and authentication, which the tables of routes and fields cover.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../src/auth/viewer.ts';
import { startApp, type TestApp } from '../support/app.ts';
import {
  ACCOUNT_ACTIONS,
  ACCOUNT_STATE_NAMES,
  ACCOUNT_STATES,
  type AccountAction,
  type AccountStateName,
  makeAccounts,
  PEOPLE,
  type Person,
} from '../support/authorization/object-accounts.ts';
import { OBJECT_FIELDS } from '../support/authorization/object-fields.ts';
import { OBJECT_MUTATIONS } from '../support/authorization/object-mutations.ts';
import { addressOf, PAGE_ACTIONS, PAGE_STATES, type PageAction } from '../support/authorization/object-pages.ts';
import { REST_ACTIONS } from '../support/authorization/object-routes.ts';
import type { GraphqlAction, Outcome, RestAction, Target } from '../support/authorization/object-rules.ts';
import { ROLES, type Role, STATE_NAMES, STATES, type StateName } from '../support/authorization/object-states.ts';
import { makeObjectWorld, type ObjectWorld } from '../support/authorization/object-world.ts';
import { addon, type MadeAddon } from '../support/factories.ts';

const { contextOf, operationOutcome, routeOutcome } = await import('../support/authorization/outcomes.ts');
const { routes } = await import('../../src/rest/routes/index.ts');
const { pages } = await import('../../src/pages/table.ts');
const { pageFinder } = await import('../support/find-in-table.ts');
const { pageOutcome } = await import('../support/authorization/page-outcome.ts');

const findPage = pageFinder(pages);

let app: TestApp;
let world: ObjectWorld;

beforeAll(async () => {
  app = await startApp();
  world = await makeObjectWorld(app);
});
afterAll(() => app.close());

const GRAPHQL_ACTIONS = [...OBJECT_FIELDS, ...OBJECT_MUTATIONS];

function targetOf(state: StateName, role: Role, made: MadeAddon = world.addons[state]): Target {
  const newest = made.versions.at(-1);
  return {
    ...{ addon: made, facts: STATES[state].facts, world, role },
    ...{ version: newest?.id ?? 0, file: newest?.files[0]?.id ?? 0 },
  };
}

/** A further add-on in this state, for an action that changes it. */
function another(state: StateName): Promise<MadeAddon> {
  const authors = [world.viewers.owner, world.viewers.developer].map((viewer) =>
    viewer.kind === 'account' ? viewer.accountId : 0,
  );
  return addon({ authors, ...STATES[state].facts });
}

async function restOutcome({ name, apiVersion, path, body = null }: RestAction, target: Target): Promise<Outcome> {
  const [method = 'GET'] = name.split(' ');
  const viewer = world.viewers[target.role];
  const { outcome, route } = await routeOutcome({ method, apiVersion, path: path(target), body, viewer });
  expect(route).toBe(name);
  return outcome;
}

const graphqlOutcome = ({ source, variables, isShown }: GraphqlAction, target: Target): Promise<Outcome> =>
  operationOutcome(source, variables(target), world.viewers[target.role], isShown);

type Row = Record<Role, Outcome | undefined>;
type Table = Record<string, Row>;

const rowOf = (of: (role: Role) => Outcome | undefined): Row =>
  Object.fromEntries(ROLES.map((role) => [role, of(role)])) as Row;

/** What is tried in each state. */
type StateAction = Pick<RestAction, 'name' | 'rule' | 'states' | 'needsVersion' | 'consumes'>;

/** The states that an action is tried in. */
const statesOf = ({ states = STATE_NAMES, needsVersion }: StateAction): readonly StateName[] =>
  states.filter((state) => !needsVersion || STATES[state].rights.version !== null);

/** The outcomes of an action for every state and role, and those that the rights say. */
async function tablesOf<Action extends StateAction>(
  action: Action,
  outcomeOf: (action: Action, target: Target) => Promise<Outcome>,
): Promise<{ found: Table; expected: Table }> {
  const states = statesOf(action);
  const tableOf = (of: (state: StateName, role: Role) => Outcome | undefined) =>
    Object.fromEntries(states.map((state) => [state, rowOf((role) => of(state, role))]));
  const expected = tableOf((state, role) => action.rule(STATES[state].rights, role));
  const outcomes = new Map<string, Outcome>();
  for (const role of ROLES) {
    const attempt = async (state: StateName) => {
      const own = action.consumes && expected[state]?.[role] === 200 ? await another(state) : undefined;
      outcomes.set(`${state} ${role}`, await outcomeOf(action, targetOf(state, role, own)));
    };
    // At the same time: their statements are batched, and they change different rows.
    await Promise.all(states.map(attempt));
  }
  return { found: tableOf((state, role) => outcomes.get(`${state} ${role}`)), expected };
}

/** What differs, one line for each state and role. */
function differences(found: Table, expected: Table): string[] {
  return Object.keys(found).flatMap((state) =>
    ROLES.filter((role) => found[state]?.[role] !== expected[state]?.[role]).map(
      (role) => `${state}, ${role}: ${found[state]?.[role]}, not ${expected[state]?.[role]}`,
    ),
  );
}

/** The outcome of a page, without its layout. */
async function outcomeOfPage(action: PageAction, target: Target): Promise<Outcome> {
  const match = findPage(addressOf(action, target));
  expect(match?.row.path).toBe(action.path);
  if (match === null) throw new Error(action.path);
  return pageOutcome(match, contextOf(world.viewers[target.role]));
}

const restTables = new Map<string, Table>();

describe('in every state of its object', () => {
  it('has ten thousand cells', () => {
    const cells = [...REST_ACTIONS, ...GRAPHQL_ACTIONS].reduce(
      (sum, action) => sum + statesOf(action).length * ROLES.length,
      0,
    );
    expect(cells).toBeGreaterThan(10_000);
  });

  it('has every route that takes an add-on, a version or a file', () => {
    const taking = routes.filter(({ path }) => /:(?:addon|guid|file_id)\b/.test(path) && !path.startsWith('/themes'));
    const names = new Set(taking.map(({ method, path }) => `${method} ${path}`));
    expect(REST_ACTIONS.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it.each(REST_ACTIONS)('$name is open to the specified roles', async (action) => {
    const { found, expected } = await tablesOf(action, restOutcome);
    restTables.set(action.name, found);
    expect(differences(found, expected)).toEqual([]);
  });

  it.each(GRAPHQL_ACTIONS)('$name is open to the specified roles, as by REST', async (action) => {
    const { found, expected } = await tablesOf(action, graphqlOutcome);
    expect(differences(found, expected)).toEqual([]);
    for (const name of action.sameAs ?? []) {
      expect({ [name]: differences(found, restTables.get(name) ?? {}) }).toEqual({ [name]: [] });
    }
  });
});

describe('a page of an add-on in every state', () => {
  it.each(PAGE_ACTIONS)('$path is open to the specified roles', async (action) => {
    const { found, expected } = await tablesOf({ ...action, name: action.path, states: PAGE_STATES }, outcomeOfPage);
    expect(differences(found, expected)).toEqual([]);
  });
});

describe('in every state of an account', () => {
  let accounts: Record<AccountStateName, number>;
  beforeAll(async () => {
    accounts = await makeAccounts(app);
  });

  function viewerOf(person: Person, id: number): Viewer {
    if (person !== 'self') return world.viewers[person];
    const via = { scheme: 'bearer', tokenId: 1, signedInAt: new Date() } as const;
    return { kind: 'account', accountId: id, username: 'self', rules: [], via };
  }

  /** An account with the groups of another and without add-ons that are not deleted, which is deleted next. */
  async function spare(like: number): Promise<number> {
    const [row] = await app.sql<{ id: number }>(
      "INSERT INTO account (username) VALUES ('spare-' || gen_random_uuid()) RETURNING id",
    );
    await app.sql(
      'INSERT INTO group_member (group_id, account_id) SELECT group_id, $1 FROM group_member WHERE account_id = $2',
      [row?.id, like],
    );
    return row?.id ?? 0;
  }

  const isDeletable = (state: AccountStateName) =>
    ['administrator', 'official', 'reviewer', 'withoutAddons', 'disabled', 'authorOfDeleted'].includes(state);

  async function outcomeOf(action: AccountAction, state: AccountStateName, person: Person): Promise<Outcome> {
    const isSpent = action.deletes === true && isDeletable(state);
    const id = isSpent ? await spare(accounts[state]) : accounts[state];
    const viewer = viewerOf(person, id);
    if (action.graphql) {
      const { source, variables } = action.graphql;
      const isShown = ({ shown, node }: Record<string, unknown>) =>
        ((node as { shown?: unknown } | null | undefined)?.shown ?? shown ?? null) !== null;
      return operationOutcome(source, variables(id), viewer, isShown);
    }
    const { path = '', body = null } = action.rest ?? {};
    const [method = 'GET'] = action.name.split(' ');
    const address = `/accounts/account/${id}/${path}`;
    return (await routeOutcome({ method, apiVersion: 'v4', path: address, body, viewer })).outcome;
  }

  it.each(ACCOUNT_ACTIONS)('$name is open to the specified people', async (action) => {
    const wrong: string[] = [];
    for (const state of ACCOUNT_STATE_NAMES) {
      // An account that does not exist is not signed in.
      for (const person of PEOPLE.filter((each) => each !== 'self' || ACCOUNT_STATES[state].exists)) {
        const [found, expected] = [await outcomeOf(action, state, person), action.rule(ACCOUNT_STATES[state], person)];
        if (found !== expected) wrong.push(`${state}, ${person}: ${found}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
