/*
 * The web application: which handler serves which address. The REST layer gets authentication, the read-only gate and the
 * other dependencies that it must not import from here.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import { authenticate } from './auth/authenticate.ts';
import { openLink, wrapLink } from './auth/outgoing-links.ts';
import { viewerOfPage } from './auth/page-session.ts';
import { requireSignedIn } from './auth/permissions.ts';
import { ANONYMOUS, type Viewer } from './auth/viewer.ts';
import { LIMITS } from './commands/limits.ts';
import { config } from './config.ts';
import { DEMO_SIGN_IN_PATH, hasDemoSignIn, showDemoSignIn, submitDemoSignIn } from './demo/sign-in.ts';
import { checkpointKey, publishedCheckpoint } from './domain/activity/checkpoints.ts';
import { negotiateLocale } from './domain/addons/locales.ts';
import { wrapHtml } from './domain/addons/wrap-links.ts';
import { findPicture } from './domain/pictures/find-picture.ts';
import { hasRefusals, isSearchDegraded, requireSearchRoom } from './domain/search/search-engine.ts';
import { findOwnUpdate, readOwnManifest } from './domain/updates/own-manifest.ts';
import { findReleaseNotes } from './domain/updates/release-notes.ts';
import { respondToCheck } from './domain/updates/respond.ts';
import { countDownload } from './domain/versions/download-counts.ts';
import { graphqlHandler } from './graphql/server.ts';
import { acceptedLanguages, acceptsPages } from './http/accepts.ts';
import { assetsOf, SWAGGER_FILES } from './http/assets.ts';
import { clientAddress, compileTrust } from './http/client-address.ts';
import { compress } from './http/compress.ts';
import { setCookie } from './http/cookies.ts';
import { endResponse, expectsContinue, UNKNOWN_SENDER } from './http/drain.ts';
import { linkForwarder } from './http/forward-link.ts';
import { CORS, NO_CONTENT_POLICY, PREFLIGHT, securityHeaders, setHeaders } from './http/headers.ts';
import { livenessHandler, readinessHandler } from './http/health.ts';
import { unknownAddress } from './http/http-refusal.ts';
import { lateErrorHandler } from './http/late-errors.ts';
import { pictureHandler } from './http/pictures.ts';
import { releaseNotesHandler } from './http/release-notes.ts';
import { logRequest, requestIdOf } from './http/request-id.ts';
import { originForm } from './http/request-target.ts';
import { sendText, textHandler } from './http/send-text.ts';
import { readBytes } from './http/small-body.ts';
import { updateHandler } from './http/update-checks.ts';
import { updateManifestHandler } from './http/update-manifests.ts';
import { withDatabaseErrorsExplained } from './infra/database-errors.ts';
import { log } from './infra/log.ts';
import { networkOf } from './infra/network.ts';
import { consumeLimit, consumeUploadLimit, countSubmissionWrite } from './infra/rate-limits.ts';
import { isReadOnly, requireWritable } from './infra/read-only.ts';
import { claimForm, findSentForm, finishForm, releaseForm } from './infra/sent-forms.ts';
import { readRootPem } from './infra/signer/root-certificate.ts';
import { reserveUpload } from './infra/staging/reserve-upload.ts';
import { pageHandler } from './pages/handler.ts';
import type { PageLimit } from './pages/page.ts';
import { releaseNotesPage } from './pages/release-notes.ts';
import { signInProblem } from './pages/site/sign-in-problem.ts';
import { forms, pages } from './pages/table.ts';
import type { ExpectedUpload } from './rest/body.ts';
import { errorReply } from './rest/errors.ts';
import { type ApiVersion, isServed } from './rest/gates.ts';
import { restHandler } from './rest/handler.ts';
import { type DocumentedVersion, openApiText } from './rest/openapi.ts';
import { routes } from './rest/routes/index.ts';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/** Scripts of other sites may call these. */
const API_PATH = /^\/(?:api|graphql|downloads)(?:\/|$)/;
const GRAPHQL_PATH = /^\/graphql(?:\/|\/editor\/[\w-]+)?$/;
/** The API, downloads, theme updates, and 404 in the form of REST for everything else below /graphql. */
const REST_PATH = /^\/(?:api|graphql|downloads|themes)(?:\/|$)/;

/** A report of violated policies, in bytes, and what is logged of it, in characters. */
const MAX_REPORT_BYTES = 16 * 1024;
const MAX_LOGGED_REPORT = 1_000;

const LOGIN_START_PATH = /^\/api\/(v3|v4|v4dev)\/accounts\/login\/start\/?$/;

/** Makes the request handler of the web process. `isStopping` returns whether the process shuts down. */
export function createApp(isStopping: () => boolean): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  const isTrusted = compileTrust(config.TRUSTED_PROXIES);
  app.use(identify(isTrusted));
  app.route(API_PATH).all(openToOtherSites);
  app.route(LOGIN_START_PATH).get(startDemoSignIn);
  app.route(GRAPHQL_PATH).all((request, response) => graphqlHandler(request, response, response.locals.sender));
  app.route(REST_PATH).all((request, response) => handleRest(request, response, response.locals.sender));
  app.use(linkForwarder(openLink));
  app.use(pictureHandler(findPicture));
  app.use(compress());
  app.use(assets.handle);
  app.post('/csp-reports', receiveCspReport);
  app.get('/signing/log/checkpoint', textHandler(PLAIN_TEXT, publishedCheckpoint));
  app.get('/signing/log/key', textHandler(PLAIN_TEXT, checkpointKey));
  app.use(async (request, response, next) => {
    if (!(await sitePages.handle(request, response, response.locals.sender))) next();
  });
  app.get('/healthz', livenessHandler(searchWarnings));
  app.get('/readyz', readinessHandler(isStopping));
  app.get('/signing/root.pem', textHandler('application/x-pem-file', readRootPem));
  app.get('/docs/openapi-v3.json', openApi('v3'));
  app.get('/docs/openapi-v4.json', openApi('v4'));
  app.get('/docs/openapi-v5.json', openApi('v5'));
  app.post(DEMO_SIGN_IN_PATH, finishDemoSignIn);
  app.use(releaseNotesHandler(readReleaseNotes));
  app.use(updateManifestHandler({ readManifest: readOwnManifest, findFile: findOwnUpdate }));
  app.use(() => {
    throw unknownAddress();
  });
  app.use(lateErrorHandler(report));
  app.use(sendError);
  const serveUpdateCheck = updateHandler({
    respond: respondToCheck,
    clientAddress: (request) => clientAddress(request, isTrusted),
    sendError: sendUpdateError,
  });
  return (request, response) => {
    request.url = originForm(request.url);
    if (!serveUpdateCheck(request, response)) app(request, response);
  };
}

const handleRest = restHandler(routes, {
  authenticate: (facts) => withDatabaseErrorsExplained(() => authenticate(facts)),
  requireWritable,
  requireSearchRoom,
  reserveUpload: reserveCountedUpload,
  countWrite: (viewer) => withDatabaseErrorsExplained(() => countSubmissionWrite(requireSignedIn(viewer).accountId)),
  chooseLocale,
  wrapLink,
  wrapHtml,
  countDownload,
  sendProblemPage: (request, response, sender, problem) =>
    sitePages.send(request, response, sender, (ui) => signInProblem(ui, problem)),
  report,
});

/** Reserves room for an upload, and counts one of a package. */
async function reserveCountedUpload(viewer: Viewer, { bytes, isCounted }: ExpectedUpload): Promise<() => void> {
  const { accountId } = requireSignedIn(viewer);
  if (isCounted) await withDatabaseErrorsExplained(() => consumeUploadLimit(accountId));
  return reserveUpload(accountId, bytes);
}

function report(error: unknown, requestId: string): void {
  log.error({ err: error, requestId }, 'request failed');
}

const assets = assetsOf(join(import.meta.dirname, 'pages/assets'), SWAGGER_FILES);

const sitePages = pageHandler(pages, forms, {
  viewerOf: (session) => withDatabaseErrorsExplained(() => viewerOfPage(session)),
  chooseLocale,
  wrapLink,
  countDownload,
  asset: assets.urlOf,
  help: { apiDocument: (version) => JSON.parse(openApiText(version)), limits: LIMITS },
  countVisit: (limit, viewer, ip) => withDatabaseErrorsExplained(() => countVisit(limit, viewer, ip)),
  reserveUpload: reserveCountedUpload,
  sentForms: {
    claim: (hash) => withDatabaseErrorsExplained(() => claimForm(hash)),
    find: (hash) => withDatabaseErrorsExplained(() => findSentForm(hash)),
    finish: (hash, location) => withDatabaseErrorsExplained(() => finishForm(hash, location)),
    release: (hash) => withDatabaseErrorsExplained(() => releaseForm(hash)),
  },
  report,
});

/** Counts a request of a page for its account or address. */
async function countVisit(limit: PageLimit | 'csp-report', viewer: Viewer, ip: string | null): Promise<void> {
  if (viewer.kind === 'account') await consumeLimit(limit, `account ${viewer.accountId}`);
  else if (ip !== null) await consumeLimit(limit, networkOf(ip));
}

/** The language of constant texts for a request. */
function chooseLocale(lang: string | null, acceptLanguage: string | undefined): string {
  return negotiateLocale(lang, acceptedLanguages(acceptLanguage), config.DEFAULT_LOCALE);
}

/** Sets the client's address and the request id as `response.locals.sender`, and the headers of every response. */
function identify(isTrustedProxy: (address: string) => boolean) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const requestId = requestIdOf(request);
    response.locals.sender = { ip: clientAddress(request, isTrustedProxy), requestId };
    if (/^100-continue$/i.test(request.headers.expect ?? '')) expectsContinue(request);
    logRequest(request, response, requestId);
    setHeaders(response, { 'X-Request-Id': requestId, ...securityHeaders() });
    next();
  };
}

/** Sets the headers of all API responses (CORS, read-only mode), and responds to preflight requests. */
async function openToOtherSites(request: Request, response: Response, next: NextFunction): Promise<void> {
  setHeaders(response, CORS);
  response.setHeader('X-SVC-Read-Only', String(await isReadOnly()));
  if (request.method !== 'OPTIONS') return next();
  setHeaders(response, PREFLIGHT);
  response.statusCode = 204;
  response.end();
}

/** In the demo without an identity provider, a page takes the place of the redirect to the provider. */
async function startDemoSignIn(request: Request, response: Response, next: NextFunction): Promise<void> {
  const isKnown = isServed(request.params[0] as ApiVersion, config.ENVIRONMENT);
  const isDemo = request.method === 'GET' && isKnown && (await withDatabaseErrorsExplained(hasDemoSignIn));
  if (!isDemo) return next();
  await sitePages.send(request, response, response.locals.sender, (ui) => showDemoSignIn(request, ui));
}

async function finishDemoSignIn(request: Request, response: Response): Promise<void> {
  const locale = chooseLocale(null, request.headers['accept-language']);
  await requireWritable(locale);
  const { ip } = response.locals.sender;
  const result = await withDatabaseErrorsExplained(() => submitDemoSignIn(request, { ip, locale }));
  if ('page' in result) return sitePages.send(request, response, response.locals.sender, result.page);
  const { location, cookies } = result;
  for (const cookie of cookies) setCookie(response, cookie);
  setHeaders(response, { Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 });
  response.statusCode = 303;
  response.end();
}

async function readReleaseNotes(slug: string, version: string, locale: string): Promise<string | null> {
  const notes = await withDatabaseErrorsExplained(() => findReleaseNotes(slug, version, locale));
  return notes && releaseNotesPage(notes);
}

async function searchWarnings(): Promise<string[]> {
  const degraded = await isSearchDegraded();
  return [...(degraded ? ['search: degraded'] : []), ...(hasRefusals() ? ['search: requests refused'] : [])];
}

const openApi = (version: DocumentedVersion) => textHandler('application/json', () => openApiText(version));

/** Sends an error of an update check, which may have an unread body. */
function sendUpdateError(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const { status, headers, body } = errorReply(error, 'detail');
  if (status === 500) log.error({ err: error, requestId }, 'request failed');
  const payload = JSON.stringify(body);
  setHeaders(response, {
    ...{ 'X-Request-Id': requestId, ...securityHeaders(), 'Content-Security-Policy': NO_CONTENT_POLICY, ...headers },
    ...{ 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) },
  });
  response.statusCode = status;
  endResponse(request, response, request.method === 'HEAD' ? null : payload, UNKNOWN_SENDER);
}

/** Sends errors of all handlers before the headers. Express marks malformed requests by a status below 500. */
async function sendError(error: unknown, request: Request, response: Response, _next: NextFunction): Promise<void> {
  const isMalformed = error instanceof URIError || (error as { status?: unknown }).status === 400;
  const refusal = isMalformed ? unknownAddress() : error;
  const { sender } = response.locals;
  if (isForBrowser(request)) return sitePages.sendError(request, response, sender, refusal);
  const { status, headers, body } = errorReply(refusal, 'detail');
  const { requestId } = sender;
  if (status === 500) log.error({ err: error, requestId }, 'request failed');
  setHeaders(response, headers);
  sendText(response, status, 'application/json', JSON.stringify(body));
}

/** Whether an error is shown as a page: outside of the API and of files, to browsers. */
function isForBrowser({ path, headers }: Request): boolean {
  return !API_PATH.test(path) && !/^\/(?:media|static|assets|update)\//.test(path) && acceptsPages(headers.accept);
}

/** Logs what a browser reports that a page must not load. */
async function receiveCspReport(request: Request, response: Response): Promise<void> {
  const { ip, requestId } = response.locals.sender;
  await countVisit('csp-report', ANONYMOUS, ip);
  const reports = await readBytes(request, MAX_REPORT_BYTES);
  log.warn(
    { requestId, reports: reports.toString().slice(0, MAX_LOGGED_REPORT) },
    'a page broke its content security policy',
  );
  response.statusCode = 204;
  response.end();
}
