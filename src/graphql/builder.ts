import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import SubGraphPlugin from '@pothos/plugin-sub-graph';
import { GraphQLError } from 'graphql';
import { NotAuthenticatedError, NotFoundError, NotPermittedError } from '../errors.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import { db } from '../infra/db.ts';
import type { UploadedFile } from '../infra/staging/staging.ts';
import type { Context } from './context.ts';
import { DEFAULT_DESCRIPTIONS } from './default-descriptions.ts';
import { FRESH_PAYLOADS } from './fresh-payloads.ts';
import { limitsFor, PAGE_SIZE, queryTooComplex } from './query-cost.ts';
import { noteRefusal } from './refusals.ts';

/**
 * Hides a type, field, argument or input field from clients of `/graphql`: `subGraphs: INTERNAL`. REST operations run
 * in-process on the full schema. Everything without this mark is public.
 */
export const INTERNAL: 'Public'[] = [];

/** The Pothos builder and its plugins. Domain folders declare their types with it. Fields are non-null by default. */
export const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  Context: Context;
  DefaultFieldNullability: false;
  SubGraphs: 'Public';
  Scalars: {
    ID: { Input: string; Output: string | number };
    DateTime: { Input: Date; Output: Date | string };
    Date: { Input: string; Output: string };
    UploadedFile: { Input: Promise<UploadedFile>; Output: never };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [
    ErrorsPlugin,
    ComplexityPlugin,
    RelayPlugin,
    PrismaPlugin,
    DataloaderPlugin,
    SubGraphPlugin,
    DEFAULT_DESCRIPTIONS,
    FRESH_PAYLOADS,
  ],
  subGraphs: { defaultForTypes: ['Public'], fieldsInheritFromTypes: true },
  defaultFieldNullability: false,
  errors: { directResult: true, defaultTypes: [], onResolvedError: noteRefusal },
  complexity: {
    limit: limitsFor,
    complexityError: (kind, { complexity, depth }) => queryTooComplex(kind, complexity, depth),
  },
  relay: {
    clientMutationId: 'omit',
    cursorType: 'String',
    nodesOnConnection: true,
    nodeQueryOptions: {
      nullable: true,
      description:
        'The object with this global id. Null with the error NOT_FOUND if the viewer can see no such object.',
      resolve: (_root, { id }, _context, _info, resolveNode) => requireNode(async () => resolveNode(id)),
    },
    nodesQueryOptions: false,
  },
  prisma: {
    client: db,
    dmmf: getDatamodel(),
    exposeDescriptions: false,
    filterConnectionTotalCount: true,
    defaultConnectionSize: PAGE_SIZE.default,
    maxConnectionSize: PAGE_SIZE.max,
  },
});

/** Builds the fields of an input type. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<typeof builder.$inferSchemaTypes, 'InputObject'>;

/** Builds the fields of an object type. */
export type ObjectFields<Shape> = PothosSchemaTypes.ObjectFieldBuilder<typeof builder.$inferSchemaTypes, Shape>;

/** @throws {NotFoundError} for objects that do not exist, and for those that the viewer may not see. */
async function requireNode(load: () => Promise<unknown>): Promise<unknown> {
  const node = await load().catch((error: unknown) => error);
  // DataLoader returns errors as values.
  if (!(node instanceof Error)) return node ?? hidden();
  const isHidden = [NotAuthenticatedError, NotPermittedError].some((kind) => node instanceof kind);
  // P2025 is Prisma's code for a missing record.
  if (isHidden || (node as { code?: unknown }).code === 'P2025') return hidden();
  throw node;
}

function hidden(): never {
  throw new NotFoundError();
}

builder.queryType();
builder.mutationType();
builder.subscriptionType();

builder.scalarType('DateTime', {
  description: 'A moment in UTC with second precision: 2018-10-25T09:30:00Z.',
  // Text comes from published documents, which hold moments in this form already.
  serialize: (value) => (typeof value === 'string' ? value : formatDate(value)),
  parseValue: (value) => {
    const date = typeof value === 'string' ? readDate(value) : null;
    if (date === null) throw new GraphQLError('A DateTime looks like 2018-10-25T09:30:00Z.');
    return date;
  },
});

builder.scalarType('Date', {
  description: 'A day in UTC: 2018-10-25.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && readDate(`${value}T00:00:00Z`) !== null)
      return value;
    throw new GraphQLError('A Date looks like 2018-10-25.');
  },
});

builder.scalarType('JSON', { description: 'A JSON value.', serialize: (value) => value });

builder.scalarType('UploadedFile', {
  description: 'A file of the GraphQL multipart request.',
  serialize: () => {
    throw new GraphQLError('An uploaded file can only be sent.');
  },
  parseValue: (value) => {
    if (value instanceof Promise) return value as Promise<UploadedFile>;
    throw new GraphQLError('A file is sent as a part of a multipart request, its variable being null.');
  },
  parseLiteral: () => {
    throw new GraphQLError('A file is sent as a part of a multipart request, its variable being null.');
  },
});

const MOMENT = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses an RFC 3339 timestamp in the years 1 to 9999 UTC; null for any other text. */
function readDate(text: string): Date | null {
  const written = text.toUpperCase();
  const day = MOMENT.exec(written)?.[1];
  if (day === undefined) return null;
  // Date parses a day that does not exist as invalid or as a day of the next month.
  const [midnight, date] = [new Date(`${day}T00:00:00Z`), new Date(written)];
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  return /^(?!0000)\d{4}-/.test(date.toISOString()) ? date : null;
}

/** Declares an enum from a table of its values and their descriptions. In the schema, a value is in capitals, with `_` instead of `-` and `.`. */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  table: Readonly<Record<Value, string>>,
  options: { subGraphs?: 'Public'[] } = {},
) {
  const nameOf = (value: string): string => value.toUpperCase().replaceAll(/[-.]/g, '_');
  const values = Object.fromEntries(
    Object.entries<string>(table).map(([value, text]) => [nameOf(value), { value: value as Value, description: text }]),
  );
  return builder.enumType(name, { ...options, description, values });
}

/** Formats a date as in all responses: UTC, whole seconds, `Z`. */
export function formatDate(value: Date): string {
  return `${value.toISOString().slice(0, 19)}Z`;
}
