import { z } from 'zod';
import { InvalidInputError } from '../errors.ts';

/** A declared parameter: how it is read and how the OpenAPI document describes it. `raw` is null when it is absent. */
export interface Param<Value> {
  schema: z.ZodType;
  description: string;
  /** In a path: anything but digits makes it another address. */
  digitsOnly?: true;
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

/** A part of the path; it is always there. */
export const segment = (description: string): Param<string> => ({
  schema: z.string(),
  description,
  parse: (raw) => raw ?? '',
});

const MAX_RECORD_ID = 2_147_483_647;

/** The id of a record in the path. A number beyond every possible id reads as 0, which no record has. */
export const recordId = (description: string): Param<number> => ({
  schema: z.int().min(0),
  description,
  digitsOnly: true,
  parse: (raw) => {
    const id = Number(raw);
    return Number.isSafeInteger(id) && id <= MAX_RECORD_ID ? id : 0;
  },
});

/** The refusal of a parameter's value, keyed by the parameter (contract, 400 body). */
export function invalidParam(name: string): InvalidInputError {
  const message = `Invalid "${name}" parameter.`;
  return new InvalidInputError(message, { [name]: [message] });
}

/**
 * Reads the declared query parameters; others are ignored, and of a repeated one the last counts.
 * @throws {InvalidInputError} naming the first that cannot be used.
 */
export function readQuery<Declared extends Params>(declared: Declared, query: URLSearchParams): ParamValues<Declared> {
  const read = Object.entries(declared).map(([name, param]) => [
    name,
    param.parse(query.getAll(name).at(-1) ?? null, name),
  ]);
  return Object.fromEntries(read);
}

/** Reads the declared parts of a path that has matched. */
export function readPath<Declared extends Params>(
  declared: Declared,
  parts: Readonly<Record<string, string>>,
): ParamValues<Declared> {
  const read = Object.entries(declared).map(([name, param]) => [name, param.parse(parts[name] ?? null, name)]);
  return Object.fromEntries(read);
}
