import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { authenticate } from '../auth/authenticate.ts';
import { requireSignedIn } from '../auth/permissions.ts';
import { ANONYMOUS, type Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import { requireSearchRoom } from '../domain/search/search-engine.ts';
import { NotAuthenticatedError } from '../errors.ts';
import { type ExecutedOperation, type PathParts, respond } from '../execution/endpoint.ts';
import type { Context } from '../graphql/context.ts';
import { prefersJson } from '../http/accepts.ts';
import { readCookie } from '../http/cookies.ts';
import { sendContinue } from '../http/drain.ts';
import { NO_CONTENT_POLICY, setHeaders } from '../http/headers.ts';
import { type HttpRefusal, isRefusal, methodNotAllowed, unknownAddress } from '../http/http-refusal.ts';
import { lastValue } from '../http/params.ts';
import { chooseLocale, logFailure, reserveCountedUpload, type Sender, senderOf } from '../http/request-services.ts';
import { requestPath, requestQuery, sentUrl } from '../http/request-target.ts';
import { caseSensitiveRouter, onNormalPath } from '../http/route-paths.ts';
import { withDatabaseErrorsExplained } from '../infra/database-errors.ts';
import { countSubmissionWrite } from '../infra/rate-limits.ts';
import { requireWritable } from '../infra/read-only.ts';
import { hiddenTypes } from './addon-types.ts';
import type { ExpectedUpload } from './body.ts';
import type { ErrorStyle } from './errors.ts';
import { etagOfRevision } from './revision-etag.ts';
import type { ClientFacts, HttpMethod, Route, RouteReply, RouteRequest } from './route.ts';
import { type RestRequest, sendCachedReply, sendError, sendReply, startSharing } from './send-reply.ts';
import { API_VERSIONS, type ApiVersion, GATES, isServed, viewOf } from './view.ts';
import { neutralQuery, renameHeaders } from './words.ts';

/** The route of a request, and the decoded parameters of its path. */
export interface RouteMatch {
  route: Route;
  apiVersion: ApiVersion;
  path: PathParts;
}

/** Responds to a request that matches a route, or to one that is refused: 404 for an unknown address, 405 for another method. */
type Serve = (request: Request, response: Response, found: RouteMatch | HttpRefusal) => unknown;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

/** The handlers of all addresses of the table, below their API versions, and of all other addresses. */
export function restHandlers(routes: readonly Route[], serve: Serve): RequestHandler[] {
  const root = caseSensitiveRouter();
  for (const version of API_VERSIONS) {
    const own = routes.filter(({ outsideApi, apiVersions }) => !outsideApi && apiVersions.includes(version));
    const router = routerOf(own, version, serve);
    root.use(`/api/${version}`, (request, response, next) =>
      isServed(version, config.ENVIRONMENT) ? router(request, response, next) : next(),
    );
  }
  const others = routes.filter(({ outsideApi }) => outsideApi);
  root.use(routerOf(others, 'v4', serve));
  return [onNormalPath(root), (request, response) => serve(request, response, refusalOf(request, response))];
}

/** The first route for path and method wins. HEAD matches the route for GET, as always in Express. */
function routerOf(routes: readonly Route[], apiVersion: ApiVersion, serve: Serve): Router {
  const router = caseSensitiveRouter();
  for (const route of routes) {
    const isTaken = ({ method }: Request) => route.isServed() && !(method === 'HEAD' && route.changesState);
    router
      .route(route.path)
      [verbOf(route)]((request, response, next) =>
        isTaken(request) ? serve(request, response, { route, apiVersion, path: request.params as PathParts }) : next(),
      )
      .all((_request, response, next) => {
        if (route.isServed()) allowedMethods(response).push(...methodsOf(route));
        next();
      });
  }
  return router;
}

const verbOf = ({ method }: Route) => method.toLowerCase() as Lowercase<HttpMethod>;

const methodsOf = ({ method, changesState }: Route): string[] =>
  method === 'GET' && !changesState ? ['GET', 'HEAD'] : [method];

/** The methods of routes whose paths match a request. */
function allowedMethods({ locals }: Response): string[] {
  locals.allowedMethods ??= [];
  return locals.allowedMethods as string[];
}

function refusalOf({ method }: Request, response: Response): HttpRefusal {
  const allowed = allowedMethods(response);
  if (allowed.length === 0) return unknownAddress();
  return methodNotAllowed(method, [...METHODS.filter((each) => allowed.includes(each)), 'OPTIONS']);
}

/** Whether a path is below the submission API, known or not. */
const SUBMISSION_PATH = /^\/api\/v5(?:\/|$)/;

/**
 * Makes the handlers for the addresses of the route table. Each request passes the same steps: read-only gate, route, viewer, checks
 * before the body, body, operation, reply. Errors of all steps become the documented responses.
 */
export function restHandler(routes: readonly Route[]): RequestHandler[] {
  return restHandlers(routes, async (request, response, found) => {
    const sender = senderOf(response);
    const restRequest: RestRequest = {
      ...{ request, response, sender, locale: config.DEFAULT_LOCALE },
      ...{ isAuthenticated: false, isShared: false, errorKeys: null, parameterNames: {}, showsProblem: false },
      errors: SUBMISSION_PATH.test(requestPath(request)) ? 'fields' : 'detail',
    };
    setHeaders(response, { 'Content-Security-Policy': NO_CONTENT_POLICY, Vary: 'Accept-Language, Authorization' });
    renameHeaders(response);
    try {
      await handle(restRequest, found);
    } catch (error) {
      if (!isRefusal(error)) logFailure(error, sender.requestId);
      // The status is sent already: a broken connection shows the client that the body is incomplete.
      if (response.headersSent) response.destroy();
      else sendError(restRequest, error);
    }
  });
}

async function handle(restRequest: RestRequest, found: RouteMatch | HttpRefusal): Promise<void> {
  const { request, sender } = restRequest;
  const query = neutralQuery(requestQuery(request));
  const { method = 'GET' } = request;
  const lang = lastValue(query, 'lang');
  const locale = chooseLocale(lang, request.headers['accept-language']);
  restRequest.locale = locale;
  const { route, apiVersion, path } = await passGates(restRequest, found);
  const client = clientFacts(request, query);
  restRequest.showsProblem = route.errors === 'sign-in' && !client.prefersJson();
  const viewer = await viewerOf(route, apiVersion, request, sender);
  restRequest.isAuthenticated = viewer.kind === 'account';

  const view = viewOf(method, apiVersion, lang, config.BASE_URL, query.has('wrap_outgoing_links'), locale);
  const address = `${config.BASE_URL}/${sentUrl(request).replace(/^\/+/, '')}`;
  const context: Context = {
    ...{ viewer, locale, ...sender },
    ...{ limitsSearches: true, waivesRecentSignIn: true, hiddenTypes: hiddenTypes(view) },
  };
  if (route.signIn === 'required' && viewer.kind === 'anonymous') {
    throw new NotAuthenticatedError(viewer.problem, undefined, await route.anonymousFlags(path, view, context));
  }
  await respondTo(restRequest, route, route.read({ path, query, address, view, client }), context);
}

/** Refuses what needs no viewer. Read-only mode refuses writes before anything else, but in the form of their route. */
async function passGates(restRequest: RestRequest, found: RouteMatch | HttpRefusal): Promise<RouteMatch> {
  const { request, response, locale } = restRequest;
  if (!(found instanceof Error)) restRequest.errors = errorStyleOf(found);
  if (!SAFE_METHODS.includes(request.method ?? 'GET')) await requireWritable(locale);
  if (found instanceof Error) throw found;
  const { route } = found;
  restRequest.errorKeys = route.errorKeys;
  restRequest.parameterNames = route.parameterNames;
  if (route.isSearch) await requireSearchRoom();
  if (route.changesState) {
    await requireWritable(locale);
    setHeaders(response, { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  }
  return found;
}

/** Sends the response in memory if it is current, else runs the checks, reads the body and runs the operation. */
async function respondTo(
  restRequest: RestRequest,
  route: Route,
  routed: RouteRequest,
  context: Context,
): Promise<void> {
  const { request, response, locale } = restRequest;
  const { viewer } = context;
  const { revision } = routed;
  const isShared = viewer.kind === 'anonymous' && revision !== null;
  if (isShared && request.headers.authorization === undefined) startSharing(restRequest);
  await respond<RouteReply>(request, response, {
    // The ETag of no revision names the language, the code and the settings.
    key: isShared ? `${sentUrl(request)} ${etagOfRevision('', locale)}` : null,
    revision: async () => revision?.(context) ?? null,
    etagOf: (current) => etagOfRevision(current, locale),
    execute: () =>
      limited(route, viewer, async () => {
        await routed.check(context);
        return runWithBody(restRequest, route, routed, context);
      }),
    send: ({ result, revision }) => sendReply(restRequest, result, revision),
    sendCached: (cached) => sendCachedReply(restRequest, cached),
  });
}

/** Signing has the same errors in all API versions. */
const errorStyleOf = ({ route, apiVersion }: RouteMatch): ErrorStyle =>
  GATES[apiVersion].submission && route.errors !== 'error' ? 'fields' : route.errors;

/** Counts a write towards its limit, unless it is refused. */
async function limited<Result>(
  { isLimitedWrite }: Route,
  viewer: Viewer,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isLimitedWrite) return work();
  const takeBack = await withDatabaseErrorsExplained(() => countSubmissionWrite(requireSignedIn(viewer).accountId));
  try {
    return await work();
  } catch (error) {
    await takeBack();
    throw error;
  }
}

function clientFacts(request: IncomingMessage, query: URLSearchParams): ClientFacts {
  return {
    prefersJson: () => lastValue(query, 'format') === 'json' || prefersJson(request.headers.accept),
    cookie: (name) => readCookie(request, name),
  };
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

async function viewerOf(
  { signIn, jti, acceptsUploadKeys }: Route,
  apiVersion: ApiVersion,
  { headers: { authorization } }: IncomingMessage,
  { ip }: Sender,
): Promise<Viewer> {
  if (signIn === 'ignored' || (signIn === 'optional' && authorization === undefined)) return ANONYMOUS;
  const rule = GATES[apiVersion].submission ? 'repeatable' : jti;
  return withDatabaseErrorsExplained(() => authenticate({ authorization, ip, jti: rule, acceptsUploadKeys }));
}

/** Reads the body and runs the operation. Discards what the operation leaves of the body. */
async function runWithBody(
  { request, response }: RestRequest,
  { body: declared }: Route,
  routed: RouteRequest,
  context: Context,
): Promise<ExecutedOperation<RouteReply>> {
  let release = (): void => {};
  const start = async (upload?: ExpectedUpload): Promise<void> => {
    if (upload !== undefined) release = await reserveCountedUpload(context.viewer, upload);
    sendContinue(request, response);
  };
  try {
    const body = await declared.read(request, start);
    return await routed.execute(context, body).finally(() => declared.discard(body));
  } finally {
    release();
  }
}
