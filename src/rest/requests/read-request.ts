/*
 * Requests of the submission API: a zod schema for each key, which documents and reads it. Its output is a field of the GraphQL input
 * that the request becomes. Problems are messages in the parameters of custom issues, or those of the expected type.
 */
import { z } from 'zod';
import { type NamedField, snakeCase } from '../../domain/listing/declared-fields.ts';
import type { FieldMessages } from '../../errors.ts';
import type { UploadedFile } from '../../infra/staging/staging.ts';
import { type Message, message } from '../../texts/messages.ts';

type Issue = z.core.$ZodIssue;

/** A key of a request. */
export interface RequestKey {
  /** The field of the GraphQL input. */
  field: string;
  /** The value, as documented. An output of undefined leaves the field out. */
  schema: z.ZodType;
  /** The schema that reads a value, where it is not the documented one. */
  schemaFor?: (value: unknown) => z.ZodType;
  /** The refusal of values that do not match. Default: by the expected type. */
  refusal?: Message;
  /** Whether the first problem is reported alone. */
  reportsFirst?: true;
  /** Other names under which the operation's errors refer to it. */
  aliases?: readonly string[];
}

export type RequestKeys = Readonly<Record<string, RequestKey>>;

/** A request as a GraphQL input. The operation refuses `faults`, by field of the input, together with those that it finds itself. */
export interface ReadRequest {
  input: Record<string, unknown>;
  faults: FieldMessages | null;
}

/** A file of a form among the values of a request. No JSON value is one. */
export class SentFile {
  readonly file: UploadedFile;

  constructor(file: UploadedFile) {
    this.file = file;
  }
}

/** The refusal of a value of another type than the expected one. */
const OF_TYPE: Readonly<Record<string, Message>> = {
  string: message('field.not_text'),
  boolean: message('field.not_boolean'),
  array: message('field.not_list'),
  record: message('field.not_texts', { form: '{lang-code:value}' }),
};
const NULL = message('field.null');
const INVALID = message('compatibility.invalid_range');

function messageOf(issue: Issue, refusal: Message | undefined): Message {
  if (issue.code === 'custom') return issue.params as Message & typeof issue.params;
  if (issue.code === 'invalid_key') return messageOf(issue.issues[0] as Issue, refusal);
  const ofType = issue.code === 'invalid_type' ? OF_TYPE[issue.expected] : undefined;
  if (refusal !== undefined || ofType === undefined) return refusal ?? INVALID;
  const isEntry = typeof issue.path.at(-1) === 'number';
  return issue.input === null && !isEntry ? NULL : ofType;
}

/** Reads the declared keys of a request and ignores others. */
export function readRequest(declared: RequestKeys, values: Readonly<Record<string, unknown>>): ReadRequest {
  const input: Record<string, unknown> = {};
  const faults: Record<string, readonly Message[]> = {};
  for (const [key, { field, schema, schemaFor, refusal, reportsFirst }] of Object.entries(declared)) {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) continue;
    const { data, error } = (schemaFor?.(value) ?? schema).safeParse(value, { reportInput: true });
    if (error !== undefined) {
      const issues = reportsFirst ? error.issues.slice(0, 1) : error.issues;
      const messages = issues.map((issue) => messageOf(issue, refusal));
      faults[field] = [...new Map(messages.map((each) => [each.code, each])).values()];
    } else if (data !== undefined) input[field] = data instanceof SentFile ? Promise.resolve(data.file) : data;
  }
  return { input, faults: Object.keys(faults).length === 0 ? null : faults };
}

/** The schema of a request, for the OpenAPI documents. */
export function schemaOf(declared: RequestKeys, required: readonly string[] = []) {
  const entries = Object.entries(declared).map(([key, { schema }]) => [
    key,
    required.includes(key) ? schema : schema.optional(),
  ]);
  return z.object(Object.fromEntries(entries) as Record<string, z.ZodType>);
}

/** The request's keys by the fields that errors name. */
export function errorFields(declared: RequestKeys): Record<string, string> {
  const names = Object.entries(declared).flatMap(([key, { field, aliases = [] }]) =>
    [field, ...aliases].map((name) => [name, key]),
  );
  return Object.fromEntries(names);
}

/** Texts by language as changes; null removes a language. */
export const textChanges = z
  .record(z.string(), z.string().nullable())
  .transform((texts) => Object.entries(texts).map(([locale, value]) => ({ locale, value })));

const text = z.string();

/** The value of each kind of declared field. */
const OF_KIND = { texts: textChanges, html: textChanges, text: text.nullable(), flag: z.boolean() };
const BY_LANGUAGE = 'By language; languages that are not named stay, null removes one.';

/** The keys of the fields of a table that v5 has. */
export const declaredKeys = (fields: readonly NamedField[]): RequestKeys =>
  Object.fromEntries(
    fields
      .filter(({ isInV5 }) => isInV5)
      .map(({ name, kind, isTranslated, input = '', isNullable = true }) => {
        const schema = isNullable ? OF_KIND[kind] : text;
        const description = isTranslated ? `${input} ${BY_LANGUAGE}` : input;
        return [snakeCase(name), { field: name, schema: schema.meta({ description }) }];
      }),
  );

/** Keys in alphabetical order. */
export const alphabetical = (keys: RequestKeys): RequestKeys =>
  Object.fromEntries(Object.entries(keys).sort(([one], [other]) => (one < other ? -1 : 1)));
