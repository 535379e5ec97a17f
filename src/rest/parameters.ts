import { z } from 'zod';
import { type InvalidInputError, refusedField } from '../errors.ts';
import type { Application } from '../generated/operations/graphql.ts';
import type { ApiVersion } from './gates.ts';

/** A declared parameter: how it is read and how the OpenAPI document describes it. `raw` is null when it is absent. */
export interface Param<Value> {
  schema: z.ZodType;
  description: string;
  /** API versions without it, where it reads as absent. */
  unknownIn?: readonly ApiVersion[];
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

/**
 * Free text; null when absent.
 * @throws {InvalidInputError} for text that no column can hold.
 */
export const text = (description: string): Param<string | null> => ({
  schema: z.string(),
  description,
  parse: (raw, name) => {
    if (raw?.includes(NUL)) throw invalidParam(name);
    return raw;
  },
});

/** A remark that is never wrong: what is not known is ignored further in. */
export const label = (description: string): Param<string | null> => ({
  schema: z.string(),
  description,
  parse: (raw) => raw,
});

/** Names with commas between them; null when absent. */
export const names = (description: string): Param<string[] | null> => ({
  schema: z.string(),
  description: `${description}, separated by commas.`,
  parse: (raw) => raw?.split(',') ?? null,
});

/** A part of the path; it is always there. */
export const segment = (description: string): Param<string> => ({
  schema: z.string(),
  description,
  parse: (raw) => raw ?? '',
});

/** The same parameter, null for a value that it refuses: what becomes of that is decided elsewhere. */
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

/** The same parameter for v4 and later; v3 does not know it. */
export const sinceV4 = <Value>(param: Param<Value>): Param<Value> => ({ ...param, unknownIn: ['v3'] });

/** The language of translated fields. Every route that has some reads it from the view; none refuses a value. */
export const lang = label('Language of translated fields, which become plain strings.');

/**
 * One of some words, each also under the number that older clients send; null when absent.
 * @throws {InvalidInputError} for any other.
 */
export const word = <Value extends string>(
  description: string,
  words: Readonly<Record<string, Value>>,
  numbers: Readonly<Record<string, Value>> = {},
): Param<Value | null> => ({
  schema: z.enum(Object.keys(words)),
  description,
  parse: (raw, name) => {
    if (raw === null) return null;
    const value = Object.hasOwn(words, raw) ? words[raw] : Object.hasOwn(numbers, raw) ? numbers[raw] : undefined;
    if (value === undefined) throw invalidParam(name);
    return value;
  },
});

/** An application, by its key or its number (contract, Application keys). */
export const application = word<Application>(
  'Application.',
  {
    desktop_browser: 'DESKTOP_BROWSER',
    mobile_browser: 'MOBILE_BROWSER',
    suite_app: 'SUITE_APP',
    mail_client: 'MAIL_CLIENT',
  },
  { 1: 'DESKTOP_BROWSER', 18: 'MAIL_CLIENT', 59: 'SUITE_APP', 61: 'MOBILE_BROWSER' },
);

const MAX_RECORD_ID = 2_147_483_647;

/** The id of a record in the path. What is no number, or beyond every possible id, reads as 0, which no record has. */
export const recordId = (description: string): Param<number> => ({
  schema: z.int().min(0),
  description,
  parse: (raw) => {
    const id = raw !== null && /^\d+$/.test(raw) ? Number(raw) : 0;
    return id <= MAX_RECORD_ID ? id : 0;
  },
});

/** The refusal of a parameter's value, keyed by the parameter (contract, 400 body). */
export function invalidParam(name: string): InvalidInputError {
  const message = `Invalid "${name}" parameter.`;
  return refusedField(name, message);
}

/** The value of a parameter, null when it is absent. Of a repeated one the last counts. */
export function lastValue(query: URLSearchParams, name: string): string | null {
  return query.size === 0 ? null : (query.getAll(name).at(-1) ?? null);
}

/**
 * Reads the declared query parameters; others are ignored, and of a repeated one the last counts.
 * @throws {InvalidInputError} naming the first that cannot be used.
 */
export function readQuery<Declared extends Params>(
  declared: Declared,
  query: URLSearchParams,
  apiVersion: ApiVersion,
): ParamValues<Declared> {
  const read: Record<string, unknown> = {};
  for (const name in declared) {
    const param = declared[name] as Param<unknown>;
    const raw = param.unknownIn?.includes(apiVersion) ? null : lastValue(query, name);
    read[name] = param.parse(raw, name);
  }
  return read as ParamValues<Declared>;
}

/** Reads the declared parts of a path that has matched. */
export function readPath<Declared extends Params>(
  declared: Declared,
  parts: Readonly<Record<string, string>>,
): ParamValues<Declared> {
  const read: Record<string, unknown> = {};
  for (const name in declared) read[name] = (declared[name] as Param<unknown>).parse(parts[name] ?? null, name);
  return read as ParamValues<Declared>;
}
