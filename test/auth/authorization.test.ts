import { getNamedType, graphql, isLeafType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type GraphqlCase, MUTATION_TABLE, QUERY_TABLE } from '../support/authorization/graphql-table.ts';
import { PAGE_TABLE, type PageCase } from '../support/authorization/page-table.ts';
import { REST_TABLE, type RestCase } from '../support/authorization/rest-table.ts';
import { STATE_TABLES } from '../support/authorization/state-tables.ts';
import { makeWorld, ROLE_NAMES, type Role, RULES, type World } from '../support/authorization/world.ts';
import { visitorOf } from '../support/pages.ts';

const app = setUpApp();
let world: World;

const { publicSchema: schema } = await import('../../src/execution/schema.ts');
const { routes } = await import('../../src/rest/routes/index.ts');
const { pages } = await import('../../src/pages/table.ts');

beforeAll(async () => {
  world = await makeWorld(app);
});

const REFUSALS = ['NOT_AUTHENTICATED', 'NOT_PERMITTED', 'NOT_FOUND'];

type Kind = 'Query' | 'Mutation';

const fieldsOf = (kind: Kind) => schema.getType(kind) as ReturnType<typeof schema.getMutationType>;

/** The operation that runs one field with all of its arguments. */
function operation(kind: Kind, name: string): string {
  const field = fieldsOf(kind)?.getFields()[name];
  const args = field?.args ?? [];
  const variables = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const values = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const isLeaf = field !== undefined && isLeafType(getNamedType(field.type));
  const selection = isLeaf ? '' : kind === 'Query' ? '{ __typename }' : '{ __typename ... on UserError { code } }';
  const call = args.length === 0 ? name : `${name}(${values})`;
  return `${kind.toLowerCase()}${args.length === 0 ? '' : `(${variables})`} { ${call} ${selection} }`;
}

/** allowed, or the code of the refusal. Input that is invalid counts as allowed. */
async function outcomeOf(
  kind: Kind,
  name: string,
  { isMissing }: GraphqlCase,
  role: Role,
  given: object,
): Promise<string> {
  const takesInput = fieldsOf(kind)
    ?.getFields()
    [name]?.args.some((arg) => arg.name === 'input');
  const { data, errors } = await graphql({
    schema,
    source: operation(kind, name),
    variableValues: takesInput ? { input: given } : { ...given },
    contextValue: { viewer: world.viewers[role], locale: 'en-US', ip: '192.0.2.1', requestId: 'test' },
  });
  const { code = errors?.[0]?.extensions.code } = (data?.[name] ?? {}) as { code?: unknown };
  if (code === undefined && errors !== undefined) throw new Error(`${name}: ${errors[0]?.message}`);
  if (isMissing && code === 'NOT_FOUND') return 'allowed';
  return REFUSALS.includes(String(code)) ? String(code) : 'allowed';
}

function expectedOf({ allowed, refusal, anonymous }: GraphqlCase, role: Role): string {
  if (allowed.includes(role)) return 'allowed';
  return role === 'anonymous' ? (anonymous ?? 'NOT_AUTHENTICATED') : (refusal ?? 'NOT_PERMITTED');
}

async function check(kind: Kind, name: string, cases: readonly GraphqlCase[] = []): Promise<void> {
  expect(cases.length).toBeGreaterThan(0);
  for (const each of cases) {
    const [outcomes, expected]: Record<string, string>[] = [{}, {}];
    // A refusal changes nothing.
    const unchanged = await each.values(world);
    for (const role of ROLE_NAMES) {
      const given = each.allowed.includes(role) ? await each.values(world) : unchanged;
      Object.assign(outcomes ?? {}, { [role]: await outcomeOf(kind, name, each, role, given) });
      Object.assign(expected ?? {}, { [role]: expectedOf(each, role) });
    }
    expect({ state: each.state, ...outcomes }).toEqual({ state: each.state, ...expected });
  }
}

/** Fields that the tables of object states have. */
const OF_OBJECTS = new Set(STATE_TABLES.flatMap(({ actions }) => actions.map(({ name }) => name.split(',')[0])));

const namesOf = (kind: Kind, table: object) =>
  Object.keys(fieldsOf(kind)?.getFields() ?? {}).filter((name) => name in table || !OF_OBJECTS.has(name));

describe('the query field', () => {
  it.each(namesOf('Query', QUERY_TABLE))('%s is open to the listed roles only', async (name) => {
    await check('Query', name, QUERY_TABLE[name]);
  });
});

describe('the mutation', () => {
  it.each(namesOf('Mutation', MUTATION_TABLE))('%s is open to the listed roles only', async (name) => {
    await check('Mutation', name, MUTATION_TABLE[name]);
  });
});

/** allowed, or the status of the refusal. */
async function statusOf(method: string, address: string, role: Role): Promise<'allowed' | number> {
  const options =
    method === 'GET' || method === 'DELETE' ? {} : { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const { status } = await world.clients[role].request(method, address, options);
  expect(status).toBeLessThan(500);
  return [401, 403, 404].includes(status) ? status : 'allowed';
}

function expectedStatus({ allowed, refusal, anonymous }: RestCase, role: Role): 'allowed' | number {
  if (allowed.includes(role)) return 'allowed';
  return role === 'anonymous' ? (anonymous ?? refusal ?? 401) : (refusal ?? 403);
}

describe('the REST route', () => {
  it.each(Object.entries(REST_TABLE))('%s is open to the listed roles only', async (name, cases) => {
    const route = routes.find(({ method, path }) => name === `${method} ${path}`);
    if (route === undefined) throw new Error(`There is no route ${name}.`);
    const start = route.outsideApi ? '' : `/api/${route.apiVersions.includes('v4') ? 'v4' : 'v5'}`;
    for (const each of cases) {
      const outcomes: [Role, unknown][] = [];
      for (const role of ROLE_NAMES) outcomes.push([role, await statusOf(route.method, start + each.address, role)]);
      expect([each.address, outcomes]).toEqual([
        each.address,
        ROLE_NAMES.map((role) => [role, expectedStatus(each, role)]),
      ]);
    }
  });
});

/** Pages whose addresses are those of an add-on are in the table of its states. */
const STAFF_PAGES = pages
  .map(({ path }) => path)
  .filter((path) => /^\/(?:reviewers|moderation|admin)\//.test(path) && !path.includes(':ref'));

function expectedPage({ allowed, refusal, of }: PageCase, role: Role): 'opens' | number {
  if (allowed.includes(role)) return 'opens';
  return role === 'anonymous' ? 303 : (of?.[role] ?? refusal ?? 403);
}

describe('the page', () => {
  let sessions: Record<Role, string>;
  beforeAll(async () => {
    const entries = ROLE_NAMES.map(async (role) => {
      const isAnonymous = RULES[role] === null;
      return [role, isAnonymous ? '' : (await visitorOf(app, world.clients[role])).session] as const;
    });
    sessions = Object.fromEntries(await Promise.all(entries)) as Record<Role, string>;
  });

  /** opens, or the status of the refusal. The way to the next version of the queue is a redirect, too. */
  async function outcomeOfPage(address: string, role: Role): Promise<'opens' | number> {
    const headers = { Accept: 'text/html', Cookie: `addons_session=${sessions[role]}` };
    const response = await fetch(app.url + address, { headers, redirect: 'manual' });
    await response.body?.cancel();
    const isNext = address === '/reviewers/next/' && response.headers.get('location')?.startsWith('/reviewers/');
    return response.status === 200 || isNext ? 'opens' : response.status;
  }

  it.each(STAFF_PAGES)('%s is open to the listed roles only', async (path) => {
    const each = PAGE_TABLE[path];
    if (each === undefined) throw new Error(`${path} has no row.`);
    const address = (await each.address?.(world)) ?? path;
    const found = await Promise.all(
      ROLE_NAMES.map(async (role) => [role, await outcomeOfPage(address, role)] as const),
    );
    const wrong = found.filter(([role, outcome]) => outcome !== expectedPage(each, role));
    expect(wrong.map(([role, outcome]) => [role, outcome, expectedPage(each, role)])).toEqual([]);
  });
});
