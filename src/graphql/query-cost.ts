import {
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';

/**
 * Limits of one operation. `complexity` counts fields, those below a list once for each item that the arguments allow. It lets
 * one query fetch 50 whole add-ons, texts in all languages included.
 */
export const QUERY_LIMITS = { complexity: 50_000, depth: 10, aliases: 30, directives: 30, tokens: 2_000 } as const;

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

/** Number of items that the cost of a list without pages is calculated with, unless its field declares another. */
export const LIST_LENGTH = 5;

/** What the extensions of a field declare. */
export interface DeclaredCost {
  /** The cost of the field without its selection. Default: 1. */
  cost?: number;
  /** For a list without pages that may be long: the number of items that its cost is calculated with. */
  items?: number;
}

/** Lists in connections and pages. The arguments of the field above them set their length. */
const PAGE_LISTS = new Set(['edges', 'nodes', 'results']);

/** The arguments that set the length of a list, with the largest value that their fields accept. */
const SIZE_ARGUMENTS = { first: PAGE_SIZE.max, last: PAGE_SIZE.max, pageSize: PAGE_SIZE.max, days: 365 } as const;

/** The cost of a field, for the complexity plugin; a function if arguments change it. */
type FieldCost = Cost | ((args: Record<string, unknown>) => Cost);
interface Cost {
  field: number;
  multiplier: number;
}

/**
 * Sets the cost of each field of a schema: what it declares, and its selection once for each item. Returns the schema. Fields
 * without an argument for a size get constants, because the plugin evaluates all arguments of a field before it calls a function.
 */
export function withFieldCosts(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.extensions = { ...field.extensions, complexity: costOf(field) };
    }
  }
  return schema;
}

function costOf(field: GraphQLField<unknown, unknown>): FieldCost {
  if (PAGE_LISTS.has(field.name)) return { field: 1, multiplier: 1 };
  const { cost = 1, items = LIST_LENGTH } = field.extensions as DeclaredCost;
  const isPage = field.args.some(({ name }) => Object.hasOwn(SIZE_ARGUMENTS, name));
  if (isPage) return (args) => ({ field: cost, multiplier: pageSizeIn(args) });
  return { field: cost, multiplier: isListType(getNullableType(field.type)) ? items : 1 };
}

/** The size that a literal or a variable requests. For larger ones than a field accepts, which it refuses, the largest. */
function pageSizeIn(args: Record<string, unknown>): number {
  const sizes = Object.entries(SIZE_ARGUMENTS).flatMap(([name, largest]) => {
    const size = args[name];
    return typeof size === 'number' ? [Math.min(size, largest)] : [];
  });
  return sizes.length === 0 ? PAGE_SIZE.default : Math.max(1, ...sizes);
}

/** The error for a query that costs too much or nests too deeply. */
export function queryTooComplex(kind: string, complexity: number, depth: number): GraphQLError {
  const message =
    kind === 'Depth'
      ? `The query is ${depth} levels deep; the limit is ${QUERY_LIMITS.depth}.`
      : `The query costs ${complexity}; the limit is ${QUERY_LIMITS.complexity}. Select smaller pages or fewer fields.`;
  return new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });
}
