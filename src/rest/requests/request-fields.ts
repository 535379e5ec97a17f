/* Keys of the requests of the submission API: how each is documented, read and named in the GraphQL input that it becomes. */
import { z } from 'zod';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import { type Message, message } from '../../texts/messages.ts';

/** Refuses the value of a key; `field` is a field of the GraphQL input. Returns undefined, which leaves the field out. */
export type Refuse = (message: Message) => undefined;

/** A key of a request. */
export interface RequestField {
  /** The field of the GraphQL input. */
  field: string;
  schema: z.ZodType;
  /** Converts the value of the request; undefined leaves the field out. */
  read(value: unknown, refuse: Refuse): unknown;
  /** Other names under which the operation's errors refer to it. */
  aliases?: readonly string[];
}

export type RequestFields = Readonly<Record<string, RequestField>>;

/** Messages by field of the GraphQL input. */
export type Faults = Record<string, Message[]>;

/** A request as a GraphQL input. The operation refuses `faults` together with those that it finds itself. */
export interface ReadRequest {
  input: Record<string, unknown>;
  faults: Faults | null;
}

/** Reads the declared keys of a request and ignores others. */
export function readRequest(declared: RequestFields, values: Readonly<Record<string, unknown>>): ReadRequest {
  const input: Record<string, unknown> = {};
  const faults: Faults = {};
  for (const [key, { field, read }] of Object.entries(declared)) {
    if (!Object.hasOwn(values, key) || values[key] === undefined) continue;
    const refuse: Refuse = (message) => {
      faults[field] = [...(faults[field] ?? []), message];
      return undefined;
    };
    const value = read(values[key], refuse);
    if (value !== undefined) input[field] = value;
  }
  return { input, faults: Object.keys(faults).length === 0 ? null : faults };
}

/** The schema of a request, for the OpenAPI documents. */
export function schemaOf(declared: RequestFields, required: readonly string[] = []) {
  const entries = Object.entries(declared).map(([key, { schema }]) => [
    key,
    required.includes(key) ? schema : schema.optional(),
  ]);
  return z.object(Object.fromEntries(entries) as Record<string, z.ZodType>);
}

/** The request's keys by the fields that errors name. */
export function errorFields(declared: RequestFields): Record<string, string> {
  const names = Object.entries(declared).flatMap(([key, { field, aliases = [] }]) =>
    [field, ...aliases].map((name) => [name, key]),
  );
  return Object.fromEntries(names);
}

/** A file of a form among the values of a request. No JSON value is one. */
export class SentFile {
  readonly file: UploadedFile;

  constructor(file: UploadedFile) {
    this.file = file;
  }
}

/** A file that null removes. An empty text is none: clients send it in the place of an absent file. */
export const fileOrNull = (field: string, description: string): RequestField => ({
  field,
  schema: z.null().meta({ description }),
  read: (value, refuse) => {
    if (value === null) return null;
    if (value === '') return undefined;
    if (value instanceof SentFile) return Promise.resolve(value.file);
    return refuse(message('field.not_file'));
  },
});

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NULL = message('field.null');
const NO_STRING = message('field.not_text');
const NO_TEXTS = message('field.not_texts', { form: '{lang-code:value}' });

/** Texts by language as changes; null removes a language. */
export function readTexts(value: unknown, refuse: Refuse): { locale: string; value: string | null }[] | undefined {
  if (value === null) return refuse(NULL);
  if (!isObject(value)) return refuse(NO_TEXTS);
  const texts = Object.entries(value);
  const isText = (text: unknown): text is string | null => text === null || typeof text === 'string';
  if (!texts.every(([, text]) => isText(text))) return refuse(NO_STRING);
  return texts.map(([locale, text]) => ({ locale, value: text as string | null }));
}

/** A translated field: an object of texts by language. */
export const texts = (field: string, description: string): RequestField => ({
  field,
  schema: z.record(z.string(), z.string().nullable()).meta({
    description: `${description} By language; languages that are not named stay, null removes one.`,
  }),
  read: readTexts,
});

export const text = (field: string, description: string): RequestField => ({
  field,
  schema: z.string().meta({ description }),
  read: (value, refuse) => {
    if (value === null) return refuse(NULL);
    return typeof value === 'string' ? value : refuse(NO_STRING);
  },
});

/** A text that null removes. */
export const textOrNull = (field: string, description: string): RequestField => ({
  field,
  schema: z.string().nullable().meta({ description }),
  read: (value, refuse) => (value === null || typeof value === 'string' ? value : refuse(NO_STRING)),
});

export const flag = (field: string, description: string): RequestField => ({
  field,
  schema: z.boolean().meta({ description }),
  read: (value, refuse) => {
    if (value === null) return refuse(NULL);
    return typeof value === 'boolean' ? value : refuse(message('field.not_boolean'));
  },
});

/** A list of texts; undefined after a refusal. */
export function readList(value: unknown, refuse: Refuse): string[] | undefined {
  if (value === null) return refuse(NULL);
  if (!Array.isArray(value)) return refuse(message('field.not_list'));
  return value.every((item) => typeof item === 'string') ? value : refuse(NO_STRING);
}

export const textList = (field: string, description: string): RequestField => ({
  field,
  schema: z.array(z.string()).meta({ description }),
  read: readList,
});
