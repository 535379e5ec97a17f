import {
  type DocumentNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLOutputType,
  getNullableType,
  isListType,
  visit,
} from 'graphql';

/** What a single request may ask for. `complexity` counts fields, those of lists as often as its variables ask for items. */
export const QUERY_LIMITS = { complexity: 20_000, depth: 10, aliases: 30, directives: 30, tokens: 2_000 } as const;

/** Marks the contexts of operations whose cost is known. */
const KNOWN = Symbol('known');
interface Marked {
  [KNOWN]?: true;
}

/** Lets what runs with a context cost what it does: it is one of our own operations, or has been counted before. */
export function exempt(context: object & Marked): void {
  context[KNOWN] = true;
}

const { complexity, depth } = QUERY_LIMITS;

/** What an operation may cost that runs with this context: nothing is counted where that is known. */
export function limitsFor(context: object & Marked): { complexity?: number; depth?: number } {
  return context[KNOWN] ? {} : { complexity, depth };
}

/** Items of a connection when the query does not say, and the most that one page has. */
export const PAGE_SIZE = { usual: 25, most: 100 } as const;

/** How many items a list is taken to have that is not paged. */
const LIST_LENGTH = 10;

/** The lists inside of connections and pages: their length is that which the field around them was asked for. */
const PAGE_LISTS = new Set(['edges', 'nodes', 'results']);

const SIZE_ARGUMENTS = ['first', 'last', 'pageSize'] as const;

/**
 * What a field costs: one, and its selection once for every item. The size of a page is the one that was asked for, in a
 * literal or in a variable, even where fewer would be answered.
 */
export function fieldComplexity<Context>(
  args: Record<string, unknown>,
  _context: Context,
  field: GraphQLField<unknown, Context, Record<string, unknown>>,
): { field: number; multiplier: number } {
  return { field: 1, multiplier: itemsOf(field, args) };
}

/**
 * The variables that can change what the operations of a document cost: those that give the size of a page, and those that
 * decide whether a field is asked for at all.
 */
export function variablesOfCost(document: DocumentNode): string[] {
  const names = new Set<string>();
  const note = { Variable: ({ name }: { name: { value: string } }) => void names.add(name.value) };
  visit(document, {
    Argument: (argument) => {
      if (SIZE_ARGUMENTS.some((name) => name === argument.name.value)) visit(argument, note);
    },
    Directive: (directive) => void visit(directive, note),
  });
  return [...names];
}

function itemsOf<Context>(
  field: GraphQLField<unknown, Context, Record<string, unknown>>,
  args: Record<string, unknown>,
): number {
  if (PAGE_LISTS.has(field.name)) return 1;
  if (field.args.some(({ name }) => SIZE_ARGUMENTS.some((argument) => argument === name))) {
    const sizes = SIZE_ARGUMENTS.map((argument) => args[argument]).filter((size) => typeof size === 'number');
    return sizes.length === 0 ? PAGE_SIZE.usual : Math.max(1, ...sizes);
  }
  return isList(field.type) ? LIST_LENGTH : 1;
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}

/** The refusal of a query that costs too much or nests too deeply. */
export function queryTooComplex(kind: string, complexity: number, depth: number): GraphQLError {
  const message =
    kind === 'Depth'
      ? `The query is ${depth} levels deep; the limit is ${QUERY_LIMITS.depth}.`
      : `The query costs ${complexity}; the limit is ${QUERY_LIMITS.complexity}. Ask for smaller pages or fewer fields.`;
  return new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });
}
