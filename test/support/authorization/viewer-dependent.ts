/* Finds the fields of an object that not all viewers of the object get, by comparing what they get. */
import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { Table } from './all-kinds.ts';
import { coveredBy } from './coverage.ts';
import { type Made, trialOf } from './kinds.ts';

const NODES = coveredBy();

/** How many objects below the node are selected. */
const DEPTH = 2;

type Value = Record<string, unknown>;

const isConnection = ({ name }: GraphQLObjectType) => name.endsWith('Connection');

/** How many fields of the node one operation selects. Statements of more would wait too long for a connection on a slow machine. */
const FIELDS = 20;

/**
 * The fields of a type without required arguments, with what they select. Of a type with a row for its own nodes, the id: its fields
 * are compared where its row is.
 */
function partsOf(type: GraphQLObjectType, depth: number): string[] {
  return Object.values(type.getFields()).flatMap(({ name, args, type: fieldType }) => {
    const inner = getNamedType(fieldType);
    if (args.some(isRequiredArgument)) return [];
    if (isLeafType(inner)) return [name];
    if (!isObjectType(inner)) return [`${name} { __typename }`];
    if (NODES.has(`node, of a ${inner.name}`)) return [`${name} { __typename id }`];
    if (depth === 0) return [`${name} { __typename }`];
    return [`${name} ${selectionOf(inner, isConnection(inner) || isConnection(type) ? depth : depth - 1)}`];
  });
}

const selectionOf = (type: GraphQLObjectType, depth: number): string =>
  `{ __typename ${partsOf(type, depth).join(' ')} }`;

/** Adds the fields in which two results for one object differ, as `Type.field`. Pages of a list count as its field, `owner`. */
function compare(schema: GraphQLSchema, one: Value, other: Value, found: Set<string>, owner = ''): void {
  const type = schema.getType(String(one.__typename));
  if (!isObjectType(type)) return;
  for (const [name, value] of Object.entries(one)) {
    const field = type.getFields()[name];
    if (field === undefined) continue;
    const place = /(?:Connection|Edge|PageInfo)$/.test(type.name) ? owner : `${type.name}.${name}`;
    const fieldType = isNonNullType(field.type) ? field.type.ofType : field.type;
    const [values, others] = isListType(fieldType)
      ? [(value ?? []) as unknown[], (other[name] ?? []) as unknown[]]
      : [[value], [other[name]]];
    const isSame = values.length === others.length && (value === null) === (other[name] === null);
    if (!isSame) found.add(place);
    for (const [index, each] of isSame ? values.entries() : []) {
      const another = others[index];
      const areObjects = typeof each === 'object' && typeof another === 'object' && each !== null && another !== null;
      // Another object, such as the newest that the viewer sees.
      if (areObjects && (each as Value).id !== (another as Value).id) found.add(place);
      else if (areObjects && '__typename' in each) compare(schema, each as Value, another as Value, found, place);
      else if (JSON.stringify(each) !== JSON.stringify(another)) found.add(place);
    }
  }
}

/** How many objects of a type are looked at. */
const OBJECTS = 5;

/** Global ids of some objects of a table and of what belongs to them, of each type that an action selects as a node. */
function nodeIds(schema: GraphQLSchema, { actions }: Table, objects: Readonly<Record<string, Made>>) {
  const ids = actions.flatMap(({ name, act, outcomes }) => {
    const { graphql } = trialOf(schema, name, act);
    if (graphql?.field !== 'node') return [];
    return [...outcomes.keys()].map((state) => String(graphql.args(objects[state] ?? {}, '').id));
  });
  return [...Map.groupBy(new Set(ids), typeOf)].map(([type, all]): [string, string[]] => {
    const step = Math.max(1, Math.floor(all.length / OBJECTS));
    return [type, all.filter((_id, index) => index % step === 0).slice(0, OBJECTS)];
  });
}

const typeOf = (id: string): string => Buffer.from(id, 'base64').toString().split(':')[0] ?? '';

const chunksOf = (parts: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(parts.length / FIELDS) }, (_, index) =>
    parts.slice(index * FIELDS, (index + 1) * FIELDS),
  );

/** The fields that viewers of the same object get differently, as `Type.field`. */
export async function viewerDependentFields(
  schema: GraphQLSchema,
  table: Table,
  objects: Readonly<Record<string, Made>>,
  viewers: readonly Viewer[],
): Promise<Set<string>> {
  const { run } = await import('./outcomes.ts');
  const found = new Set<string>();
  for (const [name, ids] of nodeIds(schema, table, objects)) {
    const type = schema.getType(name);
    if (!isObjectType(type)) throw new Error(`There is no object type ${name}.`);
    const sources = sourcesOf(type, ids);
    const results = ids.map((): Value[] => []);
    for (const viewer of viewers) {
      const parts = ids.map((): (Value | null)[] => []);
      for (const source of sources) {
        const { data } = await run(source, {}, viewer);
        for (const index of ids.keys()) parts[index]?.push(data?.[`of${index}`] as Value | null);
      }
      for (const [index, nodes] of parts.entries()) {
        if (nodes.every((node) => node)) results[index]?.push(Object.assign({}, ...nodes));
      }
    }
    for (const [first, ...others] of results) {
      for (const other of others) if (first) compare(schema, first, other, found);
    }
  }
  return found;
}

/** Operations that select all fields of nodes, with the same statements for all of them. */
const sourcesOf = (type: GraphQLObjectType, ids: readonly string[]): string[] =>
  chunksOf(partsOf(type, DEPTH)).map((parts) => {
    const selection = `{ ... on ${type.name} { __typename ${parts.join(' ')} } }`;
    return `{ ${ids.map((id, index) => `of${index}: node(id: ${JSON.stringify(id)}) ${selection}`).join('\n')} }`;
  });
