import { z } from 'zod';
import { refusedField } from '../errors.ts';
import { MAX_INT4 } from '../infra/int4.ts';
import { APPLICATION_IDS, APPLICATIONS } from '../package/enums.ts';
import { type Message, message } from '../texts/messages.ts';
import { printable } from '../texts/printable.ts';

/** A declared parameter of a path or a query: how to parse and document it. `raw` is null when it is absent. */
export interface Param<Value> {
  schema: z.ZodType;
  description: string;
  /** API versions without it, where it reads as absent. */
  unknownIn?: readonly string[];
  /** Whether a request without it is refused. */
  required?: true;
  /** Whether it is read only to be refused; the documents leave it out. */
  undocumented?: true;
  parse(raw: string | null, name: string): Value;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type ParamValues<Declared extends Params> = {
  [Name in keyof Declared]: Declared[Name] extends Param<infer Value> ? Value : never;
};

const NUL = '\0';

/** Free text; null when absent. @throws {InvalidInputError} for a NUL, which PostgreSQL cannot store. */
export const text = (description: string): Param<string | null> => ({
  schema: z.string(),
  description,
  parse: (raw, name) => {
    if (raw?.includes(NUL)) throw refusedField(name, message('parameter.nul', { name }));
    return raw;
  },
});

/** Text that is never refused; unknown values have no effect. */
export const label = (description: string): Param<string | null> => ({
  schema: z.string(),
  description,
  parse: (raw) => raw,
});

/** A comma-separated list; null when absent. */
export const names = (description: string): Param<string[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas.`,
  parse: (raw) => raw?.split(',') ?? null,
});

/** A path segment. */
export const segment = (description: string): Param<string> => ({
  schema: z.string(),
  description,
  parse: (raw) => raw ?? '',
});

/** The same parameter, with null for invalid values. */
export const orNull = <Value>(param: Param<Value>): Param<Value | null> => ({
  ...param,
  parse: (raw, name) => {
    try {
      return param.parse(raw, name);
    } catch {
      return null;
    }
  },
});

/** The same parameter without v3. */
export const sinceV4 = <Value>(param: Param<Value>): Param<Value> => ({ ...param, unknownIn: ['v3'] });

/** The language of translated fields. Routes read it from the view. */
export const lang = label('Language of translated fields, which become plain strings.');

/**
 * One of `words`, or one of the `numbers` that older clients send; null when absent.
 * @throws {InvalidInputError} for other values.
 */
export const word = <Value extends string>(
  description: string,
  words: Readonly<Record<string, Value>>,
  numbers: Readonly<Record<string, Value>> = {},
): Param<Value | null> => {
  const known = new Map(Object.entries({ ...numbers, ...words }));
  return {
    schema: z.enum(Object.keys(words)),
    description,
    parse: (raw, name) => {
      const value = raw === null ? null : known.get(raw);
      if (value === undefined) {
        const facts = { name, value: printable(raw ?? ''), words: Object.keys(words).join(', ') };
        throw refusedField(name, message('parameter.not_one_of', facts));
      }
      return value;
    },
  };
};

/** An entry of a list that is not known, and the known ones. */
export interface UnknownEntry {
  name: string;
  value: string;
  words: string;
}

/** The refusal of an unknown entry (contract, 400 body): the documented text, then what was found and what is expected. */
export const unknownEntry = (facts: UnknownEntry): Message => message('parameter.list_not_one_of', { ...facts });

/** A comma-separated list of known words; null when absent. @throws {InvalidInputError} with what `refusal` returns, for other words. */
export const wordList = <Value extends string>(
  description: string,
  words: readonly string[],
  meaningOf: (word: string) => Value | undefined,
  refusal: (facts: UnknownEntry) => Message = unknownEntry,
): Param<Value[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas: ${words.join(', ')}.`,
  parse: (raw, name) => {
    if (raw === null) return null;
    const entries = raw.split(',').map((word) => word.trim());
    const values = entries.map(meaningOf);
    const unknown = values.indexOf(undefined);
    if (unknown === -1) return values as Value[];
    throw refusedField(name, refusal({ name, value: printable(entries[unknown] ?? ''), words: words.join(', ') }));
  },
});

/** The GraphQL enum values of documented words. */
export const enumValues = <Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word, word.toUpperCase()])) as Record<Word, Uppercase<Word>>;

/** An application, by its key or its number (contract, Application keys). */
export const application = word(
  'Application.',
  enumValues(APPLICATIONS),
  Object.fromEntries(APPLICATIONS.map((app) => [APPLICATION_IDS[app].id, enumValues(APPLICATIONS)[app]])),
);

/** The id of a record in the path. Anything but a possible id reads as 0, which no record has. */
export const recordId = (description: string): Param<number> => ({
  schema: z.int().min(0),
  description,
  parse: (raw) => {
    const id = raw !== null && /^\d+$/.test(raw) ? Number(raw) : 0;
    return id <= MAX_INT4 ? id : 0;
  },
});

/** The last value of a parameter; null when it is absent. */
export function lastValue(query: URLSearchParams, name: string): string | null {
  return query.size === 0 ? null : (query.getAll(name).at(-1) ?? null);
}

/**
 * Parses the declared query parameters for an API version. Ignores others, and all but the last of repeated ones.
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
    const raw = param.unknownIn?.includes(apiVersion) ? null : lastValue(query, name);
    read[name] = param.parse(raw, name);
  }
  return read as ParamValues<Declared>;
}

/** Parses the declared segments of a matched path. */
export function readPath<Declared extends Params>(
  declared: Declared,
  parts: Readonly<Record<string, string>>,
): ParamValues<Declared> {
  const read: Record<string, unknown> = {};
  for (const name in declared) read[name] = (declared[name] as Param<unknown>).parse(parts[name] ?? null, name);
  return read as ParamValues<Declared>;
}
