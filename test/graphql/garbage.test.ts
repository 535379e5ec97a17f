import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import {
  buildSchema,
  coerceInputValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import { type Client, exchange } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const { globalId } = await import('../../src/graphql/global-id.ts');

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../schema/schema.graphql'), 'utf8'));

const app = setUpApp();
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

// Nearly every request is refused, and the stack of an error takes longer than the rest.
Error.stackTraceLimit = 0;

let administrator: Client;
/** What the mutations change: new for each of them. */
let subject = { addon: 0, version: 0, account: 0 };

beforeAll(async () => {
  administrator = await tokenHolder(await app.admin());
  await addon({ slug: 'made', guid: 'made@example', tags: ['a'] });
  await addon({ slug: 'theme', type: 'persona', persona: { accentColor: '112233' } });
});

/** The same account with an access token, which is cheaper to check than a one-time token. */
async function tokenHolder({ accountId }: Client): Promise<Client> {
  const { createAccessTokenFor } = await import('../../src/domain/accounts/administration.ts');
  const [{ username = '' } = {}] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', [
    accountId,
  ]);
  return app.client({ token: (await createAccessTokenFor({ username })).token });
}

/** Values sent for text, ids, lists and objects. */
const GARBAGE: unknown[] = [
  '',
  'x'.repeat(4_096),
  'a\0b',
  '\ud800',
  '9'.repeat(400),
  '-1',
  '__proto__',
  "' OR 1=1;--",
  '%_\\',
  ',',
  0,
  -1,
  2_147_483_647,
  -2_147_483_648,
  4_294_967_296,
  1.5,
  1e308,
  true,
  null,
  [],
  [null],
  ['\0', '\ud800', 'x'.repeat(4_096)],
  Array.from({ length: 1_000 }, (_, index) => `a${index}`),
  {},
  { a: 1 },
];

/** Whether graphql-js accepts a value for a type, so that a resolver receives it. */
function isAccepted(type: GraphQLInputType, value: unknown): boolean {
  let accepted = true;
  coerceInputValue(value, type, () => {
    accepted = false;
  });
  return accepted;
}

const refused = new Set<string>();

/** The garbage for a place of a type. What graphql-js refuses, whatever the place, is sent for one place of each type. */
function garbageFor(type: GraphQLInputType): unknown[] {
  const bare = isNonNullType(type) ? type.ofType : type;
  return GARBAGE.filter((value, index) => {
    if (isAccepted(type, value)) return true;
    const key = `${bare} ${index}`;
    if (refused.has(key)) return false;
    refused.add(key);
    return true;
  });
}

type Place = Pick<GraphQLArgument, 'name' | 'type' | 'description'>;

/** A global id of the type that the description of a place names; that of no object for other types. */
function goodId({ description }: Place): string {
  if (/^Global ids? of (?:the|an existing) add-on/.test(description ?? '')) return globalId('Addon', subject.addon);
  if (/^Global id of the version/.test(description ?? '')) return globalId('Version', subject.version);
  if (/^Global ids? of (?:the )?accounts?/.test(description ?? '')) return globalId('Account', subject.account);
  return String(subject.addon);
}

/** A valid value, for the arguments around the garbage. */
function good(place: Place): unknown {
  const { type, name } = place;
  if (isNonNullType(type)) return good({ ...place, type: type.ofType });
  if (isListType(type)) return [good({ ...place, type: type.ofType })];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const required = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, good(field)]));
  }
  const byName: Record<string, unknown> = { ref: 'made', guid: 'made@example' };
  const byType: Record<string, unknown> = { Int: subject.addon, Float: 1, Boolean: true, ID: goodId(place) };
  return type.name === 'String' ? (byName[name] ?? 'made') : (byType[type.name] ?? 'made');
}

/** Values for a place with garbage in one part: in place of the whole value, or of one field at any depth. */
function variants(place: Place): unknown[] {
  const bare = isNonNullType(place.type) ? place.type.ofType : place.type;
  if (!isInputObjectType(bare)) return garbageFor(place.type);
  const base = bare.isOneOf ? {} : (good({ ...place, type: bare }) as Record<string, unknown>);
  const fields = Object.values(bare.getFields());
  return [
    ...garbageFor(place.type),
    ...fields.flatMap((field) => variants(field).map((value) => ({ ...base, [field.name]: value }))),
  ];
}

/** The fields of a type that take no arguments, one level deep. */
function selection(type: unknown): string {
  if (!isObjectType(type)) return isLeafType(type) ? '' : '{ __typename }';
  const leaves = Object.values(type.getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return `{ __typename ${leaves.map(({ name }) => name).join(' ')} }`;
}

/** Selections from the query root to types whose fields take arguments. */
const AROUND: Readonly<Record<string, (field: string) => string>> = {
  Query: (field) => field,
  Addon: (field) => `addon(by: { slug: "made" }) { ${field} }`,
  Localized: (field) => `addon(by: { slug: "made" }) { name { ${field} } }`,
};

type Field = GraphQLField<unknown, unknown>;
const withArguments = (type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter((field) => field.args.length > 0);

/** Maximum number of selections of a field in one operation, below the limit of aliases. */
const TOGETHER = 25;

interface Response {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

/** Sends an operation that selects a field once for each of `values` of one argument, with valid values for the other required ones. */
async function send(
  operation: string,
  around: (field: string) => string,
  field: Field,
  argument: GraphQLArgument,
  values: readonly unknown[],
) {
  const given = field.args.filter((each) => each === argument || isRequiredArgument(each));
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const selected = values.map((value, index) => {
    const passed = given.map((each) => {
      const name = `${each.name}${index}`;
      variables[name] = each === argument ? value : good(each);
      declared.push(`$${name}: ${String(each.type)}`);
      return `${each.name}: $${name}`;
    });
    return `of${index}: ${field.name}(${passed.join(', ')}) ${selection(getNamedType(field.type))}`;
  });
  const query = `${operation}(${declared.join(', ')}) { ${around(selected.join('\n'))} }`;
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json', ...administrator.authorization() };
  return exchange(app.url, 'POST', '/graphql', headers, JSON.stringify({ query, variables }), agent);
}

/** Sends values together, as far as the response of one does not hide that of another. */
async function tryField(operation: string, around: (field: string) => string, field: Field): Promise<void> {
  // An error of one that is not nullable ends the operation. Mutations return theirs.
  const together = operation === 'query' && isNonNullType(field.type) ? 1 : TOGETHER;
  for (const argument of field.args) {
    const [accepted, refusedBefore]: [unknown[], unknown[]] = [[], []];
    for (const value of variants(argument)) (isAccepted(argument.type, value) ? accepted : refusedBefore).push(value);
    for (const values of chunksOf(accepted, together)) {
      await tryValues(operation, around, field, argument, values, (data) => JSON.stringify(data).includes('"of0":'));
    }
    for (const values of chunksOf(refusedBefore, TOGETHER)) {
      await tryValues(operation, around, field, argument, values, (_data, errors) => errors.length >= values.length);
    }
  }
}

const chunksOf = (values: readonly unknown[], size: number): unknown[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));

/** Sends values in one operation, or one by one if its response does not show what happened to each. */
async function tryValues(
  operation: string,
  around: (field: string) => string,
  field: Field,
  argument: GraphQLArgument,
  values: readonly unknown[],
  showsEach: (data: unknown, errors: readonly unknown[]) => boolean,
): Promise<void> {
  const { status, json, text } = await send(operation, around, field, argument, values);
  const { data = null, errors = [] } = json as Response;
  if (values.length > 1 && !showsEach(data, errors)) {
    for (const value of values) await tryValues(operation, around, field, argument, [value], showsEach);
    return;
  }
  const isRefused = errors.every(({ extensions }) => extensions?.code !== 'INTERNAL_SERVER_ERROR');
  if (isRefused && (status === 200 || status === 400)) return;
  const given = values.map((value) => JSON.stringify(value)?.slice(0, 200));
  expect.fail(`${field.name}(${argument.name}: ${given.join(' or ')}): ${status} ${text.slice(0, 400)}`);
}

describe.each(Object.entries(AROUND))('garbage in the arguments of %s', (typeName, around) => {
  const fields = withArguments(schema.getType(typeName) as GraphQLObjectType);
  it.each(fields.map((field) => [field.name, field] as const))('%s', async (_name, field) => {
    await tryField('query', around, field);
  });
});

describe('garbage in the input of a mutation', () => {
  const fields = withArguments(schema.getMutationType() as GraphQLObjectType);
  it.each(fields.map((field) => [field.name, field] as const))('%s', async (_name, field) => {
    const { accountId } = await app.developer();
    const made = await addon({ authors: [Number(accountId)] });
    subject = { addon: made.id, version: made.versions[0]?.id ?? 0, account: Number(accountId) };
    await tryField('mutation', (body) => body, field);
    if (field.name === 'setReadOnly') {
      await administrator.graphql('mutation { setReadOnly(input: { isReadOnly: false }) { __typename } }');
    }
  });
});
