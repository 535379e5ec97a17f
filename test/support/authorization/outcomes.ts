/* What requests and operations do for a viewer, in this process, below HTTP and authentication. */
import { type DocumentNode, execute, type GraphQLError, parse } from 'graphql';
import { ANONYMOUS, type Viewer } from '../../../src/auth/viewer.ts';
import type { Outcome } from './object-rules.ts';
import { ADDRESS } from './state-roles.ts';

const { publicSchema: schema } = await import('../../../src/graphql/schema.ts');
const { routes } = await import('../../../src/rest/routes/index.ts');
const { routeFinder } = await import('../find-in-table.ts');
const { errorReply } = await import('../../../src/rest/errors.ts');
const { viewOf } = await import('../../../src/rest/view.ts');

const findRoute = routeFinder(routes);

const STATUS: Readonly<Record<string, Outcome>> = { NOT_AUTHENTICATED: 401, NOT_PERMITTED: 403, NOT_FOUND: 404 };

export const contextOf = (viewer: Viewer) => ({ viewer, locale: 'en-US', ip: ADDRESS, requestId: 'test' });

/** A request after authentication. `path` is the one below `/api/<version>`, or a whole one of `/downloads`. */
export interface Call {
  method: string;
  apiVersion: 'v4' | 'v5';
  path: string;
  /** What the route's body reader would return. */
  body: unknown;
  viewer: Viewer;
}

/** The outcome of a request, the route that it takes, and the JSON of a success; undefined without one. */
export async function routeOutcome(call: Call): Promise<{ outcome: Outcome; route: string; json?: unknown }> {
  const { method, apiVersion, path, body, viewer } = call;
  const full = path.startsWith('/downloads') ? path : `/api/${apiVersion}${path}`;
  const { route, path: values } = await findRoute(method, full);
  const name = `${route.method} ${route.path}`;
  if (route.signIn === 'required' && viewer.kind === 'anonymous') return { outcome: 401, route: name };
  const context = contextOf(route.signIn === 'ignored' ? ANONYMOUS : viewer);
  try {
    const routed = route.read({
      ...{ path: values, query: new URLSearchParams(), address: full, view: viewOf(method, apiVersion, null, '') },
      client: { prefersJson: () => true, cookie: () => null },
    });
    await routed.check(context);
    const { result: reply } = await routed.execute(context, body);
    return { outcome: 200, route: name, ...('body' in reply ? { json: reply.body } : {}) };
  } catch (error) {
    const { status } = errorReply(error, 'detail');
    if (status >= 500) throw error;
    return { outcome: [401, 403, 404].includes(status) ? (status as Outcome) : 200, route: name };
  }
}

const documents = new Map<string, DocumentNode>();

/** The document of a text, parsed once. */
function documentOf(source: string): DocumentNode {
  const document = documents.get(source) ?? parse(source, { noLocation: true });
  documents.set(source, document);
  return document;
}

async function run(source: string, variableValues: Record<string, unknown>, viewer: Viewer) {
  const document = documentOf(source);
  const { data, errors } = await execute({ schema, document, variableValues, contextValue: contextOf(viewer) });
  for (const { message, extensions } of errors ?? []) if (extensions.code === undefined) throw new Error(message);
  return { data: data ?? null, errors: errors ?? [] };
}

/** The outcome of one field: its refusal, or 404 unless the viewer is shown what it selects. */
function fieldOutcome(value: unknown, error: GraphQLError | undefined, isShown = value !== null): Outcome {
  const code = (value as { code?: string } | null)?.code ?? error?.extensions.code;
  if (code !== undefined) return STATUS[String(code)] ?? 200;
  return isShown ? 200 : 404;
}

/** The outcome of an operation with one field; 404 if it is null or `isShown` returns false. */
export async function operationOutcome(
  source: string,
  variables: Record<string, unknown>,
  viewer: Viewer,
  isShown?: (data: Record<string, unknown>) => boolean,
): Promise<Outcome> {
  const { data, errors } = await run(source, variables, viewer);
  const [first = null] = Object.values(data ?? {});
  return fieldOutcome(first, errors[0], isShown?.(data ?? {}));
}

/** A field of Query or Mutation that is selected once for each object. */
export interface Field<Made> {
  field: string;
  args: (made: Made) => Record<string, unknown>;
  selection: string;
  /** Whether the value shows the object; not null by default. */
  isShown?: (value: unknown, made: Made) => boolean;
}

/** The outcomes of a field for objects in the same order, in one operation. */
export async function fieldOutcomes<Made>(
  field: Field<Made>,
  objects: readonly Made[],
  viewer: Viewer,
): Promise<Outcome[]> {
  const { source, variables } = operationOf(field, objects);
  const { data, errors } = await run(source, variables, viewer);
  // A refused field that cannot be null ends the whole operation.
  if (data === null && objects.length > 1) {
    const each = objects.map((made) => fieldOutcomes(field, [made], viewer));
    return (await Promise.all(each)).flat();
  }
  return objects.map((made, index) => {
    const value = data?.[`of${index}`] ?? null;
    const error = data === null ? errors[0] : errors.find(({ path }) => path?.[0] === `of${index}`);
    return fieldOutcome(value, error, value === null ? false : field.isShown?.(value, made));
  });
}

function operationOf<Made>({ field: name, args, selection }: Field<Made>, objects: readonly Made[]) {
  const isMutation = schema.getMutationType()?.getFields()[name] !== undefined;
  const field = (isMutation ? schema.getMutationType() : schema.getQueryType())?.getFields()[name];
  const variables: Record<string, unknown> = {};
  const parts = objects.map((made, index) => {
    const given = Object.entries(args(made)).map(([key, value]) => {
      variables[`${key}${index}`] = value;
      return { key, type: field?.args.find((arg) => arg.name === key)?.type };
    });
    const passed = given.map(({ key }) => `${key}: $${key}${index}`).join(', ');
    const declared = given.map(({ key, type }) => `$${key}${index}: ${type}`);
    return { declared, text: `of${index}: ${name}${passed && `(${passed})`} ${selection}` };
  });
  const declared = parts.flatMap((part) => part.declared).join(', ');
  const text = parts.map((part) => part.text).join('\n');
  return { source: `${isMutation ? 'mutation' : 'query'} ${declared && `(${declared})`} { ${text} }`, variables };
}
