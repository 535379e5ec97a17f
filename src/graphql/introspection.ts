import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isType,
  isWrappingType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

/** An introspection query may resolve this many times the fields of the standard introspection query of graphql-js. */
export const INTROSPECTION_FACTOR = 1.25;

/** Standard queries whose fields one process resolves in a second for introspection that is not in its cache. */
export const INTROSPECTIONS_PER_SECOND = 4;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The schema elements that an introspection field leads to; none for a field without a selection. */
function elementsOf(field: string, parent: unknown, schema: GraphQLSchema): readonly unknown[] {
  const types = () => Object.values(schema.getTypeMap());
  switch (field) {
    case '__schema':
      return [schema];
    case '__type':
    case 'types':
      return types();
    case 'queryType':
      return [schema.getQueryType()];
    case 'mutationType':
      return [schema.getMutationType()];
    case 'subscriptionType':
      return [schema.getSubscriptionType()];
    case 'directives':
      return schema.getDirectives();
    case 'fields':
      return isObjectType(parent) || isInterfaceType(parent) ? Object.values(parent.getFields()) : [];
    case 'inputFields':
      return isInputObjectType(parent) ? Object.values(parent.getFields()) : [];
    case 'enumValues':
      return isEnumType(parent) ? parent.getValues() : [];
    case 'interfaces':
      return isObjectType(parent) || isInterfaceType(parent) ? parent.getInterfaces() : [];
    case 'possibleTypes':
      return isAbstractType(parent) ? schema.getPossibleTypes(parent) : [];
    case 'ofType':
      return isType(parent) && isWrappingType(parent) ? [parent.ofType] : [];
    case 'args':
      return (parent as { args?: readonly unknown[] }).args ?? [];
    case 'type':
      return [(parent as { type?: unknown }).type];
    default:
      return [];
  }
}

/** Counts the fields that introspection resolves, each selection once for every schema element that it applies to. */
class IntrospectionCost {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #counted = new Map<SelectionSetNode, Map<unknown, number>>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  of({ selectionSet }: OperationDefinitionNode): number {
    return this.#count(selectionSet, null);
  }

  #count(set: SelectionSetNode, element: unknown): number {
    const counts = this.#counted.get(set) ?? new Map<unknown, number>();
    this.#counted.set(set, counts);
    const known = counts.get(element);
    if (known !== undefined) return known;
    // A fragment that spreads itself is another rule's error.
    counts.set(element, 0);
    let total = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD)
        total += this.#countField(selection.name.value, selection.selectionSet, element);
      else if (selection.kind === Kind.INLINE_FRAGMENT) total += this.#count(selection.selectionSet, element);
      else {
        const fragment = this.#fragments.get(selection.name.value);
        total += fragment === undefined ? 0 : this.#count(fragment.selectionSet, element);
      }
    }
    counts.set(element, total);
    return total;
  }

  #countField(name: string, selections: SelectionSetNode | undefined, parent: unknown): number {
    // Fields of the schema itself are counted by the complexity plugin; clients may select __typename everywhere.
    if (parent === null && (!name.startsWith('__') || name === '__typename')) return 0;
    if (selections === undefined) return 1;
    const costs = elementsOf(name, parent, this.#schema).map((each) => this.#count(selections, each));
    return 1 + (name === '__type' ? Math.max(...costs) : costs.reduce((sum, cost) => sum + cost, 0));
  }
}

/** Costs of parsed documents. Only the public schema has clients whose documents are counted. */
const costs = new WeakMap<DocumentNode, number>();

/** Fields that the introspection part of the most expensive operation in a document resolves. */
export function introspectionCost(schema: GraphQLSchema, document: DocumentNode): number {
  const known = costs.get(document);
  if (known !== undefined) return known;
  const counting = new IntrospectionCost(schema, document);
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const cost = Math.max(0, ...operations.map((operation) => counting.of(operation)));
  costs.set(document, cost);
  return cost;
}

const standards = new WeakMap<GraphQLSchema, number>();

/** Fields that the standard introspection query resolves, with everything that it can select. */
export function standardCost(schema: GraphQLSchema): number {
  const known = standards.get(schema);
  if (known !== undefined) return known;
  const options = { specifiedByUrl: true, inputValueDeprecation: true, schemaDescription: true, oneOf: true };
  const cost = introspectionCost(schema, parse(getIntrospectionQuery({ ...options, directiveIsRepeatable: true })));
  standards.set(schema, cost);
  return cost;
}

/** Fields that an introspection query of this schema may resolve. */
export function introspectionLimit(schema: GraphQLSchema): number {
  return Math.ceil(standardCost(schema) * INTROSPECTION_FACTOR);
}

/** A validation rule: refuses documents whose introspection resolves more fields than the limit. */
export const BoundedIntrospectionRule: ValidationRule = (context: ValidationContext) => ({
  Document(document: DocumentNode) {
    const schema = context.getSchema();
    const [cost, limit] = [introspectionCost(schema, document), introspectionLimit(schema)];
    if (cost <= limit) return;
    const message = `The introspection query resolves ${cost} fields; the limit is ${limit}. Send the standard introspection query.`;
    context.reportError(new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } }));
  },
});
