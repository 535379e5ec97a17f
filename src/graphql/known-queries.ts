/*
 * Queries that need no other look: texts that have been found valid before, as a front end sends the same few again and again
 * with other variables, and the service's own, which are asked for by their hash.
 */
import { type DocumentNode, Kind } from 'graphql';
import { RecentlyUsed } from '../infra/recently-used.ts';
import { persistedDocument } from './persisted-operations.ts';
import { variablesOfCost } from './query-cost.ts';

/** A text that holds one query, and nothing that could be refused but for its variables. */
export interface KnownQuery {
  document: DocumentNode;
  /** Null for a query without a name. */
  name: string | null;
  /** Says of variables whether the query has been answered with others that make it cost the same. */
  cost: KnownCost;
}

/** All texts together, in characters: what is made of them takes about thirty times as much memory. */
const MOST_TEXT = 512 * 1024;
const LONGEST_TEXT = 16 * 1024;

const known = new RecentlyUsed<string, KnownQuery>(MOST_TEXT);

/** The query with exactly this text, if it has been found valid. */
export function knownQuery(text: string): KnownQuery | undefined {
  return known.get(text);
}

/** Keeps a text that has passed validation and the limits of texts; others than single queries, and long ones, are let go. */
export function rememberValid(text: string, document: DocumentNode): void {
  if (text.length > LONGEST_TEXT || known.peek(text) !== undefined) return;
  const query = singleQuery(document);
  if (query !== null) known.set(text, query, text.length);
}

/** The checked-in ones that have been asked for. */
const persisted = new Map<string, KnownQuery>();

/** The checked-in query with this hash. */
export function persistedQuery(hash: string): KnownQuery | undefined {
  const found = persisted.get(hash);
  if (found !== undefined) return found;
  const document = persistedDocument(hash);
  const query = document === null ? null : singleQuery(document);
  if (query !== null) persisted.set(hash, query);
  return query ?? undefined;
}

function singleQuery(document: DocumentNode): KnownQuery | null {
  const [operation, ...others] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0 || operation.operation !== 'query')
    return null;
  return { document, name: operation.name?.value ?? null, cost: new KnownCost(variablesOfCost(document)) };
}

/** How many combinations of variables are kept of one query. */
const MOST_COMBINATIONS = 50;

/** The combinations of variables with which the cost of a query has been counted and was within the limit. */
export class KnownCost {
  readonly #names: readonly string[];
  readonly #allowed = new Set<string>();

  /** `names` are those of the variables that the cost depends on. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  isAllowed(variables: Variables): boolean {
    return this.#allowed.has(this.#keyOf(variables));
  }

  allow(variables: Variables): void {
    if (this.#allowed.size < MOST_COMBINATIONS) this.#allowed.add(this.#keyOf(variables));
  }

  #keyOf(variables: Variables): string {
    return this.#names.length === 0
      ? ''
      : JSON.stringify(this.#names.map((name) => [Object.hasOwn(variables, name), variables[name]]));
  }
}

type Variables = Readonly<Record<string, unknown>>;
