import { type ExecutionResult, GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';

/** Results of introspection that are kept, in characters of JSON. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** A kept result keeps its document too, which takes about this many times the memory of its text. */
const DOCUMENT_FACTOR = 30;

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

/**
 * The results of introspection operations of cached documents, with their JSON. They depend on the operation alone: the schema is the
 * same for all viewers.
 */
const cache = new SecondChanceCache<OperationDefinitionNode, SerializedResult>(MAX_CHARACTERS);

/** The result of an introspection operation: the kept one, or that of `run`. */
export function introspectionResult(operation: OperationDefinitionNode, run: () => ExecutionResult): SerializedResult {
  const kept = cache.get(operation);
  if (kept !== undefined) return kept;
  const result = run();
  const json = JSON.stringify(result);
  const serialized = { ...result, stringify: () => json };
  cache.set(operation, serialized, json.length + DOCUMENT_FACTOR * (operation.loc?.source.body.length ?? 0));
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
