import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { printSorted } from '../../src/execution/print-schema.ts';
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
    const { publicSchema } = await import('../../src/execution/schema.ts');
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
    ['lists in lists', '{ __schema { types { fields { type { fields { name } } } } } }'],
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

  it('is executed for the first request of a query only', async () => {
    const { publicSchema } = await import('../../src/execution/schema.ts');
    const query = getIntrospectionQuery({ oneOf: true });
    const first = await send(query);
    const readTypes = vi.spyOn(publicSchema, 'getTypeMap');
    const second = await send(query);
    expect(readTypes).not.toHaveBeenCalled();
    readTypes.mockRestore();
    expect([first.status, second]).toEqual([200, first]);
  });

  it('is cached with its JSON by operation, in bounded memory', async () => {
    const { introspectionResult } = await import('../../src/execution/introspection.ts');
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

  it.each([
    ['{ __typename a: __type(name: "Addon") { name } }', true],
    ['query A { __schema { description } }', true],
    ['query A($name: String!) { __type(name: $name) { name } }', false],
    ['{ __typename viewer { id } }', false],
    ['{ ...F } fragment F on Query { __typename }', false],
    ['mutation { __typename }', false],
  ])('is cached if it is all that an operation without variables selects: %s', async (query, isCached) => {
    const { isIntrospection } = await import('../../src/execution/introspection.ts');
    expect(isIntrospection(parse(query).definitions[0] as OperationDefinitionNode)).toBe(isCached);
  });
});
