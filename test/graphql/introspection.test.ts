import {
  buildClientSchema,
  type GraphQLError,
  getIntrospectionQuery,
  type IntrospectionQuery,
  introspectionFromSchema,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { printSorted } from '../../src/graphql/print-schema.ts';
import { setUpApp } from '../support/app.ts';
import { exchange } from '../support/client.ts';

const app = setUpApp();

async function send(query: string) {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' };
  const { status, json, bytes } = await exchange(app.url, 'POST', '/graphql', headers, JSON.stringify({ query }));
  const { errors = [], data } = json as { data?: unknown; errors?: { extensions: { code: string } }[] };
  return { status, data, size: bytes.length, codes: errors.map(({ extensions }) => extensions.code) };
}

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');
const TYPE = 'name description fields { name description args { name description } type { name ofType { name } } }';

describe('introspection', () => {
  it('returns the public schema for the standard query', async () => {
    const { publicSchema } = await import('../../src/graphql/schema.ts');
    const { status, data } = await send(getIntrospectionQuery({ oneOf: true }));
    expect(status).toBe(200);
    expect(printSorted(buildClientSchema(data as IntrospectionQuery))).toBe(printSorted(publicSchema));
  });

  it.each([
    ['aliases', `{ ${repeat(25, (index) => `a${index}: __schema { types { ${TYPE} } }`)} }`],
    [
      'nesting',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
    ],
    [
      'fragments',
      `{ ${repeat(29, () => '...S')} } fragment S on Query { __schema { types { ...T } } } ${repeat(29, (index) => `fragment U${index} on __Type { a${index}: fields { name description } }`)} fragment T on __Type { ${repeat(29, (index) => `...U${index}`)} }`,
    ],
    [
      'wide __type',
      `{ ${repeat(25, (index) => `a${index}: __type(name: "Query") { ...T }`)} } fragment T on __Type { fields { type { ofType { fields { type { ${TYPE} } } } } } }`,
    ],
  ])('refuses %s that resolve more fields than the standard query', async (_what, query) => {
    expect(query.length).toBeLessThan(4_000);
    const { status, codes, size } = await send(query);
    expect(status).toBe(400);
    // Nesting is an error of graphql-js, too many aliases one of the limits of query texts.
    expect(codes.filter((code) => !/^QUERY_TOO_COMPLEX$|^GRAPHQL_VALIDATION_FAILED$/.test(code))).toEqual([]);
    expect(size).toBeLessThan(5_000);
  });

  it('has a limit derived from the fields that the executor resolves', async () => {
    const { publicSchema } = await import('../../src/graphql/schema.ts');
    const { introspectionLimit, INTROSPECTION_FACTOR } = await import('../../src/graphql/introspection.ts');
    const fieldsOf = (value: unknown): number => {
      if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + fieldsOf(item), 0);
      if (typeof value !== 'object' || value === null) return 0;
      return Object.values(value).reduce((sum: number, item) => sum + 1 + fieldsOf(item), 0);
    };
    const options = { inputValueDeprecation: true, schemaDescription: true, oneOf: true };
    const resolved = fieldsOf(introspectionFromSchema(publicSchema, options));
    const limit = introspectionLimit(publicSchema);
    expect(Math.abs(limit / INTROSPECTION_FACTOR - resolved)).toBeLessThan(resolved * 0.01);
  });

  it('is executed for the first request of a query only', async () => {
    const { publicSchema } = await import('../../src/graphql/schema.ts');
    const query = getIntrospectionQuery({ oneOf: true });
    const first = await send(query);
    const readTypes = vi.spyOn(publicSchema, 'getTypeMap');
    const second = await send(query);
    expect(readTypes).not.toHaveBeenCalled();
    readTypes.mockRestore();
    expect([first.status, second]).toEqual([200, first]);
  });

  it('is kept with its JSON by operation, in bounded memory', async () => {
    const { introspectionResult } = await import('../../src/graphql/introspection-results.ts');
    const operationOf = (text: string) => parse(text).definitions[0] as OperationDefinitionNode;
    const once = operationOf('{ __schema { description } }');
    const run = vi.fn(() => ({ data: { once: true } }));
    expect(introspectionResult(once, run).stringify()).toBe('{"data":{"once":true}}');
    expect(introspectionResult(once, run)).toBe(introspectionResult(once, run));
    expect(run).toHaveBeenCalledTimes(1);
    const large = { data: { text: 'x'.repeat(1024 * 1024) } };
    const others = Array.from({ length: 10 }, (_, index) => operationOf(`{ a${index}: __typename }`));
    for (const operation of others) introspectionResult(operation, () => large);
    const again = vi.fn(() => large);
    for (const operation of others.toReversed()) introspectionResult(operation, again);
    expect(again.mock.calls.length).toBeGreaterThan(1);
    expect(again.mock.calls.length).toBeLessThan(10);
  });

  it('has a budget by time for queries that no cache has', async () => {
    const { IntrospectionBudget } = await import('../../src/graphql/introspection-results.ts');
    const budget = new IntrospectionBudget(100);
    const take = (fields: number, now: number) => {
      try {
        budget.take(fields, now);
        return 'taken';
      } catch (error) {
        return (error as GraphQLError).extensions.code;
      }
    };
    expect([take(99, 0), take(51, 0), take(1, 0), take(1, 499), take(1, 501), take(100, 501)]).toEqual([
      ...['taken', 'taken', 'THROTTLED', 'THROTTLED', 'taken', 'THROTTLED'],
    ]);
    expect([take(100, 10_000), take(1, 10_000)]).toEqual(['taken', 'THROTTLED']);
  });

  it('of changed texts gets 429 once the budget is used up, while the standard query comes from the cache', async () => {
    const standard = getIntrospectionQuery({ oneOf: true });
    expect((await send(standard)).status).toBe(200);
    const changed = (index: number) => send(standard.replace('defaultValue', `a${index}: defaultValue`));
    // The budget grows with time, so time stops.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const burst = await Promise.all(Array.from({ length: 30 }, (_, index) => changed(index)));
    const cached = await send(standard);
    const typeName = await send('{ __typename categories { __typename } }');
    clock.mockRestore();
    const refused = burst.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.filter(({ status, codes }) => status !== 429 || codes[0] !== 'THROTTLED')).toEqual([]);
    expect([cached.status, typeName.status]).toEqual([200, 200]);
  });

  it.each([
    ['{ __typename a: __type(name: "Addon") { name } }', true],
    ['query A { __schema { description } }', true],
    ['query A($name: String!) { __type(name: $name) { name } }', false],
    ['{ __typename viewer { id } }', false],
    ['{ ...F } fragment F on Query { __typename }', false],
    ['mutation { __typename }', false],
  ])('is cached if it is all that an operation without variables selects: %s', async (query, isCached) => {
    const { isIntrospection } = await import('../../src/graphql/introspection-results.ts');
    expect(isIntrospection(parse(query).definitions[0] as OperationDefinitionNode)).toBe(isCached);
  });
});
