import { z } from 'zod';
import { refusedField } from '../errors.ts';
import { MAX_INT4 } from '../infra/int4.ts';
import { APPLICATION_IDS, APPLICATIONS } from '../package/enums.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

/** A declared parameter of a path or a query: how to read and document it. */
export interface Param<Value> {
  /** The documented value. */
  schema: z.ZodType;
  description: string;
  /** API versions without it, where it reads as absent. */
  unknownIn?: readonly string[];
  /** Whether a request without it is refused. */
  required?: true;
  /** Whether it is read only to be refused; the documents leave it out. */
  undocumented?: true;
  /** Reads the text of the parameter; null when it is absent. Problems are those of `refuseParam`. */
  read: z.ZodType<Value, string | null>;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type ParamValues<Declared extends Params> = {
  [Name in keyof Declared]: Declared[Name] extends Param<infer Value> ? Value : never;
};

/** The text of a parameter as it was sent; null when it is absent. */
export const sentText = z.string().nullable();

/** The message of a refusal, which may contain the name of the parameter. */
type Refusal = (name: string) => Message;

/** Refuses the text of a parameter. */
export function refuseParam(context: z.RefinementCtx, refusal: Refusal): never {
  context.addIssue({ code: 'custom', params: { refusal } });
  return z.NEVER;
}

/** Reads a parameter. @throws {InvalidInputError} for an invalid value. */
export function readParam<Value>({ read }: Param<Value>, text: string | null, name: string): Value {
  const { data, error } = read.safeParse(text);
  if (error === undefined) return data;
  const [{ params }] = error.issues as unknown as [{ params: { refusal: Refusal } }];
  throw refusedField(name, params.refusal(name));
}

const NUL = '\0';

/** Free text; null when absent. @throws {InvalidInputError} for a NUL, which PostgreSQL cannot store. */
export const textParam = (description: string): Param<string | null> => ({
  schema: z.string(),
  description,
  read: sentText.transform((text, context) =>
    text?.includes(NUL) ? refuseParam(context, (name) => message('parameter.nul', { name })) : text,
  ),
});

/** Text that is never refused; unknown values have no effect. */
export const labelParam = (description: string): Param<string | null> => ({
  schema: z.string(),
  description,
  read: sentText,
});

/** A comma-separated list; null when absent. */
export const namesParam = (description: string): Param<string[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas.`,
  read: sentText.transform((text) => text?.split(',') ?? null),
});

/** True for `true` and `1`. */
export const isTrue = (description: string): Param<boolean> => ({
  schema: z.enum(['true', 'false']),
  description,
  read: sentText.transform((text) => text !== null && /^(?:true|1)$/i.test(text)),
});

/** A path segment. */
export const segmentParam = (description: string): Param<string> => ({
  schema: z.string(),
  description,
  read: sentText.transform((text) => text ?? ''),
});

/** The same parameter, with null for invalid values. */
export const orNull = <Value>(param: Param<Value>): Param<Value | null> => ({
  ...param,
  read: param.read.nullable().catch(null),
});

/** The same parameter without v3. */
export const sinceV4 = <Value>(param: Param<Value>): Param<Value> => ({ ...param, unknownIn: ['v3'] });

/** The language of translated fields. Routes read it from the view. */
export const langParam = labelParam('Language of translated fields, which become plain strings.');

/**
 * One of `words`, or one of the `numbers` that older clients send; null when absent.
 * @throws {InvalidInputError} for other values.
 */
export const wordParam = <Value extends string>(
  description: string,
  words: Readonly<Record<string, Value>>,
  numbers: Readonly<Record<string, Value>> = {},
): Param<Value | null> => {
  const known = new Map(Object.entries({ ...numbers, ...words }));
  return {
    schema: z.enum(Object.keys(words)),
    description,
    read: sentText.transform((text, context) => {
      const value = text === null ? null : known.get(text);
      if (value !== undefined) return value;
      const facts = { value: printable(text ?? ''), words: Object.keys(words).join(', ') };
      return refuseParam(context, (name) => message('parameter.not_one_of', { name, ...facts }));
    }),
  };
};

/** One of these words; null when absent. @throws as `word` does. */
export const oneOf = <const Word extends string>(description: string, words: readonly Word[]): Param<Word | null> =>
  wordParam<Word>(description, Object.fromEntries(words.map((each) => [each, each])) as Record<Word, Word>);

/** An entry of a list that is not known, and the known ones. */
export interface UnknownEntry {
  name: string;
  value: string;
  words: string;
}

/** The refusal of an unknown entry (contract, 400 body): the documented text, then what was found and what is expected. */
const unknownEntry = (facts: UnknownEntry): Message => message('parameter.list_not_one_of', { ...facts });

/** A comma-separated list of known words; null when absent. @throws {InvalidInputError} with what `refusal` returns, for other words. */
export const wordList = <Value extends string>(
  description: string,
  words: readonly string[],
  meaningOf: (word: string) => Value | undefined,
  refusal: (facts: UnknownEntry) => Message = unknownEntry,
): Param<Value[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas: ${words.join(', ')}.`,
  read: sentText.transform((text, context) => {
    if (text === null) return null;
    const entries = text.split(',').map((word) => word.trim());
    const values = entries.map(meaningOf);
    const unknown = values.indexOf(undefined);
    if (unknown === -1) return values as Value[];
    const facts = { value: printable(entries[unknown] ?? ''), words: words.join(', ') };
    return refuseParam(context, (name) => refusal({ name, ...facts }));
  }),
});

/** The GraphQL enum values of documented words. */
export const enumValues = <Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word, word.toUpperCase()])) as Record<Word, Uppercase<Word>>;

/** An application, by its key or its number (contract, Application keys). */
export const applicationParam = wordParam(
  'Application.',
  enumValues(APPLICATIONS),
  Object.fromEntries(APPLICATIONS.map((app) => [APPLICATION_IDS[app].id, enumValues(APPLICATIONS)[app]])),
);

/** The id of a record in the path. Anything but a possible id reads as 0, which no record has. */
export const recordId = (description: string): Param<number> => ({
  schema: z.int().min(0),
  description,
  read: sentText.transform((text) => {
    const id = text !== null && /^\d+$/.test(text) ? Number(text) : 0;
    return id <= MAX_INT4 ? id : 0;
  }),
});

/** The last value of a parameter; null when it is absent. */
export function lastValue(query: URLSearchParams, name: string): string | null {
  return query.size === 0 ? null : (query.getAll(name).at(-1) ?? null);
}

/**
 * Reads the declared query parameters for an API version. Ignores others, and all but the last of repeated ones.
 * @throws {InvalidInputError} for the first invalid value.
 */
export function readQuery<Declared extends Params>(
  declared: Declared,
  query: URLSearchParams,
  apiVersion: string,
): ParamValues<Declared> {
  const read: Record<string, unknown> = {};
  for (const name in declared) {
    const param = declared[name] as Param<unknown>;
    const text = param.unknownIn?.includes(apiVersion) ? null : lastValue(query, name);
    read[name] = readParam(param, text, name);
  }
  return read as ParamValues<Declared>;
}

/** Reads the declared segments of a matched path. */
export function readPath<Declared extends Params>(
  declared: Declared,
  parts: Readonly<Record<string, string>>,
): ParamValues<Declared> {
  const read: Record<string, unknown> = {};
  for (const name in declared) read[name] = readParam(declared[name] as Param<unknown>, parts[name] ?? null, name);
  return read as ParamValues<Declared>;
}
