/* A table of what each role may do with an object of one kind in each of its states. */
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { TestApp } from '../app.ts';
import type { Field, Outcome } from './outcomes.ts';
import type { RoleRules } from './people.ts';

/** Who may do something with an object of these facts. Written from the contract, never recorded from the program. */
export type StateRule<Facts, Role extends string> = (facts: Facts, role: Role) => Outcome;

/** A route, a field or a page, and how it names an object. */
export interface StateAction<Facts, Role extends string, Made> {
  /** `METHOD path` of the route table, the field, or the path of the page. Several entries with one of them differ after a comma. */
  name: string;
  rule: StateRule<Facts, Role>;
  /** The states that it is tried in; all by default. */
  states?: (facts: Facts) => boolean;
  /** The fields of types that it covers, as `Type.field`. */
  covers?: readonly string[];
  /** What the body reader of the route would return, and whether the JSON of a response shows the object. */
  rest?: { body?: (made: Made) => unknown; isShown?: (json: unknown, made: Made) => boolean };
  graphql?: Field<Made>;
  page?: true;
  /** Whether one operation shows all objects. */
  isList?: true;
  /** A further object for roles that may do it, which they change for good. */
  spare?: (app: TestApp, facts: Facts, made: Made) => Promise<Made>;
  /** Actions on the same object by REST, which must have the same outcome in every state and for every role. */
  sameAs?: readonly string[];
}

export interface StateTable<Facts, Role extends string, Made> {
  kind: string;
  /** The permission rules of each role. */
  roles: RoleRules<Role>;
  states: Readonly<Record<string, Facts>>;
  /** Makes the object of each state. `ids` are the accounts of the roles. */
  make(app: TestApp, ids: Record<Role, number>): Promise<Record<string, Made>>;
  /** The parameters in the paths of routes and pages, by name. */
  params?: (made: Made) => Readonly<Record<string, string | number>>;
  /** The viewer of a role that depends on the object; null for a state without one. */
  viewerOf?: (made: Made, facts: Facts, role: Role) => Viewer | null | undefined;
  /** Tried in this order: those that change what others depend on come last. */
  actions: readonly StateAction<Facts, Role, Made>[];
}

/** A table of any kind. */
export type AnyTable = StateTable<unknown, string, unknown>;

/** What an action does for a viewer with objects in the same order. */
export async function outcomesOf(
  { params }: AnyTable,
  action: AnyTable['actions'][number],
  objects: readonly unknown[],
  viewer: Viewer,
  role: string,
): Promise<Outcome[]> {
  const { name, rest, graphql, isList, page } = action;
  const { fieldOutcomes, pageOutcome, routeOutcome } = await import('./outcomes.ts');
  if (graphql && isList) {
    let shown: unknown = null;
    const isShown = (value: unknown) => {
      shown = value;
      return true;
    };
    const [outcome = 404] = await fieldOutcomes({ ...graphql, isShown }, objects.slice(0, 1), viewer, role);
    if (outcome !== 200) return objects.map(() => outcome);
    return objects.map((made) => (graphql.isShown?.(shown, made) ? 200 : 404));
  }
  if (graphql) return fieldOutcomes(graphql, objects, viewer, role);
  const [route = ''] = name.split(',');
  const attempt = async (made: unknown): Promise<Outcome> => {
    const values = params?.(made) ?? {};
    if (page) return pageOutcome(route, values, viewer);
    const { outcome, json } = await routeOutcome(route, values, rest?.body?.(made) ?? null, viewer);
    return outcome === 200 && rest?.isShown && !rest.isShown(json, made) ? 404 : outcome;
  };
  return Promise.all(objects.map(attempt));
}

/** A mutation with this input. */
export const mutationOf = <Made>(
  field: string,
  input: (made: Made, role: string) => object,
  payload = '',
): Field<Made> => ({
  field,
  args: (made, role) => ({ input: input(made, role) }),
  selection: `{ __typename ... on UserError { code } ${payload} }`,
});

/** The object by its global id, or a part of it that is null for viewers who may not see it. */
export const nodeOf = <Made>(idOf: (made: Made) => string, type = 'Node', shown = 'id'): Field<Made> => ({
  field: 'node',
  args: (made) => ({ id: idOf(made) }),
  selection: `{ ... on ${type} { shown: ${shown} } }`,
  isShown: (value) => ((value as { shown?: unknown } | null)?.shown ?? null) !== null,
});

/** Whether a value has the object with this global id, once. */
export const includesId =
  <Made>(idOf: (made: Made) => string) =>
  (value: unknown, made: Made): boolean =>
    JSON.stringify(value).split(`"${idOf(made)}"`).length === 2;

interface Identified {
  id: string;
}

type Options<Facts, Role extends string, Made> = Partial<StateAction<Facts, Role, Made>>;

/** The row of `node` for objects with a global id. */
export const nodeRow = <Facts, Role extends string, Made extends Identified>(
  type: string,
  rule: StateRule<Facts, Role>,
): StateAction<Facts, Role, Made> => ({
  name: `node, of ${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`,
  rule,
  graphql: nodeOf(({ id }) => id),
});

/** The row of a list of Query that shows the objects of all states. */
export const listRow = <Facts, Role extends string, Made extends Identified>(
  field: string,
  rule: StateRule<Facts, Role>,
  selection = '{ id }',
  args: Record<string, unknown> = {},
): StateAction<Facts, Role, Made> => ({
  name: field,
  rule,
  isList: true,
  graphql: { field, args: () => args, selection, isShown: hasId },
});

/** The row of a mutation, which may have more words after a comma. By default it takes the id alone. */
export const mutationRow = <Facts, Role extends string, Made extends Identified>(
  name: string,
  rule: StateRule<Facts, Role>,
  input: (made: Made) => object = ({ id }) => ({ id }),
  options: Options<Facts, Role, Made> = {},
): StateAction<Facts, Role, Made> => ({ name, rule, graphql: mutationOf(name.split(',')[0] ?? '', input), ...options });

/** Whether a value has the object with its global id, once. */
export const hasId = <Made extends Identified>(value: unknown, made: Made): boolean =>
  JSON.stringify(value).split(`"${made.id}"`).length === 2;

/** The row of a field of a node, `Type.field` with more words after a comma. By default it is shown unless the selected part is null. */
export const fieldRow = <Facts, Role extends string, Made>(
  name: string,
  rule: StateRule<Facts, Role>,
  idOf: (made: Made) => string,
  selection: string,
  { isShown, ...options }: Options<Facts, Role, Made> & Pick<Field<Made>, 'isShown'> = {},
): StateAction<Facts, Role, Made> => ({
  ...{ name, rule },
  graphql: { ...nodeOf(idOf, name.split('.')[0], selection), ...(isShown && { isShown }) },
  ...options,
});

/** 401 for anonymous viewers, 403 for others. */
export const refused = (role: string): Outcome => (role === 'anonymous' ? 401 : 403);
