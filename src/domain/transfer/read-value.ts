/*
 * Combinators for strict readers of line values. A reader takes a value and its key and returns the stored form. Unknown keys are
 * errors that name the key.
 */
import { MAX_INT4 } from '../../infra/int4.ts';

/** An invalid value: its key (`addon.versions[0].channel`) and what was expected. */
export class LineError extends Error {
  override readonly name = 'LineError';
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }

  /** The message after the key, if there is one. */
  get described(): string {
    return this.key === '' ? this.message : `${this.key}: ${this.message}`;
  }
}

export type Reader<T> = (value: unknown, key: string) => T;

/** Reader of one key of an object. `absent` makes the default; a key without it is required. */
export interface Field<T> {
  read: Reader<T>;
  absent?: () => T;
}

export const required = <T>(read: Reader<T>): Field<T> => ({ read });
export const optional = <T, D>(read: Reader<T>, fallback: D): Field<T | D> => ({ read, absent: () => fallback });

/** A derived key: accepted in any form and ignored. */
export const derived: Field<undefined> = { read: () => undefined, absent: () => undefined };

export type Shape = Readonly<Record<string, Field<unknown>>>;
export type Read<S extends Shape> = { -readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never };

function expected(key: string, what: string): LineError {
  return new LineError(key, `expected ${what}`);
}

/** Reads an object with exactly these keys. */
export function object<S extends Shape>(shape: S): Reader<Read<S>> {
  const fields = Object.entries(shape);
  const known = new Set(Object.keys(shape));
  return (value, key) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(key, 'an object');
    const given = value as Record<string, unknown>;
    for (const name of Object.keys(given)) if (!known.has(name)) throw new LineError(`${key}.${name}`, 'unknown key');
    const result: Record<string, unknown> = {};
    for (const [name, { read, absent }] of fields) {
      if (Object.hasOwn(given, name)) result[name] = read(given[name], `${key}.${name}`);
      else if (absent) result[name] = absent();
      else throw new LineError(`${key}.${name}`, 'missing');
    }
    return result as Read<S>;
  };
}

export function list<T>(read: Reader<T>, max = 10_000): Reader<T[]> {
  return (value, key) => {
    if (!Array.isArray(value)) throw expected(key, 'a list');
    if (value.length > max) throw expected(key, `at most ${max} entries`);
    return value.map((entry, index) => read(entry, `${key}[${index}]`));
  };
}

/** Reads an object with keys among `names` as a list of pairs. */
export function entries<Name extends string, T>(names: readonly Name[], read: Reader<T>): Reader<[Name, T][]> {
  return (value, key) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected(key, 'an object');
    return Object.entries(value).map(([name, entry]) => {
      if (!names.some((known) => known === name)) throw new LineError(`${key}.${name}`, 'unknown key');
      return [name as Name, read(entry, `${key}.${name}`)];
    });
  };
}

export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value, key) => (value === null ? null : read(value, key));
}

export function oneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  const known = new Map<unknown, Word>(words.map((word) => [word, word]));
  const expectedWords = words.map((word) => `"${word}"`).join(words.length === 2 ? ' or ' : ', ');
  return (value, key) => {
    const word = known.get(value);
    if (word === undefined) throw expected(key, words.length === 2 ? expectedWords : `one of ${expectedWords}`);
    return word;
  };
}

// PostgreSQL texts hold neither NUL nor lone surrogates.
function storable(value: string, key: string): string {
  if (value.includes('\0')) throw expected(key, 'text without NUL characters');
  if (!value.isWellFormed()) throw expected(key, 'well-formed Unicode, not half a surrogate pair');
  return value;
}

/** Text of at most the given number of characters, possibly empty. */
export function text(max = 100_000): Reader<string> {
  return (value, key) => {
    if (typeof value !== 'string') throw expected(key, 'text');
    if (value.length > max) throw expected(key, `at most ${max} characters`);
    return storable(value, key);
  };
}

/** Text that passes a test; `what` completes the sentence "expected …". */
export function textLike(isAllowed: (value: string) => boolean, what: string, max = 255): Reader<string> {
  return (value, key) => {
    if (typeof value !== 'string' || value.length > max || !isAllowed(value)) throw expected(key, what);
    return storable(value, key);
  };
}

export const flag: Reader<boolean> = (value, key) => {
  if (typeof value !== 'boolean') throw expected(key, 'true or false');
  return value;
};

/** A whole number within inclusive bounds. */
export function whole(min: number, max: number): Reader<number> {
  return (value, key) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      throw expected(key, `a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** Below the end of the sequences, which continue after the largest id of a file. */
const MAX_ID = 2_000_000_000;

export const id = whole(1, MAX_ID);
export const count = whole(0, MAX_INT4);

/** A finite number: JSON numbers beyond the range of a double are read as infinite. */
export function number(min: number, max: number): Reader<number> {
  return (value, key) => {
    if (typeof value !== 'number' || !(value >= min && value <= max)) {
      throw expected(key, `a number from ${min} to ${max}`);
    }
    return value;
  };
}

const MOMENT = /^([1-9]\d{3})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const DAY = /^([1-9]\d{3})-(\d\d)-(\d\d)$/;

const isDay = ([, year, month, day]: readonly string[]): boolean =>
  new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() >= Number(day) && Number(month) <= 12;

/** A time such as `2018-10-25T09:30:00Z`, in seconds. */
export const moment: Reader<string> = (value, key) => {
  const parts = typeof value === 'string' ? MOMENT.exec(value) : null;
  const time = parts && isDay(parts) ? Date.parse(parts[0]) : Number.NaN;
  if (Number.isNaN(time)) throw expected(key, 'a date such as 2018-10-25T09:30:00Z');
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
};

/** A day such as `2018-10-25`. */
export const day: Reader<string> = (value, key) => {
  const parts = typeof value === 'string' ? DAY.exec(value) : null;
  if (!parts || !isDay(parts) || Number(parts[2]) < 1 || Number(parts[3]) < 1)
    throw expected(key, 'a day such as 2018-10-25');
  return parts[0];
};
