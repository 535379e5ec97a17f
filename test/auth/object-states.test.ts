/*
 * What each role may do with every object in each of its states: test/authorization has the rows, with every route, field, mutation and
 * page that takes one. Runs in this process, below HTTP and authentication, which authorization.test.ts covers.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../../src/auth/viewer.ts';
import { setUpApp } from '../support/app.ts';
import { type Action, TABLES } from '../support/authorization/all-kinds.ts';
import { coveredBy, UNCOVERED } from '../support/authorization/coverage.ts';
import {
  type Made,
  makeAll,
  outcomesOf,
  type Tools,
  type Trial,
  toolsOf,
  trialOf,
} from '../support/authorization/kinds.ts';
import { makePeople } from '../support/authorization/people.ts';
import type { Outcome } from '../support/authorization/read-table.ts';
import { ROLE_SETS, type RoleRules } from '../support/authorization/roles.ts';
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
function peopleOf(rules: RoleRules): Promise<People> {
  const made = people.get(rules) ?? makePeople(app, rules, rules === ROLE_SETS.people ? '' : `${people.size}-`);
  people.set(rules, made);
  return made;
}

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Roles that also send requests over HTTP. */
const SOME_ROLES = ['anonymous', 'stranger', 'root'] as const;

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
async function statusOf({ name, body }: NonNullable<Trial['route']>, made: Made, viewer: Viewer): Promise<number> {
  const route = routes.find(({ method, path }) => name === `${method} ${path}`);
  if (route === undefined) throw new Error(`There is no route ${name}.`);
  const start = route.outsideApi ? '' : `/api/${route.apiVersions.includes('v4') ? 'v4' : 'v5'}`;
  const sent = { headers: JSON_BODY, body: JSON.stringify(valuesOf(body(made))) };
  const options = ['GET', 'DELETE'].includes(route.method) ? {} : sent;
  const client = await clientOf(viewer);
  return (await client.request(route.method, start + addressOf(route.path, made.params ?? {}), options)).status;
}

describe('the tables', () => {
  it('have at least 69,500 cells', () => {
    const cells = TABLES.flatMap(({ roles, actions }) =>
      actions.map(({ outcomes }) => outcomes.size * Object.keys(roles).length),
    );
    expect(cells.reduce((sum, count) => sum + count)).toBeGreaterThan(69_500);
  });

  it('have every route that takes an add-on, a version or a file', () => {
    const taking = routes.filter(
      ({ path }) => /:(?:addon|guid|file_id)\b/.test(path) && !/^\/(?:themes|accounts)/.test(path),
    );
    const names = [...new Set(taking.map(({ method, path }) => `${method} ${path}`))];
    const tried = TABLES[0]?.actions.map(({ name }) => name).filter((name) => /^[A-Z]+ \//.test(name)) ?? [];
    expect(tried.sort()).toEqual(names.sort());
  });
});

describe.each(TABLES.map((table) => ({ name: table.kind.kind, table })))('$name in every state', ({ table }) => {
  const { kind, roles, actions } = table;
  const trials = new Map(actions.map(({ name, act }) => [name, trialOf(publicSchema, name, act)]));
  let viewers: Record<string, Viewer>;
  let tools: Tools;
  let objects: Record<string, Made>;

  beforeAll(async () => {
    const made = await peopleOf(roles);
    viewers = made.viewers;
    tools = toolsOf(app, made.ids);
    objects = await makeAll(kind, tools);
  });

  /** The object that an action is tried on: another one if the action changes it for good. */
  function objectOf({ act: { spare } }: Action, state: string, expected: Outcome): Made | Promise<Made> {
    const made = objects[state] ?? {};
    if (spare === undefined || expected !== 200 || (spare !== true && !spare(made))) return made;
    const facts = kind.states[state];
    return kind.another ? kind.another(made, tools, facts) : kind.make(facts, tools, state);
  }

  /** The outcomes for a role with the objects of these states; undefined for an object without a viewer of the role. */
  async function outcomesFor(action: Action, role: string): Promise<(Outcome | undefined)[]> {
    const states = [...action.outcomes];
    const made = await Promise.all(states.map(([state, by]) => objectOf(action, state, by[role] ?? 404)));
    const own = made.map((each) => kind.viewerOf?.(each, role));
    const trial = trials.get(action.name) ?? {};
    if (own.every((viewer) => viewer === undefined)) {
      const viewer = viewers[role];
      if (viewer === undefined) throw new Error(`There is no viewer ${role}.`);
      return outcomesOf(trial, made, viewer, role);
    }
    const outcomes: (Outcome | undefined)[] = [];
    for (const [index, viewer] of own.entries()) {
      outcomes.push(viewer ? (await outcomesOf(trial, made.slice(index, index + 1), viewer, role))[0] : undefined);
    }
    return outcomes;
  }

  it('has enough roles', () => {
    expect(Object.keys(roles).length, kind.kind).toBeGreaterThanOrEqual(ENOUGH_ROLES);
  });

  it('has every field whose value differs between viewers of an object', async () => {
    const differing = await viewerDependentFields(publicSchema, table, objects, Object.values(viewers));
    expect([...differing].filter((name) => !covered.has(name) && !explained.includes(name))).toEqual([]);
  });

  it('has the same outcomes over HTTP for some roles and states', async () => {
    const wrong: string[] = [];
    for (const { name, act, outcomes } of actions) {
      const { route } = trials.get(name) ?? {};
      if (route === undefined || route.isShown) continue;
      const states = [...outcomes.keys()];
      for (const state of new Set([states[0], states.at(-1)]) as Set<string>) {
        for (const role of SOME_ROLES) {
          const expected = outcomes.get(state)?.[role];
          // What changes the object for good needs another one.
          if (act.spare && expected === 200) continue;
          const status = await statusOf(route, objects[state] ?? {}, viewers[role] as Viewer);
          // The files of these objects are not stored.
          const isRight = expected === 200 ? status !== 401 && status !== 403 : status === expected;
          if (!isRight) wrong.push(`${name}, ${state}, ${role}: ${status}, not ${expected}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(actions)('$name is open to the specified roles', async (action) => {
    const wrong: string[] = [];
    for (const role of Object.keys(roles)) {
      const outcomes = await outcomesFor(action, role);
      for (const [index, [state, expected]] of [...action.outcomes].entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined || outcome === expected[role]) continue;
        wrong.push(`${state}, ${role}: ${outcome}, not ${expected[role]}`);
      }
    }
    expect(wrong.join('\n')).toBe('');
  });
});
