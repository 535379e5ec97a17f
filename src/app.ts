/*
 * The web application: which part of the program answers which address, and what every answer has in common. Signing in
 * and the read-only mode are brought to the REST layer from here, because it knows neither the database nor its clients.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { authenticate } from './auth/authenticate.ts';
import { openLink, wrapLink } from './auth/outgoing-links.ts';
import { ANONYMOUS } from './auth/viewer.ts';
import { config } from './config.ts';
import { negotiateLocale } from './domain/addons/locales.ts';
import { findPicture } from './domain/pictures/find-picture.ts';
import { hasRefusals } from './domain/search/engine/refusals.ts';
import { isSearchDegraded } from './domain/search/engine/search-engine.ts';
import { askedTogether } from './graphql/per-request.ts';
import { graphqlHandler } from './graphql/server.ts';
import { expectsContinue } from './http/drain.ts';
import {
  CORS,
  commonHeaders,
  type HeaderList,
  NO_CONTENT_POLICY,
  PREFLIGHT,
  requestIdOf,
  setHeaders,
} from './http/headers.ts';
import { readinessProblems } from './http/health.ts';
import { pictureHandler } from './http/pictures.ts';
import { withDatabaseErrorsExplained } from './infra/database-errors.ts';
import { log } from './infra/log.ts';
import { isReadOnly, requireWritable } from './infra/read-only.ts';
import { readRootPem } from './infra/signer/root-certificate.ts';
import { readSnapshot } from './infra/snapshot-memory.ts';
import { PAGE_POLICY, type Page } from './pages/page.ts';
import { startPage } from './pages/start.ts';
import { validationPage } from './pages/validation.ts';
import { errorReply, unknownAddress } from './rest/errors.ts';
import { restHandler } from './rest/handler.ts';
import { openApiDocument } from './rest/openapi.ts';
import { routes } from './rest/routes/index.ts';

/** The language of constant texts for a request. */
function chooseLocale(lang: string | null, acceptLanguage: string | undefined): string {
  return negotiateLocale(lang, acceptLanguage ?? null, config.DEFAULT_LOCALE);
}

const API_PATH = /^\/(api|graphql)(\/|$)/;
const GRAPHQL_PATH = /^\/graphql\/?$/;
/**
 * What the REST layer answers: the API, files and updates of themes at the addresses that the catalogue names, and that there
 * is nothing else below /graphql.
 */
const REST_PATH = /^\/(api|graphql|downloads|themes)(\/|$)/;

const NO_CONTENT: HeaderList = ['Content-Security-Policy', NO_CONTENT_POLICY];

/**
 * Everything the web process serves. `isStopping` says whether it is going down. REST and GraphQL, which most requests are
 * for, are answered without a way through what the other addresses need.
 */
export function createApp(isStopping: () => boolean): RequestListener {
  const handleRest = restHandler(routes, {
    authenticate: (facts) => withDatabaseErrorsExplained(() => authenticate(facts)),
    requireWritable,
    chooseLocale,
    wrapLink,
    presentSnapshot: askedTogether(() => withDatabaseErrorsExplained(readSnapshot)),
    report: (error, requestId) => log.error({ err: error, requestId }, 'request failed'),
  });
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.TRUSTED_PROXIES);
  app.use(forwardLink);
  app.use(pictures());
  serveHealth(app, isStopping);
  serveDocuments(app);
  servePages(app);
  app.use(() => {
    throw unknownAddress();
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    answerError(error, response.locals.requestId, response),
  );
  return (request, response) => {
    request.url = originForm(request.url);
    const requestId = identify(request, response);
    const path = pathOf(request.url);
    const isGraphql = GRAPHQL_PATH.test(path);
    if (!isGraphql && !REST_PATH.test(path)) {
      setHeaders(response, commonHeaders(requestId));
      // Handlers find it where express keeps what belongs to a request.
      app(request, Object.assign(response, { locals: { requestId } }));
      return;
    }
    const answer = async () => {
      const headers = await headersOf(path, requestId);
      if (API_PATH.test(path) && request.method === 'OPTIONS') return answerPreflight(response, headers);
      const sender = { ip: addressOf(app, request), requestId };
      if (!isGraphql) return handleRest(request, response, sender, [...headers, ...NO_CONTENT]);
      setHeaders(response, headers);
      await graphqlHandler(request, response, sender);
    };
    answer().catch((error: unknown) => answerError(error, requestId, response));
  };
}

/** The target of a request without scheme and host, which a client may send (RFC 9112, section 3.2.2). */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The path of a target, as it was sent. */
function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** The sender's address as `request.ip` of express has it: who sent the request to the first of the proxies that are trusted. */
function addressOf(app: Express, { headers, socket }: IncomingMessage): string | null {
  const sender = socket.remoteAddress ?? null;
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return sender;
  const isTrusted: (address: string | null, hop: number) => boolean = app.get('trust proxy fn');
  const senders = [
    sender,
    ...[forwarded]
      .flat()
      .join()
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean)
      .reverse(),
  ];
  return senders.find((address, hop) => !isTrusted(address, hop)) ?? senders.at(-1) ?? null;
}

/** Names the request, and writes its line into the log when it is over. */
function identify(request: IncomingMessage, response: ServerResponse): string {
  const requestId = requestIdOf(request);
  if (request.headers.expect !== undefined && /^100-continue$/i.test(request.headers.expect)) expectsContinue(request);
  if (log.isLevelEnabled('info')) logWhenOver(request, response, requestId);
  return requestId;
}

function logWhenOver(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const started = performance.now();
  const path = pathOf(request.url ?? '/');
  response.once('close', () => {
    const line = { requestId, method: request.method, path, status: response.statusCode };
    const milliseconds = Math.round(performance.now() - started);
    log.info({ ...line, milliseconds, finished: response.writableFinished }, 'request');
  });
}

/** What all answers of the REST layer and of GraphQL have in common (contract: CORS, read-only mode), by path. */
async function headersOf(path: string, requestId: string): Promise<HeaderList> {
  const common = commonHeaders(requestId);
  if (!API_PATH.test(path)) return common;
  return [...common, ...CORS, 'X-SVC-Read-Only', String(await isReadOnly())];
}

function answerPreflight(response: ServerResponse, headers: HeaderList): void {
  setHeaders(response, headers);
  setHeaders(response, PREFLIGHT);
  response.statusCode = 204;
  response.end();
}

/** Forwards a reader along a link to another site that an answer of ours has wrapped. */
function forwardLink(request: Request, response: Response, next: NextFunction): void {
  const target = openLink(request.originalUrl);
  if (target === null || !['GET', 'HEAD'].includes(request.method)) return void next();
  response.setHeader('Content-Security-Policy', NO_CONTENT_POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Location', target);
  response.setHeader('Content-Length', 0);
  response.statusCode = 302;
  response.end();
}

/** Answers the addresses of pictures that the catalogue names. */
function pictures() {
  const handle = pictureHandler(findPicture);
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (!(await handle(request, response))) next();
  };
}

function serveHealth(app: Express, isStopping: () => boolean): void {
  app.get('/healthz', async (_request, response) => {
    const degraded = (await isSearchDegraded()) ? 'search: degraded\n' : '';
    const refusals = hasRefusals() ? 'search: requests refused\n' : '';
    send(response, 200, 'text/plain; charset=utf-8', `ok\n${degraded}${refusals}`);
  });
  app.get('/readyz', async (_request, response) => {
    const problems = isStopping() ? ['stopping'] : await readinessProblems();
    const status = problems.length === 0 ? 200 : 503;
    send(response, status, 'text/plain; charset=utf-8', problems.length === 0 ? 'ready\n' : `${problems.join('\n')}\n`);
  });
}

function serveDocuments(app: Express): void {
  app.get('/signing/root.pem', async (_request, response) => {
    const pem = await readRootPem();
    if (pem === null) throw unknownAddress();
    send(response, 200, 'application/x-pem-file', pem);
  });
  for (const version of ['v3', 'v4'] as const) {
    let text: string | undefined;
    app.get(`/docs/openapi-${version}.json`, (_request, response) => {
      text ??= JSON.stringify(openApiDocument(version));
      send(response, 200, 'application/json', text);
    });
  }
}

function servePages(app: Express): void {
  app.get('/', async (_request, response) => sendPage(response, await startPage()));
  app.get('/validation/:pk', async (request, response) => {
    const locale = chooseLocale(null, request.headers['accept-language']);
    const { requestId } = response.locals;
    const context = { viewer: ANONYMOUS, locale, ip: request.ip ?? null, requestId };
    sendPage(response, await validationPage(request.params.pk, context));
  });
}

function sendPage(response: Response, { status, html }: Page): void {
  response.setHeader('Content-Security-Policy', PAGE_POLICY);
  response.setHeader('Cache-Control', 'no-store');
  send(response, status, 'text/html; charset=utf-8', html);
}

function send(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** The last resort for whatever a handler throws. Express marks what is wrong with a request by a status below 500. */
function answerError(error: unknown, requestId: string, response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  setHeaders(response, commonHeaders(requestId));
  const isRequestsFault = error instanceof URIError || (error as { status?: unknown }).status === 400;
  const { status, headers, body } = errorReply(isRequestsFault ? unknownAddress() : error, 'detail');
  if (status === 500) log.error({ err: error, requestId }, 'request failed');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  send(response, status, 'application/json', JSON.stringify(body));
}
