/*
 * What one of our own queries asks for, worked out once and not with every request: which fields of which types there are,
 * and the functions behind them (GraphQL, sections 6.3.2 and 6.4.1). `run-plan.ts` runs it.
 */
import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';

export type Values = Readonly<Record<string, unknown>>;

/** How the values of a field become part of an answer. */
export type Shape = { nullable: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType }
  | { kind: 'list'; item: Shape }
  | { kind: 'object'; type: GraphQLObjectType; fields: readonly PlannedField[] }
);

/** A field that is part of an answer. */
export interface PlannedField {
  /** Its name in the answer, and that in its type. */
  key: string;
  name: string;
  /** Where the operation asks for it; several selections may. */
  nodes: readonly FieldNode[];
  parentType: GraphQLObjectType;
  returnType: GraphQLOutputType;
  resolve: GraphQLFieldResolver<unknown, unknown>;
  /** The values of its arguments; a function where variables decide about them. */
  args: Values | ((variables: Values) => Values);
  shape: Shape;
}

/** A query as it is run. */
export interface Plan {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  fragments: Record<string, FragmentDefinitionNode>;
  shape: Shape & { kind: 'object' };
}

/** The plans of one query, by the values of the variables that decide which of its fields there are. */
export class Plans {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: Record<string, FragmentDefinitionNode> = {};
  readonly #deciding: readonly string[];
  /** One for each combination of a few booleans. */
  readonly #plans = new Map<string, Plan | null>();

  constructor(schema: GraphQLSchema, operation: OperationDefinitionNode, document: DocumentNode) {
    this.#schema = schema;
    this.#operation = operation;
    for (const part of document.definitions) {
      if (part.kind === Kind.FRAGMENT_DEFINITION) this.#fragments[part.name.value] = part;
    }
    this.#deciding = decidingVariables(document);
  }

  /** The plan for these variables; null where the type of a field is known only when there is a value. */
  for(variables: Values): Plan | null {
    const key = this.#deciding.map((name) => variables[name]).join();
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = this.#make(variables);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  #make(variables: Values): Plan | null {
    const type = this.#schema.getQueryType();
    if (type == null) return null;
    const planning: Planning = { schema: this.#schema, fragments: this.#fragments, variables };
    const fields = planFields(planning, type, [this.#operation.selectionSet]);
    if (fields === null) return null;
    const shape = { kind: 'object', type, fields, nullable: false } as const;
    return { schema: this.#schema, operation: this.#operation, fragments: this.#fragments, shape };
  }
}

interface Planning {
  schema: GraphQLSchema;
  fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  variables: Values;
}

/** The variables in the conditions of @skip and @include. */
function decidingVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

function planFields(
  planning: Planning,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): PlannedField[] | null {
  const found = new Map<string, FieldNode[]>();
  const seen = new Set<string>();
  for (const { selections: all } of selections) collect(planning, type, all, found, seen);
  const fields: PlannedField[] = [];
  for (const [key, nodes] of found) {
    const field = planField(planning, type, key, nodes);
    if (field === null) return null;
    fields.push(field);
  }
  return fields;
}

/** Finds the fields of an object in some selections, by their names in the answer, in the order of the answer. */
function collect(
  planning: Planning,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  found: Map<string, FieldNode[]>,
  seen: Set<string>,
): void {
  for (const node of selections) {
    if (!isIncluded(planning, node)) continue;
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      const others = found.get(key);
      if (others === undefined) found.set(key, [node]);
      else others.push(node);
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : unseenFragment(planning, node.name.value, seen);
    if (fragment !== undefined && appliesTo(planning, fragment.typeCondition?.name.value, type)) {
      collect(planning, type, fragment.selectionSet.selections, found, seen);
    }
  }
}

function isIncluded({ variables }: Planning, node: SelectionNode): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
}

function unseenFragment({ fragments }: Planning, name: string, seen: Set<string>): FragmentDefinitionNode | undefined {
  if (seen.has(name)) return undefined;
  seen.add(name);
  return fragments[name];
}

function appliesTo({ schema }: Planning, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

function planField(
  planning: Planning,
  parentType: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): PlannedField | null {
  const name = nodes[0]?.name.value ?? '';
  const field = name === TypeNameMetaFieldDef.name ? typeNameOf(parentType) : parentType.getFields()[name];
  if (field === undefined) return null;
  const shape = planShape(planning, field.type, nodes);
  if (shape === null) return null;
  const { resolve = defaultFieldResolver, type: returnType } = field;
  return { key, name, nodes, parentType, returnType, resolve, args: planArgs(field, nodes), shape };
}

/** `__typename`, the one field that every type has. */
function typeNameOf({ name }: GraphQLObjectType): GraphQLField<unknown, unknown> {
  return { ...TypeNameMetaFieldDef, resolve: () => name };
}

function planArgs(field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[]): PlannedField['args'] {
  const [node] = nodes;
  if (node === undefined || field.args.length === 0) return {};
  let isVariable = false;
  for (const argument of node.arguments ?? []) {
    visit(argument, {
      Variable: () => {
        isVariable = true;
      },
    });
  }
  return isVariable
    ? (variables) => getArgumentValues(field, node, variables as Record<string, unknown>)
    : getArgumentValues(field, node, {});
}

function planShape(planning: Planning, type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape | null {
  if (isNonNullType(type)) {
    const shape = planShape(planning, type.ofType, nodes);
    return shape && { ...shape, nullable: false };
  }
  if (isLeafType(type)) return { kind: 'leaf', type, nullable: true };
  if (isListType(type)) {
    const item = planShape(planning, type.ofType, nodes);
    return item && { kind: 'list', item, nullable: true };
  }
  if (!isObjectType(type)) return null;
  const selections = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = planFields(planning, type, selections);
  return fields && { kind: 'object', type, fields, nullable: true };
}
