import fc from 'fast-check';
import {
  buildSchema,
  execute,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/graphql/context.ts';
import { Plans } from '../../src/graphql/plan.ts';
import { runPlan } from '../../src/graphql/run-plan.ts';

/** A schema with every kind of field that a query of ours may have, and some that fail. */
function shelfSchema(): GraphQLSchema {
  const schema = buildSchema(`
    enum Color { RED GREEN }
    scalar JSON
    input Wish { color: Color = GREEN most: Int }
    interface Named { name: String! }
    type Book implements Named {
      name: String! pages: Int color: Color! tags: [String!]! lines: [[Int]!] next: Book later: Book! after: [Book!]
      said(word: String = "silence", wish: Wish): String! notes: JSON self: Named broken: Int wrong: Int! lost: [Book!]
    }
    type Query { book(name: String!): Book! books: [Book]! first: Book hidden: Book }
  `);
  const colors = schema.getType('Color') as unknown as { getValue(name: string): { value: unknown } };
  for (const name of ['RED', 'GREEN']) colors.getValue(name).value = name.toLowerCase();
  const book = (name: string): object => ({
    name,
    pages: name.length,
    color: name.length % 2 === 0 ? 'red' : Promise.resolve('green'),
    tags: [name, Promise.resolve('late')],
    lines: [[1, null], [], [Promise.resolve(3)]],
    next: () => (name.length > 3 ? null : book(`${name}+`)),
    later: async () => book(`${name}~`),
    after: async () => [book('x'), book('yy')],
    said: ({ word, wish }: { word: string; wish?: { color: string; most?: number } }) =>
      `${word} ${JSON.stringify(wish)}`,
    notes: { [name]: [name] },
    self: { __typename: 'Book', name },
    broken: () => Promise.reject(new Error(`${name} is broken`)),
    wrong: null,
    lost: () => [book('x'), new Error('one is lost')],
  });
  const fields = (schema.getType('Query') as GraphQLObjectType).getFields();
  const resolve = (name: string, value: (args: { name: string }) => unknown) => {
    const field = fields[name];
    if (field !== undefined) field.resolve = (_root, args) => value(args as { name: string });
  };
  resolve('book', async ({ name }) => book(name));
  resolve('books', () => [book('a'), null, Promise.resolve(book('b'))]);
  resolve('first', () => book('a'));
  resolve('hidden', () => undefined);
  return schema;
}

const schema = shelfSchema();
const context = {} as Context;

/** What the plan of a query gives, and what the executor of `graphql` gives for it. */
async function bothWays(text: string, inputs: Record<string, unknown>) {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('no operation');
  const { coerced = {} } = getVariableValues(schema, operation.variableDefinitions ?? [], inputs);
  const plan = new Plans(schema, operation, document).for(coerced);
  const planned = plan && (await runPlan(plan, coerced, context).catch((error: Error) => error));
  const { data, errors = [] } = await execute({ schema, document, variableValues: inputs, contextValue: context });
  return { planned, data, errors: errors.map(({ message }) => message) };
}

const condition = fc.constantFrom('', '', '', ' @skip(if: $some)', ' @include(if: $some)', ' @include(if: $other)');
const leaf = fc.constantFrom(
  'name',
  'pages',
  'color',
  'tags',
  'lines',
  'notes',
  '__typename',
  'alias: name',
  'said(word: $word)',
  'b: said(word: "w", wish: {color: RED, most: $most})',
  'c: said(wish: $wish)',
);
const failing = fc.constantFrom('broken', 'wrong', 'lost { name }');

/** Selections on a book; `rare` fields fail. */
const { selection } = fc.letrec<{ selection: string; field: string }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: fc.tuple(leaf, condition).map(([field, when]) => field + when) },
    { weight: 1, arbitrary: fc.constant('...Shown') },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom('next', 'later', 'after', '...', '... on Book', '... on Named'),
          condition,
          tie('selection'),
        )
        .filter(
          ([name, , inner]) => name !== '... on Named' || /^\{ (name|__typename|alias: name)[^a-z]*\}$/.test(inner),
        )
        .map(([name, when, inner]) => `${name}${when} ${inner}`),
    },
  ),
  selection: fc.array(tie('field'), { minLength: 1, maxLength: 6 }).map((fields) => `{ ${fields.join(' ')} }`),
}));

const queryOf = (...selections: string[]) => `
  query ($some: Boolean!, $other: Boolean = true, $word: String, $wish: Wish, $most: Int, $name: String = "Name") {
    book(name: $name) ${selections[0]} books ${selections[1]} first ${selections[2]} hidden ${selections[2]}
    used: book(name: "used") { a: said(word: $word) b: said(wish: {most: $most}) c: said(wish: $wish) }
    ...All @include(if: $other) ... @skip(if: $some) { first { name } }
  }
  fragment All on Query { first { pages ...Shown } }
  fragment Shown on Book { name said(word: $word) later { name @skip(if: $some) color } }`;

const inputs = fc.record(
  {
    some: fc.boolean(),
    other: fc.boolean(),
    word: fc.option(fc.string()),
    wish: fc.option(fc.record({ color: fc.constantFrom('RED', 'GREEN'), most: fc.integer({ max: 9, min: 0 }) })),
    most: fc.option(fc.nat(9)),
    name: fc.string(),
  },
  { requiredKeys: ['some'] },
);

describe('the plan of a query', () => {
  it('gives the data that the executor of the library gives, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(selection, selection, selection, inputs, async (one, two, three, given) => {
        const { planned, data, errors } = await bothWays(queryOf(one, two, three), given);
        expect(errors).toEqual([]);
        expect(JSON.stringify(planned)).toBe(JSON.stringify(data));
      }),
      { numRuns: 300 },
    );
  });

  it('ends with an error that the executor of the library tells of', async () => {
    await fc.assert(
      fc.asyncProperty(selection, failing, inputs, async (one, wrong, given) => {
        const { planned, errors } = await bothWays(queryOf(one, `{ name ${wrong} }`, one), given);
        expect(planned).toBeInstanceOf(Error);
        expect(errors).toContain((planned as Error).message);
      }),
    );
  });

  it('is not made where the type of a field is known only when there is a value', async () => {
    const { planned, data } = await bothWays('{ first { self { name } } }', {});
    expect(planned).toBeNull();
    expect(data).toEqual({ first: { self: { name: 'a' } } });
  });
});
