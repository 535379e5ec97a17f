import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANONYMOUS, type Viewer } from '../auth/viewer.ts';
import { config } from '../config.ts';
import { NotAuthenticatedError } from '../errors.ts';
import { type Circumstances, isKnown, sendNotModified, tagOfBody, tagOfRevision } from '../http/conditional.ts';
import { askForBody, type DrainAllowance, endAnswer, KNOWN_SENDER, UNKNOWN_SENDER } from '../http/drain.ts';
import { type HeaderList, setHeaders } from '../http/headers.ts';
import { HttpRefusal } from '../http/http-refusal.ts';
import { EMPTY_FORM, type Form, isMultipart, readForm, requireAcceptableLength } from '../http/multipart.ts';
import { sendFile } from '../http/send-blob.ts';
import { type ErrorStyle, errorReply, isRefusal } from './errors.ts';
import { knownTag, rememberTag, type Visit, visitOf } from './known-tags.ts';
import { lastValue } from './parameters.ts';
import type { Reply } from './reply.ts';
import type { Context, Route, RouteRequest } from './route.ts';
import { findRoute } from './router.ts';
import { viewOf } from './view.ts';

/** What the REST layer needs and may not import; `app.ts` brings it. */
export interface Surroundings {
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
  /** Names the state of the whole database at some moment after the call. */
  presentSnapshot(): Promise<string>;
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
export function restHandler(routes: readonly Route[], around: Surroundings): Handle {
  const sampleLink = () => around.wrapLink(SAMPLE);
  return async (request, response, sender, headers) => {
    const { DEFAULT_LOCALE: locale } = config;
    const progress: Progress = { style: 'detail', allowance: UNKNOWN_SENDER, locale, sampleLink };
    const common = [...headers, 'Vary', 'Accept-Language, Authorization'];
    try {
      const reply = await answer(routes, around, request, response, sender, progress);
      if (reply.kind === 'not-modified') return sendNotModified(response, reply.tag, common);
      setHeaders(response, common);
      await send(request, response, reply, progress);
    } catch (error) {
      if (!isRefusal(error)) around.report(error, sender.requestId);
      // Too late for a status: the reader must notice by a connection that breaks off.
      if (response.headersSent) return void response.destroy();
      setHeaders(response, common);
      refuse(request, response, error, progress);
    }
  };
}

/** What an error needs to know of how far its request has come. */
interface Progress extends Circumstances {
  style: ErrorStyle;
  allowance: DrainAllowance;
}

/** An address of another site, on a host that no operator has reason to link to directly (RFC 2606). */
const SAMPLE = 'https://sample.invalid/';

async function answer(
  routes: readonly Route[],
  around: Surroundings,
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  progress: Progress,
): Promise<Reply> {
  const visit = visitOf(request, progress, around.presentSnapshot);
  const known = visit === null ? null : knownTag(request, visit);
  if (known !== null && known.snapshot === (await visit?.snapshot())) return { kind: 'not-modified', tag: known.tag };
  const { path: rawPath, query } = target(request);
  const method = request.method ?? 'GET';
  const lang = lastValue(query, 'lang');
  const locale = around.chooseLocale(lang, request.headers['accept-language']);
  progress.locale = locale;
  if (!SAFE.includes(method)) await around.requireWritable(locale);
  const { route, apiVersion, path } = findRoute(routes, method, rawPath, config.ENVIRONMENT);
  progress.style = route.errors;
  const viewer = await signIn(route, around, request, sender);
  if (viewer.kind === 'account') progress.allowance = KNOWN_SENDER;
  const links = { wrapsLinks: query.has('wrap_outgoing_links'), wrapLink: around.wrapLink };
  const view = viewOf(method, apiVersion, lang, config.BASE_URL, links);
  const { range, 'if-none-match': tags } = request.headers;
  const whole = method === 'GET' && range === undefined && tags === undefined;
  const address = `${config.BASE_URL}/${(request.url ?? '').replace(/^\/+/, '')}`;
  const asked = route.read({ path, query, whole, address, view, circumstances: progress });
  const context: Context = { viewer, locale, ip: sender.ip, requestId: sender.requestId };
  await asked.check(context);
  const tag = await tagInAdvance(asked, visit, context, request, progress);
  if (tag !== null) return { kind: 'not-modified', tag };
  const form = await readBody(route, request, response);
  try {
    return await asked.run(form, context);
  } finally {
    await form.file?.staged.discard();
  }
}

/** The tag of the answer to come, where it can be told without making the answer, and the reader has it. */
async function tagInAdvance(
  { revision }: RouteRequest,
  visit: Visit | null,
  context: Context,
  request: IncomingMessage,
  circumstances: Circumstances,
): Promise<string | null> {
  if (visit === null || revision === null || context.viewer.kind !== 'anonymous') return null;
  const snapshot = await visit.snapshot();
  const tag = tagOfRevision(await revision(context), circumstances);
  if (!isKnown(request, tag)) return null;
  rememberTag(visit, snapshot, tag);
  return tag;
}

async function signIn(route: Route, around: Surroundings, request: IncomingMessage, { ip }: Sender): Promise<Viewer> {
  if (route.signIn === 'ignored') return ANONYMOUS;
  const { authorization } = request.headers;
  if (authorization === undefined && route.signIn === 'optional') return ANONYMOUS;
  const viewer = await around.authenticate({ authorization, ip, jti: route.jti });
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
  reply: Exclude<Reply, { kind: 'not-modified' }>,
  progress: Progress,
): Promise<void> {
  const { allowance } = progress;
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
    const tag = revision === undefined ? tagOfBody(payload) : tagOfRevision(revision, progress);
    if (isKnown(request, tag)) return void sendNotModified(response, tag);
    response.setHeader('ETag', tag);
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
