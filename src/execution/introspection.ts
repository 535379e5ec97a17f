import {
  BREAK,
  type ExecutionResult,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValidationRule,
} from 'graphql';
import { SecondChanceCache } from '../infra/second-chance-cache.ts';

/** The lists of a type that lead to further types. */
const LISTS = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes']);

/**
 * A validation rule: introspection has no aliases, and no list of fields or types within another one. So it resolves about as many fields
 * as the standard query at most.
 */
export const PlainIntrospectionRule: ValidationRule = (context) => {
  const visited = new Set<string>();
  const arePlain = (selections: readonly SelectionNode[], inList: boolean): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return arePlain(selection.selectionSet.selections, inList);
      const { value: name } = selection.name;
      if (selection.kind === Kind.FIELD) {
        const isList = LISTS.has(name);
        if (selection.alias !== undefined || (inList && isList)) return false;
        return arePlain(selection.selectionSet?.selections ?? [], inList || isList);
      }
      const visit = `${name} ${inList}`;
      if (visited.has(visit)) return true;
      visited.add(visit);
      return arePlain(context.getFragment(name)?.selectionSet.selections ?? [], inList);
    });
  return {
    Field(node) {
      if (!['__schema', '__type'].includes(node.name.value) || arePlain([node], false)) return undefined;
      const message = 'Introspection has no aliases, and no list of fields or types within another one.';
      context.reportError(new GraphQLError(message, { nodes: [node], extensions: { code: 'QUERY_TOO_COMPLEX' } }));
      return BREAK;
    },
  };
};

/** Results of introspection that are cached, in characters of JSON. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** A cached result keeps its document too, which takes about this many times the memory of its text. */
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

/** The result of an introspection operation: the cached one, or that of `run`. */
export function introspectionResult(operation: OperationDefinitionNode, run: () => ExecutionResult): SerializedResult {
  const cached = cache.get(operation);
  if (cached !== undefined) return cached;
  const result = run();
  const json = JSON.stringify(result);
  const serialized = { ...result, stringify: () => json };
  cache.set(operation, serialized, json.length + DOCUMENT_FACTOR * (operation.loc?.source.body.length ?? 0));
  return serialized;
}
