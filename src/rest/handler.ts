import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS, type Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import { NotAuthenticatedError } from '../errors.ts';
import { prefersJson } from '../http/accepts.ts';
import { isFresh, sendNotModified } from '../http/conditional.ts';
import { readCookie } from '../http/cookies.ts';
import { sendContinue } from '../http/drain.ts';
import { NO_CONTENT_POLICY, setHeaders } from '../http/headers.ts';
import { lastValue } from '../http/params.ts';
import { requestPath } from '../http/request-target.ts';
import type { ExpectedUpload } from './body.ts';
import { type ErrorStyle, isRefusal } from './errors.ts';
import { type ApiVersion, GATES } from './gates.ts';
import type { Reply } from './reply.ts';
import { etagOfRevision } from './revision-etag.ts';
import type { ClientFacts, Context, JtiRule, Route, RouteRequest } from './route.ts';
import { findRoute, isSubmissionPath, type Match } from './router.ts';
import { type Exchange, type PageProblem, sendError, sendReply } from './send-reply.ts';
import { viewOf } from './view.ts';

/** What the REST layer needs and must not import; `app.ts` provides it. */
export interface RestDependencies {
  /** Returns the viewer. Throws NotAuthenticatedError for invalid credentials. */
  authenticate(facts: { authorization: string | undefined; ip: string | null; jti: JtiRule }): Promise<Viewer>;
  /** Throws ReadOnlyError in read-only mode, its message in the given language. */
  requireWritable(locale: string): Promise<void>;
  /** Throws UnavailableError when no further search can wait. */
  requireSearchRoom(): Promise<void>;
  /**
   * Reserves room for a body of `bytes`, and counts an upload of the viewer. Returns the function that releases the room.
   * Throws ThrottledError.
   */
  reserveUpload(viewer: Viewer, upload: ExpectedUpload): Promise<() => void>;
  /** Counts a write of the viewer. Returns the function that takes the count back. Throws ThrottledError. */
  countWrite(viewer: Viewer): Promise<() => Promise<void>>;
  /** Returns the language of constant texts. */
  chooseLocale(lang: string | null, acceptLanguage: string | undefined): string;
  /** Wraps a link to another site. */
  wrapLink(url: string): string;
  /** Wraps the links to other sites in HTML. */
  wrapHtml(html: string): string;
  /** Counts a complete download of a file. `source` is the label that the client gave, `address` that of the client. */
  countDownload(download: { addonId: number; fileId: number; source: string; address: string | null }): void;
  /** Sends the page for a browser whose sign-in failed. */
  sendProblemPage(
    request: IncomingMessage,
    response: ServerResponse,
    sender: Sender,
    problem: PageProblem,
  ): Promise<void>;
  /** Logs an unexpected error. */
  report(error: unknown, requestId: string): void;
}

/** The client of a request. */
export interface Sender {
  ip: string | null;
  requestId: string;
}

type Handle = (request: IncomingMessage, response: ServerResponse, sender: Sender) => Promise<void>;

/**
 * Makes the handler for the addresses of the route table. Each request passes the same steps: read-only gate, route, viewer, checks
 * before the body, body, operation, reply. Errors of all steps become the documented responses.
 */
export function restHandler(routes: readonly Route[], dependencies: RestDependencies): Handle {
  return async (request, response, sender) => {
    const variant = { locale: config.DEFAULT_LOCALE, wrapLink: dependencies.wrapLink };
    const exchange: Exchange = {
      ...{ request, response, variant },
      ...{ isAuthenticated: false, errorKeys: null, parameterNames: {}, sendProblem: null },
      errors: isSubmissionPath(requestPath(request)) ? 'fields' : 'detail',
    };
    setHeaders(response, { 'Content-Security-Policy': NO_CONTENT_POLICY, Vary: 'Accept-Language, Authorization' });
    try {
      await respond(exchange, sender, routes, dependencies);
    } catch (error) {
      if (!isRefusal(error)) dependencies.report(error, sender.requestId);
      // The status is sent already: a broken connection shows the client that the body is incomplete.
      if (response.headersSent) response.destroy();
      else await sendError(exchange, error);
    }
  };
}

async function respond(
  exchange: Exchange,
  sender: Sender,
  routes: readonly Route[],
  dependencies: RestDependencies,
): Promise<void> {
  const { request, response } = exchange;
  const rawPath = requestPath(request);
  const query = new URLSearchParams(request.url?.slice(rawPath.length + 1));
  const { method = 'GET' } = request;
  const lang = lastValue(query, 'lang');
  const locale = dependencies.chooseLocale(lang, request.headers['accept-language']);
  exchange.variant = { ...exchange.variant, locale };

  const match = matchOrRefusal(() => findRoute(routes, method, rawPath, config.ENVIRONMENT));
  // Read-only mode refuses writes before anything else, but in the form of their route.
  if (!(match instanceof Error)) exchange.errors = errorStyleOf(match);
  if (!SAFE_METHODS.includes(method)) await dependencies.requireWritable(locale);
  if (match instanceof Error) throw match;
  const { route, apiVersion, path } = match;
  exchange.errorKeys = route.errorKeys;
  exchange.parameterNames = route.parameterNames;
  if (route.isSearch) await dependencies.requireSearchRoom();
  if (route.changesState) await dependencies.requireWritable(locale);
  if (route.changesState) setHeaders(response, { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  const client = clientFacts(request, query);
  if (route.errors === 'sign-in' && !client.prefersJson()) {
    exchange.sendProblem = (problem) => dependencies.sendProblemPage(request, response, sender, problem);
  }
  const viewer = await viewerOf(route, apiVersion, dependencies, request, sender);
  exchange.isAuthenticated = viewer.kind === 'account';

  const { wrapLink, wrapHtml } = dependencies;
  const links = { wrapsLinks: query.has('wrap_outgoing_links'), wrapLink, wrapHtml };
  const view = viewOf(method, apiVersion, lang, config.BASE_URL, links);
  const address = `${config.BASE_URL}/${(request.url ?? '').replace(/^\/+/, '')}`;
  const context: Context = { viewer, locale, ...sender, limitsSearches: true };
  if (route.signIn === 'required' && viewer.kind === 'anonymous') {
    throw new NotAuthenticatedError(viewer.problem, undefined, await route.anonymousFlags(path, view, context));
  }
  const routed = route.read({ path, query, address, view, variant: exchange.variant, client });
  const reply = await limited(route, viewer, dependencies, async () => {
    await routed.check(context);
    const etag = await matchingEtag(exchange, routed, context);
    return etag ?? runWithBody(exchange, route, routed, context, dependencies);
  });
  if (typeof reply === 'string') return sendNotModified(response, reply);
  const isDelivered = await sendReply(exchange, reply);
  if (isDelivered && reply.kind === 'file' && reply.counted !== null) {
    dependencies.countDownload({ ...reply.counted, address: sender.ip });
  }
}

function matchOrRefusal(find: () => Match): Match | Error {
  try {
    return find();
  } catch (error) {
    return error as Error;
  }
}

/** Signing has the same errors in all API versions. */
const errorStyleOf = ({ route, apiVersion }: Match): ErrorStyle =>
  GATES[apiVersion].submission && route.errors !== 'error' ? 'fields' : route.errors;

/** Counts a write towards its limit, unless it is refused. */
async function limited<Result>(
  { isLimitedWrite }: Route,
  viewer: Viewer,
  { countWrite }: RestDependencies,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isLimitedWrite) return work();
  const takeBack = await countWrite(viewer);
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
  { signIn, jti }: Route,
  apiVersion: ApiVersion,
  dependencies: RestDependencies,
  { headers: { authorization } }: IncomingMessage,
  { ip }: Sender,
): Promise<Viewer> {
  if (signIn === 'ignored' || (signIn === 'optional' && authorization === undefined)) return ANONYMOUS;
  return dependencies.authenticate({
    ...{ authorization, ip },
    jti: GATES[apiVersion].submission ? 'repeatable' : jti,
  });
}

/** The ETag of the response, when the client holds it and one look-up suffices to determine it; else null. */
async function matchingEtag(
  { request: { headers, method }, isAuthenticated, variant }: Exchange,
  { revision }: RouteRequest,
  context: Context,
): Promise<string | null> {
  const isConditional = headers['if-none-match'] !== undefined && (method === 'GET' || method === 'HEAD');
  if (!isConditional || revision === null || isAuthenticated) return null;
  const etag = etagOfRevision(await revision(context), variant);
  return isFresh(headers, etag) ? etag : null;
}

/** Reads the body and runs the operation. Discards what the operation leaves of the body. */
async function runWithBody(
  { request, response }: Exchange,
  { body: declared }: Route,
  routed: RouteRequest,
  context: Context,
  dependencies: RestDependencies,
): Promise<Reply> {
  let release = (): void => {};
  const start = async (upload?: ExpectedUpload): Promise<void> => {
    if (upload !== undefined) release = await dependencies.reserveUpload(context.viewer, upload);
    sendContinue(request, response);
  };
  try {
    const body = await declared.read(request, start);
    return await routed.run(body, context).finally(() => declared.discard(body));
  } finally {
    release();
  }
}
