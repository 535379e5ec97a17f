/* How the objects of a kind are made in each state, and what an action needs that its name does not say. */
import { type GraphQLSchema, getNamedType, isLeafType, isObjectType, isRequiredArgument } from 'graphql';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import type { AddonFacts } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import type { Field } from './outcomes.ts';
import type { Outcome } from './read-table.ts';
import type { Role } from './roles.ts';

type Values = Readonly<Record<string, unknown>>;

/** What actions need of an object. */
export interface Made {
  /** Its global id. */
  id?: string;
  /** Global ids of what it belongs to and what belongs to it, by type. */
  nodes?: Readonly<Record<string, string>>;
  /** The parameters in the paths of routes and pages, by name. */
  params?: Readonly<Record<string, string | number>>;
}

/**
 * An action, whose name is in the table: `METHOD /path` of a route, `/path` of a page, a mutation, a field of Query, `node, of a Type` or
 * `Type.field`. Several actions of one route or field differ after a comma. Without anything of the following, a mutation takes the id, a
 * field of Query lists objects, and a field of a type shows the object unless it is null.
 */
export interface Act<M extends Made = Made> {
  /** What the body reader of a route would return, or the values that it would find. */
  body?: (made: M) => unknown;
  values?: (made: M) => Values;
  /** The input of a mutation. */
  input?: (made: M, role: string) => Values;
  /** The arguments of a field of Query, which shows one object then. */
  args?: (made: M, role: string) => Values;
  selection?: string | ((made: M) => string);
  /** Whether the JSON of a route, the value of a field of Query, or that of a field of a type shows the object. */
  isShown?: (value: unknown, made: M) => boolean;
  /** The global id for `node`. */
  idOf?: (made: M) => string;
  /** The fields of types that it covers, as `Type.field`, in addition to its name. */
  covers?: readonly string[];
  /** Roles that may do it change the object for good: each gets another one, in all states or some of them. */
  spare?: true | ((made: M) => boolean);
}

export interface Tools {
  app: TestApp;
  /** The account of a role. */
  idOf(role: Role): number;
  /** The same, or that of a new account that is disabled or deleted, or of an active one. */
  person(who: Role | 'disabled' | 'deleted' | 'active'): Promise<number>;
  /** Adds a row. Returns its id. */
  insert(table: string, columns: Values): Promise<number>;
}

export interface Kind<Facts, M extends Made> {
  kind: string;
  /** What is made in each state; who may do what with it is in test/authorization. */
  states: Readonly<Record<string, Facts>>;
  /** Before the first object. */
  prepare?(tools: Tools): Promise<void>;
  make(facts: Facts, tools: Tools, state: string): Promise<M>;
  /** After the last object. */
  finish?(tools: Tools): Promise<void>;
  /** Another object like one, for an action that changes it for good; by default one that is made in the same way. */
  another?(made: M, tools: Tools, facts: Facts): Promise<M>;
  /** The viewer of a role that depends on the object; null for a state without one. */
  viewerOf?(made: M, role: string): Viewer | null | undefined;
  /** Tried in this order, after those that need nothing: those that change what others depend on come last. */
  acts?: Readonly<Record<string, Act<M>>>;
}

export type AnyKind = Kind<unknown, Made>;

/** Facts and objects of different kinds have nothing in common: each is checked where it is declared. */
export const kind = <Facts, M extends Made = Made>(declared: Kind<Facts, M>): AnyKind => declared as unknown as AnyKind;

/** An id that no row has. */
export const UNKNOWN = 2_000_000_000;

/** The address of every client (RFC 5737). */
export const ADDRESS = '192.0.2.1';

export const PAST = new Date('2020-01-01T00:00:00Z');
export const LATER = new Date(Date.now() + 86_400_000);

/** The states of an add-on that several kinds have. */
const AWAITING = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
export const DISABLED: AddonFacts = { status: 'disabled' };
export const DELETED: AddonFacts = { status: 'deleted', slug: null, deletedAt: PAST };
export const WAITING: AddonFacts = { status: 'nominated', versions: [AWAITING] };
export const UNLISTED: AddonFacts = { status: 'incomplete', versions: [{ channel: 'unlisted' }] };
export const WAITING_UNLISTED: AddonFacts = { status: 'incomplete', versions: [{ ...AWAITING, channel: 'unlisted' }] };

export const toolsOf = (app: TestApp, ids: Readonly<Record<string, number>>): Tools => {
  const insert: Tools['insert'] = async (table, columns) => {
    const names = Object.keys(columns);
    const [row] = await app.sql<{ id?: number }>(
      `INSERT INTO ${table} (${names}) VALUES (${names.map((_name, index) => `$${index + 1}`)}) RETURNING *`,
      Object.values(columns),
    );
    return row?.id ?? 0;
  };
  const idOf = (role: string): number => {
    const id = ids[role];
    if (id === undefined) throw new Error(`There is no account of the role ${role}.`);
    return id;
  };
  const person: Tools['person'] = async (who) => {
    if (who !== 'disabled' && who !== 'deleted' && who !== 'active') return idOf(who);
    const columns = who === 'active' ? {} : { [`${who}_at`]: new Date() };
    return insert('account', { username: `${who}-${Math.random()}`, ...columns });
  };
  return { app, idOf, person, insert };
};

/** The objects of all states. */
export async function makeAll({ states, prepare, make, finish }: AnyKind, tools: Tools): Promise<Record<string, Made>> {
  const objects: Record<string, Made> = {};
  await prepare?.(tools);
  for (const [state, facts] of Object.entries(states)) objects[state] = await make(facts, tools, state);
  await finish?.(tools);
  return objects;
}

/** Whether a value has the object with a global id, once. */
export const hasOnce = (value: unknown, id = ''): boolean => JSON.stringify(value).split(`"${id}"`).length === 2;
export const hasId = (value: unknown, { id }: Made): boolean => hasOnce(value, id);
export const isTrue = (value: unknown): boolean => value === true;

const NO_BODY: readonly string[] = ['GET', 'DELETE'];
const isMethod = (name: string): boolean => /^[A-Z]+ \//.test(name);

/** How an action is tried: by REST, on a page, or as a field of Query or Mutation. */
export interface Trial {
  route?: { name: string; body: (made: Made) => unknown; isShown?: Act['isShown'] };
  page?: string;
  graphql?: Field<Made>;
  /** Whether one operation shows all objects. */
  isList?: true;
}

/** What the type of a field selects when nothing else is said. */
function selectionOf(schema: GraphQLSchema, typeName: string, fieldName: string): string {
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (field === undefined) throw new Error(`There is no field ${typeName}.${fieldName}.`);
  const inner = getNamedType(field.type);
  if (isLeafType(inner)) return '';
  if (inner.name.endsWith('Connection')) return typeName === 'Query' ? '{ nodes { id } }' : '{ totalCount }';
  const parts = isObjectType(inner) ? Object.values(inner.getFields()) : [];
  const leaf = parts.find(({ type: part, args }) => isLeafType(getNamedType(part)) && !args.some(isRequiredArgument));
  return `{ ${parts.some(({ name }) => name === 'id') ? 'id' : (leaf?.name ?? '__typename')} }`;
}

const nodeField = (idOf: (made: Made) => string, type: string, shown: Act['selection'], isShown: Act['isShown']) => ({
  field: 'node',
  args: (made: Made) => ({ id: idOf(made) }),
  selection: (made: Made) => `{ ... on ${type} { shown: ${typeof shown === 'function' ? shown(made) : shown} } }`,
  isShown: (value: unknown, made: Made) => {
    const part = (value as { shown?: unknown } | null)?.shown ?? null;
    return part !== null && (isShown?.(part, made) ?? true);
  },
});

/** How an action is tried, by its name and what else is known about it. */
export function trialOf(schema: GraphQLSchema, name: string, act: Act): Trial {
  const { body, values, input, args, selection, isShown, idOf } = act;
  const [target = '', more = ''] = name.split(', ');
  if (target.startsWith('/')) return { page: target };
  if (isMethod(target)) {
    const found = (made: Made) => ({
      values: new Map(Object.entries(values?.(made) ?? {})),
      isForm: false,
      file: null,
    });
    const hasBody = !NO_BODY.includes(target.split(' ')[0] ?? '');
    return { route: { name: target, body: body ?? (hasBody ? found : () => null), ...(isShown && { isShown }) } };
  }
  const shown = isShown && { isShown };
  if (schema.getMutationType()?.getFields()[target]) {
    const selected = `{ __typename ... on UserError { code } ${selection ?? ''} }`;
    const given = (made: Made, role: string) => ({ input: input?.(made, role) ?? { id: made.id } });
    return { graphql: { field: target, args: given, selection: selected, ...shown } };
  }
  const [type = '', field] = target === 'node' ? [more.split(' ').at(-1), 'id'] : target.split('.');
  if (field !== undefined && !args) {
    const nodeOf = idOf ?? (({ id, nodes }: Made) => nodes?.[type] ?? id ?? '');
    const isRight = /^[A-Z_]+$/.test(more);
    const hasRight = (value: unknown) => (value as string[]).includes(more);
    const selected = selection ?? `${field} ${selectionOf(schema, type, field)}`;
    return { graphql: nodeField(nodeOf, type, selected, isShown ?? (isRight && !selection ? hasRight : undefined)) };
  }
  const queried = field === undefined ? target : 'addon';
  const selected = selection ?? selectionOf(schema, 'Query', queried);
  if (args) return { graphql: { field: queried, args, selection: selected, ...shown } };
  const first = /nodes/.test(String(selected)) ? { first: 100 } : {};
  return {
    isList: true,
    graphql: { field: target, args: () => first, selection: selected, isShown: isShown ?? hasId },
  };
}

/** What an action does for a viewer with objects in the same order. */
export async function outcomesOf(
  { route, page, graphql, isList }: Trial,
  objects: readonly Made[],
  viewer: Viewer,
  role: string,
): Promise<Outcome[]> {
  const { fieldOutcomes, pageOutcome, routeOutcome } = await import('./outcomes.ts');
  if (graphql && isList) {
    let shown: unknown = null;
    const keep = (value: unknown) => {
      shown = value;
      return true;
    };
    const [outcome = 404] = await fieldOutcomes({ ...graphql, isShown: keep }, objects.slice(0, 1), viewer, role);
    if (outcome !== 200) return objects.map(() => outcome);
    return objects.map((made) => (graphql.isShown?.(shown, made) ? 200 : 404));
  }
  if (graphql) return fieldOutcomes(graphql, objects, viewer, role);
  const attempt = async (made: Made): Promise<Outcome> => {
    if (page !== undefined) return pageOutcome(page, made.params ?? {}, viewer);
    const { outcome, json } = await routeOutcome(route?.name ?? '', made.params ?? {}, route?.body(made), viewer);
    return outcome === 200 && route?.isShown && !route.isShown(json, made) ? 404 : outcome;
  };
  return Promise.all(objects.map(attempt));
}

/** The global id of something that does not exist. */
export const unknownId = (type: string): string => globalId(type, UNKNOWN);
