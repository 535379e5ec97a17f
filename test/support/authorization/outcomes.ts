/* What requests and operations do for a viewer, in this process, below HTTP and authentication. */
import { type DocumentNode, execute, type GraphQLError, parse } from 'graphql';
import { ANONYMOUS, type Viewer } from '../../../src/auth/viewer.ts';
import type { Ui } from '../../../src/pages/ui.ts';
import { ADDRESS } from './kinds.ts';
import type { Outcome } from './read-table.ts';

const { publicSchema: schema } = await import('../../../src/execution/schema.ts');
const { exempt } = await import('../../../src/graphql/query-cost.ts');
const { routes } = await import('../../../src/rest/routes/index.ts');
const { pageFinder, routeFinder } = await import('../find-in-table.ts');
const { errorReply } = await import('../../../src/rest/errors.ts');
const { viewOf } = await import('../../../src/rest/view.ts');
const { formatOf } = await import('../../../src/texts/format.ts');
const { pageViewerOf } = await import('../../../src/pages/page-context.ts');
const { isRefusal } = await import('../../../src/http/http-refusal.ts');
const { statusOf } = await import('../../../src/pages/refusal.ts');
const { pages } = await import('../../../src/pages/table.ts');
const { translator } = await import('../../../src/pages/texts.ts');

// Most outcomes are refusals, and the stack of an error takes longer than the rest.
Error.stackTraceLimit = 0;

const findRoute = routeFinder(routes);
const findPage = pageFinder(pages);

const STATUS: Readonly<Record<string, Outcome>> = { NOT_AUTHENTICATED: 401, NOT_PERMITTED: 403, NOT_FOUND: 404 };

export const contextOf = (viewer: Viewer) => ({ viewer, locale: 'en-US', ip: ADDRESS, requestId: 'test' });

/** An address of a route or page: a path with values for its parameters. */
export function addressOf(path: string, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} needs a value of ${name}.`);
    return String(value);
  });
}

/**
 * The outcome of a request to a route after authentication, and the JSON of a success; undefined without one.
 * @throws {Error} if another route serves the address.
 */
export async function routeOutcome(
  name: string,
  values: Readonly<Record<string, string | number>>,
  body: unknown,
  viewer: Viewer,
): Promise<{ outcome: Outcome; json?: unknown }> {
  const declared = routes.find(({ method, path }) => name === `${method} ${path}`);
  if (declared === undefined) throw new Error(`There is no route ${name}.`);
  const apiVersion = declared.apiVersions.includes('v4') ? 'v4' : 'v5';
  const { method } = declared;
  const full = `${declared.outsideApi ? '' : `/api/${apiVersion}`}${addressOf(declared.path, values)}`;
  const { route, path } = await findRoute(method, full);
  if (route !== declared) throw new Error(`${full} is served by ${route.method} ${route.path}, not ${name}.`);
  if (route.signIn === 'required' && viewer.kind === 'anonymous') return { outcome: 401 };
  const context = contextOf(route.signIn === 'ignored' ? ANONYMOUS : viewer);
  try {
    const routed = route.read({
      ...{ path, query: new URLSearchParams(), address: full, view: viewOf(method, apiVersion, null, '') },
      client: { prefersJson: () => true, cookie: () => null },
    });
    await routed.check(context);
    const { result: reply } = await routed.execute(context, body);
    return { outcome: 200, ...('body' in reply ? { json: reply.body } : {}) };
  } catch (error) {
    const { status } = errorReply(error, 'detail');
    if (status >= 500) throw error;
    return { outcome: isRefused(status) ? status : 200 };
  }
}

const isRefused = (status: number): status is Outcome => [401, 403, 404].includes(status);

const interfaceIn = (viewer: Ui['viewer']): Ui => ({
  ...{
    language: 'en',
    direction: 'ltr',
    theme: null,
    viewer,
    siteNotice: null,
    readOnly: null,
    hasShortcuts: true,
    path: '/',
    formAction: null,
    csrfToken: null,
  },
  ...{ t: translator('en'), format: formatOf('en'), onceId: 'id' },
  form: () => null,
});

/** What a page does for a viewer: 200 also for redirects within the page's own rules. Runs below HTTP, as the handler does. */
export async function pageOutcome(
  name: string,
  values: Readonly<Record<string, string | number>>,
  viewer: Viewer,
): Promise<Outcome> {
  const match = findPage(addressOf(name, values));
  if (match === null || match.row.path !== name) throw new Error(`${name} is served by ${match?.row.path}.`);
  const { row, path } = match;
  if (row.visitor === 'account' && viewer.kind === 'anonymous') return 401;
  const ui = interfaceIn(pageViewerOf(viewer));
  try {
    const request = row.read(path, new URLSearchParams(), { viewer: ui.viewer, locale: 'en-US' });
    const { result: template } = await request.execute(contextOf(viewer));
    const result = await template(ui);
    if (result === null) return 404;
    const status = result.kind === undefined || result.kind === 'content' ? (result.status ?? 200) : 200;
    return isRefused(status) ? status : 200;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const status = statusOf(error, false);
    // The handler leads anonymous visitors to the sign-in.
    return status === 403 && viewer.kind === 'anonymous' ? 401 : (status as Outcome);
  }
}

const documents = new Map<string, DocumentNode>();

/** The document of a text, parsed once. */
function documentOf(source: string): DocumentNode {
  const document = documents.get(source) ?? parse(source, { noLocation: true });
  documents.set(source, document);
  return document;
}

/** The result of an operation without limits. @throws {Error} for an error without a code. */
export async function run(source: string, variableValues: Record<string, unknown>, viewer: Viewer) {
  const contextValue = contextOf(viewer);
  // One operation has the field for all objects.
  exempt(contextValue);
  const { data, errors } = await execute({ schema, document: documentOf(source), variableValues, contextValue });
  for (const { message, extensions } of errors ?? []) if (extensions.code === undefined) throw new Error(message);
  return { data: data ?? null, errors: errors ?? [] };
}

/** The outcome of one field: its refusal, or 404 unless the viewer is shown what it selects. */
function fieldOutcome(value: unknown, error: GraphQLError | undefined, isShown = value !== null): Outcome {
  const code = (value as { code?: string } | null)?.code ?? error?.extensions.code;
  if (code !== undefined) return STATUS[String(code)] ?? 200;
  return isShown ? 200 : 404;
}

/** A field of Query or Mutation that is selected once for each object. */
export interface Field<Made> {
  field: string;
  args: (made: Made, role: string) => Record<string, unknown>;
  selection: string | ((made: Made) => string);
  /** Whether the value shows the object; not null by default. */
  isShown?: (value: unknown, made: Made) => boolean;
}

/** The outcomes of a field for objects in the same order, in one operation. */
export async function fieldOutcomes<Made>(
  field: Field<Made>,
  objects: readonly Made[],
  viewer: Viewer,
  role = '',
): Promise<Outcome[]> {
  const { source, variables } = operationOf(field, objects, role);
  const { data, errors } = await run(source, variables, viewer);
  // A refused field that cannot be null ends the whole operation.
  if (data === null && objects.length > 1) {
    const each = objects.map((made) => fieldOutcomes(field, [made], viewer, role));
    return (await Promise.all(each)).flat();
  }
  return objects.map((made, index) => {
    const value = data?.[`of${index}`] ?? null;
    const error = data === null ? errors[0] : errors.find(({ path }) => path?.[0] === `of${index}`);
    return fieldOutcome(value, error, value === null ? false : field.isShown?.(value, made));
  });
}

function operationOf<Made>({ field: name, args, selection }: Field<Made>, objects: readonly Made[], role: string) {
  const isMutation = schema.getMutationType()?.getFields()[name] !== undefined;
  const field = (isMutation ? schema.getMutationType() : schema.getQueryType())?.getFields()[name];
  const variables: Record<string, unknown> = {};
  const parts = objects.map((made, index) => {
    const given = Object.entries(args(made, role)).map(([key, value]) => {
      variables[`${key}${index}`] = value;
      return { key, type: field?.args.find((arg) => arg.name === key)?.type };
    });
    const passed = given.map(({ key }) => `${key}: $${key}${index}`).join(', ');
    const declared = given.map(({ key, type }) => `$${key}${index}: ${type}`);
    return {
      declared,
      text: `of${index}: ${name}${passed && `(${passed})`} ${typeof selection === 'string' ? selection : selection(made)}`,
    };
  });
  const declared = parts.flatMap((part) => part.declared).join(', ');
  const text = parts.map((part) => part.text).join('\n');
  return { source: `${isMutation ? 'mutation' : 'query'} ${declared && `(${declared})`} { ${text} }`, variables };
}
