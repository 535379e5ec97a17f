import { GraphQLError, type GraphQLField, type GraphQLOutputType, getNullableType, isListType } from 'graphql';

/**
 * Limits of one operation. `complexity` counts fields, those below a list once for each item that the arguments allow. It lets
 * one query fetch 50 whole add-ons, texts in all languages included.
 */
export const QUERY_LIMITS = { complexity: 50_000, depth: 10, aliases: 30, directives: 30, tokens: 2_000 } as const;

/** Maximum size of a request body in bytes. A file in a multipart request has its own limit. */
export const BODY_LIMIT_BYTES = 256 * 1024;

/** Maximum size of a response body in bytes. */
export const RESPONSE_LIMIT_BYTES = 5 * 1024 * 1024;

/** Marks the contexts of operations without limits. */
const UNLIMITED = Symbol('unlimited');
interface Marked {
  [UNLIMITED]?: true;
}

/** Exempts the operation that runs with this context from the limits, because it is part of this program. */
export function exempt(context: object & Marked): void {
  context[UNLIMITED] = true;
}

const { complexity, depth } = QUERY_LIMITS;

/** The limits of an operation that runs with this context; none if it is exempt. */
export function limitsFor(context: object & Marked): { complexity?: number; depth?: number } {
  return context[UNLIMITED] ? {} : { complexity, depth };
}

/** Default and maximum number of items of a page. */
export const PAGE_SIZE = { default: 25, max: 100 } as const;

/** Number of items that the cost of a list without pages is calculated with. */
const LIST_LENGTH = 5;

/** Lists in connections and pages. The arguments of the field above them set their length. */
const PAGE_LISTS = new Set(['edges', 'nodes', 'results']);

const SIZE_ARGUMENTS = ['first', 'last', 'pageSize'] as const;

/**
 * The cost of a field: 1, and its selection once for each item. For a page, the number of items is the size that a literal or
 * a variable requests, even if it is above the maximum.
 */
export function fieldComplexity<Context>(
  args: Record<string, unknown>,
  _context: Context,
  field: GraphQLField<unknown, Context, Record<string, unknown>>,
): { field: number; multiplier: number } {
  return { field: 1, multiplier: itemsOf(field, args) };
}

function itemsOf<Context>(
  field: GraphQLField<unknown, Context, Record<string, unknown>>,
  args: Record<string, unknown>,
): number {
  if (PAGE_LISTS.has(field.name)) return 1;
  if (field.args.some(({ name }) => SIZE_ARGUMENTS.some((argument) => argument === name))) {
    const sizes = SIZE_ARGUMENTS.map((argument) => args[argument]).filter((size) => typeof size === 'number');
    return sizes.length === 0 ? PAGE_SIZE.default : Math.max(1, ...sizes);
  }
  return isList(field.type) ? LIST_LENGTH : 1;
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}

/** The error for a query that costs too much or nests too deeply. */
export function queryTooComplex(kind: string, complexity: number, depth: number): GraphQLError {
  const message =
    kind === 'Depth'
      ? `The query is ${depth} levels deep; the limit is ${QUERY_LIMITS.depth}.`
      : `The query costs ${complexity}; the limit is ${QUERY_LIMITS.complexity}. Select smaller pages or fewer fields.`;
  return new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });
}
