import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS, type Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import { NotAuthenticatedError } from '../errors.ts';
import { etagOfBody, isFresh, sendNotModified } from '../http/conditional.ts';
import { askForBody, type DrainAllowance, endAnswer, KNOWN_SENDER, UNKNOWN_SENDER } from '../http/drain.ts';
import { type HeaderList, setHeaders } from '../http/headers.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { EMPTY_FORM, type Form, isMultipart, readForm, requireAcceptableLength } from '../http/multipart.ts';
import { sendFile } from '../http/send-blob.ts';
import { type ErrorStyle, errorReply, isRefusal } from './errors.ts';
import { lastValue } from './parameters.ts';
import type { Reply } from './reply.ts';
import { etagOfRevision, type Variant } from './revision-etag.ts';
import type { Context, Route, RouteRequest } from './route.ts';
import { findRoute } from './router.ts';
import { viewOf } from './view.ts';

/** What the REST layer needs and may not import; `app.ts` brings it. */
export interface RestDependencies {
  /** Who sent the request. Throws NotAuthenticatedError for credentials that do not hold. */
  authenticate(facts: {
    authorization: string | undefined;
    ip: string | null;
    jti: 'optional' | 'required';
  }): Promise<Viewer>;
  /** Throws ReadOnlyError in read-only mode, its message in the given language. */
  requireWritable(locale: string): Promise<void>;
  /** The language of constant texts, from `lang` and `Accept-Language`. */
  chooseLocale(lang: string | null, acceptLanguage: string | undefined): string;
  /** A link to another site as answers show it that wrap such links. */
  wrapLink(url: string): string;
  /** Tells the operator of an error that is ours. */
  report(error: unknown, requestId: string): void;
}

/** What is known of a request's sender before anything is read. */
export interface Sender {
  ip: string | null;
  requestId: string;
}

/** `headers` are those of every answer. */
type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  headers: HeaderList,
) => Promise<void>;

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Answers requests for addresses of the table, most of them under `/api/`. Each goes the same way: read-only gate, route, authentication, the check before the
 * body, body, operation, reply; whatever is thrown on the way becomes the documented error.
 */
export function restHandler(routes: readonly Route[], dependencies: RestDependencies): Handle {
  return async (request, response, sender, headers) => {
    const { DEFAULT_LOCALE: locale } = config;
    const { wrapLink } = dependencies;
    const progress: Progress = { style: 'detail', allowance: UNKNOWN_SENDER, locale, wrapLink };
    const common = [...headers, 'Vary', 'Accept-Language, Authorization'];
    try {
      const reply = await answer(routes, dependencies, request, response, sender, progress);
      setHeaders(response, common);
      await send(request, response, reply, progress);
    } catch (error) {
      if (!isRefusal(error)) dependencies.report(error, sender.requestId);
      // Too late for a status: the reader must notice by a connection that breaks off.
      if (response.headersSent) return void response.destroy();
      setHeaders(response, common);
      refuse(request, response, error, progress);
    }
  };
}

/** What an error needs to know of how far its request has come. */
interface Progress extends Variant {
  style: ErrorStyle;
  allowance: DrainAllowance;
}

async function answer(
  routes: readonly Route[],
  dependencies: RestDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  progress: Progress,
): Promise<Reply> {
  const { path: rawPath, query } = target(request);
  const method = request.method ?? 'GET';
  const lang = lastValue(query, 'lang');
  const locale = dependencies.chooseLocale(lang, request.headers['accept-language']);
  progress.locale = locale;
  if (!SAFE.includes(method)) await dependencies.requireWritable(locale);
  const { route, apiVersion, path } = findRoute(routes, method, rawPath, config.ENVIRONMENT);
  progress.style = route.errors;
  const viewer = await signIn(route, dependencies, request, sender);
  if (viewer.kind === 'account') progress.allowance = KNOWN_SENDER;
  const links = { wrapsLinks: query.has('wrap_outgoing_links'), wrapLink: dependencies.wrapLink };
  const view = viewOf(method, apiVersion, lang, config.BASE_URL, links);
  const { range, 'if-none-match': tags } = request.headers;
  const whole = method === 'GET' && range === undefined && tags === undefined;
  const address = `${config.BASE_URL}/${(request.url ?? '').replace(/^\/+/, '')}`;
  const asked = route.read({ path, query, whole, address, view, variant: progress });
  const context: Context = { viewer, locale, ip: sender.ip, requestId: sender.requestId };
  await asked.check(context);
  const etag = await knownEtag(asked, context, request, progress);
  if (etag !== null) return { kind: 'not-modified', etag };
  const form = await readBody(route, request, response);
  try {
    return await asked.run(form, context);
  } finally {
    await form.file?.staged.discard();
  }
}

/** The ETag of the response, if the client holds it and one look-up finds that out; else null. */
async function knownEtag(
  { revision }: RouteRequest,
  context: Context,
  { headers, method }: IncomingMessage,
  variant: Variant,
): Promise<string | null> {
  const isConditional = headers['if-none-match'] !== undefined && (method === 'GET' || method === 'HEAD');
  if (!isConditional || revision === null || context.viewer.kind !== 'anonymous') return null;
  const etag = etagOfRevision(await revision(context), variant);
  return isFresh(headers, etag) ? etag : null;
}

async function signIn(
  route: Route,
  dependencies: RestDependencies,
  request: IncomingMessage,
  { ip }: Sender,
): Promise<Viewer> {
  if (route.signIn === 'ignored') return ANONYMOUS;
  const { authorization } = request.headers;
  if (authorization === undefined && route.signIn === 'optional') return ANONYMOUS;
  const viewer = await dependencies.authenticate({ authorization, ip, jti: route.jti });
  if (route.signIn === 'required' && viewer.kind === 'anonymous') throw new NotAuthenticatedError();
  return viewer;
}

async function readBody(route: Route, request: IncomingMessage, response: ServerResponse): Promise<Form> {
  if (route.form === null) return EMPTY_FORM;
  requireAcceptableLength(request);
  if (!isMultipart(request)) {
    requireReadableType(request);
    return EMPTY_FORM;
  }
  askForBody(request, response);
  return readForm(request, route.form);
}

/** Types whose bodies are read somewhere: as a form they are without files, not unknown. */
const READABLE_TYPE = /^(application\/json|application\/x-www-form-urlencoded)\s*(;|$)/i;

function requireReadableType(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (type === '' || READABLE_TYPE.test(type)) return;
  throw new HttpRefusal(415, `Unsupported media type "${type}" in request.`);
}

const NO_QUERY = new URLSearchParams();

/** Path, as the client encoded it, and query of a request. */
function target(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const { url = '/' } = request;
  const end = url.indexOf('?');
  if (end < 0) return { path: url, query: NO_QUERY };
  return { path: url.slice(0, end), query: new URLSearchParams(url.slice(end + 1)) };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  progress: Progress,
): Promise<void> {
  const { allowance } = progress;
  if (reply.kind === 'not-modified') return sendNotModified(response, reply.etag);
  // What an answer to a known sender says is for nobody else.
  if (allowance === KNOWN_SENDER) response.setHeader('Cache-Control', 'private, no-store');
  if (reply.kind === 'json') return sendReply(request, response, reply, JSON.stringify(reply.body), progress);
  if (reply.kind === 'written') return sendReply(request, response, { ...reply, status: 200 }, reply.payload, progress);
  if (reply.kind === 'file') return sendFile(request, response, reply.file);
  response.statusCode = 302;
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  response.setHeader('Location', reply.location);
  response.setHeader('Content-Length', 0);
  response.end();
}

/** Sends a JSON answer, or that the reader has it already: what everybody may read carries a tag. */
function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  { status, revision, maxAge }: { status: number; revision?: string; maxAge?: number },
  payload: string | Buffer,
  progress: Progress,
): void {
  const { allowance } = progress;
  if (maxAge !== undefined) {
    const scope = allowance === KNOWN_SENDER ? 'private, ' : '';
    response.setHeader('Cache-Control', `${scope}max-age=${maxAge}`);
  }
  if (status === 200 && allowance === UNKNOWN_SENDER) {
    const etag = revision === undefined ? etagOfBody(payload) : etagOfRevision(revision, progress);
    if (isFresh(request.headers, etag)) return void sendNotModified(response, etag);
    response.setHeader('ETag', etag);
  }
  sendJson(request, response, status, payload, allowance);
}

/** The content type is exactly `application/json`: with a parameter behind it, signing clients do not read the body. */
function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  payload: string | Buffer,
  allowance: DrainAllowance,
): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(payload));
  endAnswer(request, response, payload, allowance);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown, progress: Progress): void {
  for (const name of response.getHeaderNames()) {
    if (/^(content-|etag|accept-ranges)/.test(name)) response.removeHeader(name);
  }
  const retryAfter = config.RETRY_AFTER === undefined ? {} : { retryAfter: config.RETRY_AFTER };
  const { status, headers, body } = errorReply(error, progress.style, retryAfter);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(request, response, status, JSON.stringify(body), progress.allowance);
}
