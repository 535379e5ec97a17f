/* Who may use what no object of a kind is needed for: “the service” of test/authorization. Routes and pages over HTTP. */
import { getNamedType, graphql, isLeafType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { TABLES } from '../support/authorization/all-kinds.ts';
import { SERVICE } from '../support/authorization/coverage.ts';
import { ROLE_SETS } from '../support/authorization/roles.ts';
import { ADDRESSES, ARGUMENTS, INPUTS } from '../support/authorization/service-requests.ts';
import { makeWorld, STAFF_ROLES, type StaffRole, type World } from '../support/authorization/world.ts';
import { visitorOf } from '../support/pages.ts';

const app = setUpApp();
let world: World;

const { publicSchema: schema } = await import('../../src/execution/schema.ts');
const { routes } = await import('../../src/rest/routes/index.ts');
const { pages } = await import('../../src/pages/table.ts');

beforeAll(async () => {
  world = await makeWorld(app);
});

/** A state, and what each role gets. */
type Row = [state: string, outcomes: Readonly<Record<string, number>>];

/** The rows of an action. @throws {Error} without one. */
function rowsOf(name: string): Row[] {
  const rows = [...(SERVICE.actions.get(name) ?? [])];
  if (rows.length === 0) throw new Error(`${name} has no row.`);
  return rows;
}

/** What the requests of an action have, which may depend on the state. */
const given = <Value>(all: Readonly<Record<string, Value>>, name: string, state: string): Value | undefined =>
  all[`${name}, ${state}`] ?? all[name];

/** Expects the outcomes of a row for each role. */
async function check([state, expected]: Row, outcomeOf: (role: StaffRole) => Promise<number>): Promise<void> {
  const outcomes: Record<string, number> = {};
  for (const role of STAFF_ROLES) outcomes[role] = await outcomeOf(role);
  expect({ state, ...outcomes }).toEqual({ state, ...expected });
}

type Root = 'Query' | 'Mutation';

const fieldsOf = (root: Root) => (schema.getType(root) as ReturnType<typeof schema.getMutationType>)?.getFields() ?? {};

/** The operation that runs one field with all of its arguments. */
function operation(root: Root, name: string): string {
  const field = fieldsOf(root)[name];
  const args = field?.args ?? [];
  const variables = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const values = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const isLeaf = field !== undefined && isLeafType(getNamedType(field.type));
  const selection = isLeaf ? '' : root === 'Query' ? '{ __typename }' : '{ __typename ... on UserError { code } }';
  const call = args.length === 0 ? name : `${name}(${values})`;
  return `${root.toLowerCase()}${args.length === 0 ? '' : `(${variables})`} { ${call} ${selection} }`;
}

const STATUS: Readonly<Record<string, number>> = { NOT_AUTHENTICATED: 401, NOT_PERMITTED: 403, NOT_FOUND: 404 };

/** The refusal, or 200. Input that is invalid counts as allowed. */
async function outcomeOfField(root: Root, name: string, role: StaffRole, values: object): Promise<number> {
  const takesInput = fieldsOf(root)[name]?.args.some((arg) => arg.name === 'input');
  const { data, errors } = await graphql({
    schema,
    source: operation(root, name),
    variableValues: takesInput ? { input: values } : { ...values },
    contextValue: { viewer: world.viewers[role], locale: 'en-US', ip: '192.0.2.1', requestId: 'test' },
  });
  const { code = errors?.[0]?.extensions.code } = (data?.[name] ?? {}) as { code?: unknown };
  if (code === undefined && errors !== undefined) throw new Error(`${name}: ${errors[0]?.message}`);
  return STATUS[String(code)] ?? 200;
}

async function checkField(root: Root, name: string): Promise<void> {
  const all = root === 'Query' ? ARGUMENTS : INPUTS;
  for (const row of rowsOf(name)) {
    const make = async () => (await given(all, name, row[0])?.(world)) ?? {};
    // A refusal changes nothing.
    const unchanged = await make();
    await check(row, async (role) => outcomeOfField(root, name, role, row[1][role] === 200 ? await make() : unchanged));
  }
}

/** Fields that the tables of object states have. */
const OF_OBJECTS = new Set(TABLES.flatMap(({ actions }) => actions.map(({ name }) => name.split(',')[0])));

const namesOf = (root: Root) =>
  Object.keys(fieldsOf(root)).filter((name) => SERVICE.actions.has(name) || !OF_OBJECTS.has(name));

describe('the query field', () => {
  it.each(namesOf('Query'))('%s is open to the listed roles only', (name) => checkField('Query', name));
});

describe('the mutation', () => {
  it.each(namesOf('Mutation'))('%s is open to the listed roles only', (name) => checkField('Mutation', name));
});

/** The status of the refusal, or 200. */
async function statusOf(method: string, address: string, role: StaffRole): Promise<number> {
  const options =
    method === 'GET' || method === 'DELETE' ? {} : { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const { status } = await world.clients[role].request(method, address, options);
  expect(status).toBeLessThan(500);
  return [401, 403, 404].includes(status) ? status : 200;
}

describe('the REST route', () => {
  const names = [...SERVICE.actions.keys()].filter((name) => /^[A-Z]+ \//.test(name));

  it.each(names)('%s is open to the listed roles only', async (name) => {
    const route = routes.find(({ method, path }) => name === `${method} ${path}`);
    if (route === undefined) throw new Error(`There is no route ${name}.`);
    const start = route.outsideApi ? '' : `/api/${route.apiVersions.includes('v4') ? 'v4' : 'v5'}`;
    for (const row of rowsOf(name)) {
      const address = start + ((await given(ADDRESSES, name, row[0])?.(world)) ?? route.path);
      await check(row, (role) => statusOf(route.method, address, role));
    }
  });
});

/** Pages whose addresses are those of an add-on are in the table of its states. */
const STAFF_PAGES = pages
  .map(({ path }) => path)
  .filter((path) => /^\/(?:reviewers|moderation|admin)\//.test(path) && !path.includes(':ref'));

describe('the page', () => {
  let sessions: Record<StaffRole, string>;
  beforeAll(async () => {
    const entries = STAFF_ROLES.map(async (role) => {
      const isAnonymous = ROLE_SETS.staff[role] === null;
      return [role, isAnonymous ? '' : (await visitorOf(app, world.clients[role])).session] as const;
    });
    sessions = Object.fromEntries(await Promise.all(entries)) as Record<StaffRole, string>;
  });

  /**
   * The status: 200 if it opens, 401 for the way to the sign-in. The way to the next version of the queue is a redirect, too, and so is
   * that to the first page that administrators of one part may open.
   */
  async function outcomeOfPage(address: string, role: StaffRole): Promise<number> {
    const headers = { Accept: 'text/html', Cookie: `addons_session=${sessions[role]}` };
    const response = await fetch(app.url + address, { headers, redirect: 'manual' });
    await response.body?.cancel();
    const isNext = address === '/reviewers/next/' && response.headers.get('location')?.startsWith('/reviewers/');
    if (isNext) return 200;
    return response.status === 303 && role === 'anonymous' ? 401 : response.status;
  }

  it.each(STAFF_PAGES)('%s is open to the listed roles only', async (path) => {
    for (const row of rowsOf(path)) {
      const address = (await ADDRESSES[path]?.(world)) ?? path;
      const found = await Promise.all(
        STAFF_ROLES.map(async (role) => [role, await outcomeOfPage(address, role)] as const),
      );
      expect(Object.fromEntries(found)).toEqual(row[1]);
    }
  });

  it('has no row without a page', () => {
    const rows = [...SERVICE.actions.keys()].filter((name) => name.startsWith('/'));
    expect(rows.filter((path) => !STAFF_PAGES.includes(path))).toEqual([]);
  });
});
