/*
 * Other words than the contract's neutral ones (setting API_WORDS). Requests may have both; responses, their headers and the OpenAPI
 * documents have the other ones. Nothing else knows them: routes, GraphQL and the database have the contract's words alone.
 */
import type { ServerResponse } from 'node:http';
import { type Config, config } from '../config.ts';
import type { View } from './view.ts';

/** Keys and parameters whose values are applications. */
const OF_APPLICATIONS = new Set(['app', 'application', 'apps', 'compatibility']);

const READ_ONLY_HEADER = 'X-SVC-Read-Only';

type ApiWords = NonNullable<Config['API_WORDS']>;

interface Words {
  /** Other words by those of the contract. */
  written: ReadonlyMap<string, string>;
  /** Words of the contract by the other ones. */
  read: ReadonlyMap<string, string>;
  /** Any word of the contract that has another one. */
  pattern: RegExp;
  /** Differs between two settings. */
  key: string;
}

const compiled = new WeakMap<ApiWords, Words | null>();

function compile(words: ApiWords): Words | null {
  const pairs = Object.entries(words);
  if (pairs.length === 0) return null;
  return {
    written: new Map(pairs),
    read: new Map(pairs.map(([word, other]) => [other, word])),
    pattern: new RegExp(`(?<![\\w-])(?:${pairs.map(([word]) => word).join('|')})(?![\\w-])`, 'g'),
    key: JSON.stringify(pairs),
  };
}

/** The words of this installation; null when they are those of the contract. */
function words(): Words | null {
  const { API_WORDS } = config;
  if (API_WORDS === undefined) return null;
  let known = compiled.get(API_WORDS);
  if (known === undefined) {
    known = compile(API_WORDS);
    compiled.set(API_WORDS, known);
  }
  return known;
}

/** Whether responses have the keys that front ends after the contract read: under v4, where clients use other words. */
export const hasLaterKeys = ({ apiVersion }: View): boolean => words() !== null && /^v4/.test(apiVersion);

/** Names the words, for ETags. */
export const wordsKey = (): string => words()?.key ?? '';

/** Replaces keys of objects, and values below keys whose values are applications. JSON values are at most 64 levels deep. */
function replaced(value: unknown, names: ReadonlyMap<string, string>, key = ''): unknown {
  if (typeof value === 'string') return OF_APPLICATIONS.has(key) ? (names.get(value) ?? value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => replaced(each, names, key));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [names.get(name) ?? name, replaced(each, names, name)]),
  );
}

/** The parameters of a query in words of the contract. */
export function neutralQuery(query: URLSearchParams): URLSearchParams {
  const known = words();
  if (known === null) return query;
  const neutral = [...query].map(([name, value]) => [name, String(replaced(value, known.read, name))]);
  return new URLSearchParams(neutral);
}

/** A parsed JSON body in words of the contract. */
export function neutralBody(body: unknown): unknown {
  const known = words();
  return known === null ? body : replaced(body, known.read);
}

/** The names under which a client may send the parts of a form. */
export function partNames(names: readonly string[]): string[] {
  const known = words();
  return [...names, ...names.flatMap((name) => known?.written.get(name) ?? [])];
}

/** The parts of a form in words of the contract. */
export function neutralForm<Value>(form: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
  const known = words();
  if (known === null) return form;
  return new Map([...form].map(([name, value]) => [known.read.get(name) ?? name, value]));
}

/** A body of a response as JSON. */
export function bodyText(body: unknown): string {
  const known = words();
  return JSON.stringify(known === null ? body : replaced(body, known.written));
}

/** An OpenAPI document with the words of this installation. */
export function documentText(json: string): string {
  const known = words();
  return known === null ? json : json.replaceAll(known.pattern, (word) => known.written.get(word) ?? word);
}

/** Sends the header of read-only mode under its other name. */
export function renameHeaders(response: ServerResponse): void {
  const other = words()?.written.get(READ_ONLY_HEADER);
  const value = response.getHeader(READ_ONLY_HEADER);
  if (other === undefined || value === undefined) return;
  response.removeHeader(READ_ONLY_HEADER);
  response.setHeader(other, value);
  const exposed = String(response.getHeader('Access-Control-Expose-Headers'));
  response.setHeader('Access-Control-Expose-Headers', exposed.replace(READ_ONLY_HEADER, other));
}
