import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  print,
} from 'graphql';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';

/** Results of introspection that are kept, in characters of JSON. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Whether an operation selects nothing but introspection at its root, and takes no variables. */
export function isIntrospection({ operation, selectionSet, variableDefinitions }: OperationDefinitionNode): boolean {
  const isMeta = selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith('__'),
  );
  return isMeta && operation === 'query' && (variableDefinitions ?? []).length === 0;
}

/** A result whose JSON is made already: Yoga calls `stringify` where a result has it. */
export interface SerializedResult extends ExecutionResult {
  stringify(): string;
}

/** Results by `keyOf`. They depend on the operation alone: the schema is the same for all viewers. */
const cache = new SecondChanceCache<string, SerializedResult>(MAX_CHARACTERS);

const keys = new WeakMap<OperationDefinitionNode, string>();

/** The text of an operation and its fragments without name, comments and insignificant whitespace. */
function keyOf(operation: OperationDefinitionNode, document: DocumentNode): string {
  const known = keys.get(operation);
  if (known !== undefined) return known;
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const key = [{ ...operation, name: undefined }, ...fragments].map(print).join('\n');
  keys.set(operation, key);
  return key;
}

/** The kept result of an introspection operation of a document. */
export function cachedIntrospection(
  operation: OperationDefinitionNode,
  document: DocumentNode,
): SerializedResult | undefined {
  return cache.get(keyOf(operation, document));
}

/** Keeps the result of an introspection operation with its JSON, and returns both. */
export function keepIntrospection(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  result: ExecutionResult,
): SerializedResult {
  const key = keyOf(operation, document);
  const json = JSON.stringify(result);
  const serialized = { ...result, stringify: () => json };
  cache.set(key, serialized, json.length + key.length);
  return serialized;
}

/**
 * Bounds the introspection of texts that are not in the cache, because a client can change the text at will. It is counted in
 * fields for the whole process.
 */
export class IntrospectionBudget {
  readonly #perSecond: number;
  #used = 0;
  /** When `#used` was current, in milliseconds. */
  #since = 0;

  constructor(fieldsPerSecond: number) {
    this.#perSecond = fieldsPerSecond;
  }

  /**
   * Takes the fields that an operation resolves, at a time in milliseconds.
   * @throws {GraphQLError} with status 429 while the fields of one second are used up.
   */
  take(fields: number, now: number): void {
    const regained = ((now - this.#since) * this.#perSecond) / 1000;
    [this.#used, this.#since] = [Math.max(0, this.#used - regained), now];
    if (this.#used >= this.#perSecond) throw throttled();
    this.#used += fields;
  }
}

function throttled(): GraphQLError {
  const http = { status: 429, headers: { 'Retry-After': '1' } };
  const message =
    'Too much introspection at this time. Send the standard introspection query, or try again in 1 second.';
  return new GraphQLError(message, { extensions: { code: 'THROTTLED', http } });
}
