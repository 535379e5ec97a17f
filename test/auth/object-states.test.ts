/*
 * What each role may do with every object in each of its states: one table for each kind, with every route, field, mutation and page
 * that takes one. Runs in this process, below HTTP and authentication, which authorization.test.ts covers.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../src/auth/viewer.ts';
import { setUpApp } from '../support/app.ts';
import { ADDON_ROUTES } from '../support/authorization/addon-actions.ts';
import { coveredBy, UNCOVERED } from '../support/authorization/coverage.ts';
import type { Outcome } from '../support/authorization/outcomes.ts';
import { makePeople } from '../support/authorization/people.ts';
import { PEOPLE_RULES } from '../support/authorization/state-roles.ts';
import { type AnyTable, outcomesOf } from '../support/authorization/state-table.ts';
import { STATE_TABLES } from '../support/authorization/state-tables.ts';
import { viewerDependentFields } from '../support/authorization/viewer-dependent.ts';
import type { Client } from '../support/client.ts';

const { routes } = await import('../../src/rest/routes/index.ts');
const { addressOf } = await import('../support/authorization/outcomes.ts');

const { publicSchema } = await import('../../src/execution/schema.ts');

const ENOUGH_ROLES = 10;
const covered = coveredBy();
const explained = Object.values(UNCOVERED).flat();

const app = setUpApp();

type People = Awaited<ReturnType<typeof makePeople>>;

const people = new Map<object, Promise<People>>();

/** The accounts of roles, which tables with the same ones share. */
function peopleOf(rules: AnyTable['roles']): Promise<People> {
  const made = people.get(rules) ?? makePeople(app, rules, rules === PEOPLE_RULES ? '' : `${people.size}-`);
  people.set(rules, made);
  return made;
}

/** The names of the states that an action is tried in. */
const statesOf = ({ states }: AnyTable, action: AnyTable['actions'][number]): string[] =>
  Object.keys(states).filter((name) => action.states?.(states[name]) ?? true);

const isRoute = (name: string): boolean => /^[A-Z]+ \//.test(name);

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Roles that also send requests over HTTP. */
const SOME_ROLES = ['anonymous', 'stranger', 'root'];

const clients = new Map<Viewer, Promise<Client>>();

/** A client with an access token for the account of a viewer. */
function clientOf(viewer: Viewer): Promise<Client> {
  const open = async () => {
    if (viewer.kind === 'anonymous') return app.anonymous;
    const { createAccessTokenFor } = await import('../../src/domain/accounts/administration.ts');
    return app.client({ token: (await createAccessTokenFor({ username: viewer.username })).token });
  };
  const client = clients.get(viewer) ?? open();
  clients.set(viewer, client);
  return client;
}

/** The values of a body that the reader of a route returned. */
function valuesOf(body: unknown): object {
  const { values = {} } = (body ?? {}) as { values?: object };
  return values instanceof Map ? Object.fromEntries(values) : values;
}

/** The status of a request. */
async function statusOf(
  { name, rest }: AnyTable['actions'][number],
  params: Readonly<Record<string, string | number>>,
  made: unknown,
  viewer: Viewer | undefined,
): Promise<number> {
  const route = routes.find(({ method, path }) => name === `${method} ${path}`);
  if (route === undefined || viewer === undefined) throw new Error(`There is no route ${name}.`);
  const start = route.outsideApi ? '' : `/api/${route.apiVersions.includes('v4') ? 'v4' : 'v5'}`;
  const body = JSON.stringify(valuesOf(rest?.body?.(made)));
  const options = ['GET', 'DELETE'].includes(route.method) ? {} : { headers: JSON_BODY, body };
  const client = await clientOf(viewer);
  return (await client.request(route.method, start + addressOf(route.path, params), options)).status;
}

describe('the tables', () => {
  it('have fifteen thousand cells', () => {
    const cells = STATE_TABLES.flatMap((table) =>
      table.actions.map((action) => statesOf(table, action).length * Object.keys(table.roles).length),
    );
    expect(cells.reduce((sum, count) => sum + count)).toBeGreaterThan(15_000);
  });

  it('have every route that takes an add-on, a version or a file', () => {
    const taking = routes.filter(
      ({ path }) => /:(?:addon|guid|file_id)\b/.test(path) && !/^\/(?:themes|accounts)/.test(path),
    );
    const names = new Set(taking.map(({ method, path }) => `${method} ${path}`));
    expect(ADDON_ROUTES.map(({ name }) => name).sort()).toEqual([...names].sort());
  });
});

describe.each(STATE_TABLES)('$kind in every state', (table) => {
  const { kind, roles, states, make, actions } = table;
  let viewers: Record<string, Viewer>;
  let objects: Record<string, unknown>;
  const found = new Map<string, Map<string, Outcome>>();

  beforeAll(async () => {
    const made = await peopleOf(roles);
    viewers = made.viewers;
    objects = await make(app, made.ids);
  });

  /** The outcomes for a role with the objects of these states; undefined for an object without a viewer of the role. */
  async function outcomesFor(
    action: AnyTable['actions'][number],
    names: readonly string[],
    expected: readonly Outcome[],
    role: string,
  ): Promise<(Outcome | undefined)[]> {
    const made = await Promise.all(
      names.map((state, index) =>
        action.spare && expected[index] === 200 ? action.spare(app, states[state], objects[state]) : objects[state],
      ),
    );
    const own = names.map((state, index) => table.viewerOf?.(made[index], states[state], role));
    if (own.every((viewer) => viewer === undefined)) {
      const viewer = viewers[role];
      if (viewer === undefined) throw new Error(`There is no viewer ${role}.`);
      return outcomesOf(table, action, made, viewer, role);
    }
    const outcomes: (Outcome | undefined)[] = [];
    for (const [index, viewer] of own.entries()) {
      outcomes.push(viewer ? (await outcomesOf(table, action, [made[index]], viewer, role))[0] : undefined);
    }
    return outcomes;
  }

  it('has enough roles', () => {
    expect(Object.keys(roles).length, kind).toBeGreaterThanOrEqual(ENOUGH_ROLES);
  });

  it('has every field whose value differs between viewers of an object', async () => {
    const differing = await viewerDependentFields(publicSchema, table, objects, Object.values(viewers));
    expect([...differing].filter((name) => !covered.has(name) && !explained.includes(name))).toEqual([]);
  });

  it('has the same outcomes over HTTP for some roles and states', async () => {
    const wrong: string[] = [];
    for (const action of actions.filter(({ name, rest }) => isRoute(name) && !rest?.isShown)) {
      const names = statesOf(table, action);
      for (const state of new Set([names[0], names.at(-1)]) as Set<string>) {
        for (const role of SOME_ROLES) {
          const expected = action.rule(states[state], role);
          // What changes the object for good needs another one.
          if (action.spare && expected === 200) continue;
          const viewer = viewers[role];
          const status = await statusOf(action, table.params?.(objects[state]) ?? {}, objects[state], viewer);
          // The files of these objects are not stored.
          const isRight = expected === 200 ? status !== 401 && status !== 403 : status === expected;
          if (!isRight) wrong.push(`${action.name}, ${state}, ${role}: ${status}, not ${expected}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(actions)('$name is open to the specified roles', async (action) => {
    const names = statesOf(table, action);
    const [outcomes, wrong] = [new Map<string, Outcome>(), [] as string[]];
    for (const role of Object.keys(roles)) {
      const expected = names.map((state) => action.rule(states[state], role));
      for (const [index, outcome] of (await outcomesFor(action, names, expected, role)).entries()) {
        if (outcome === undefined) continue;
        const cell = `${names[index]}, ${role}`;
        outcomes.set(cell, outcome);
        if (outcome !== expected[index]) wrong.push(`${cell}: ${outcome}, not ${expected[index]}`);
        for (const other of action.sameAs ?? []) {
          const byRest = found.get(other)?.get(cell);
          if (outcome !== byRest) wrong.push(`${cell}: ${outcome}, but ${byRest} by ${other}`);
        }
      }
    }
    found.set(action.name, outcomes);
    expect(wrong.join('\n')).toBe('');
  });
});
