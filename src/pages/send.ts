import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { config } from '../config.ts';
import { countDownload } from '../domain/versions/download-counts.ts';
import type { SentBody } from '../execution/endpoint.ts';
import { execute } from '../execution/execute.ts';
import { SiteWaitingWorkDocument } from '../generated/operations/graphql.ts';
import { etagOfBody, isFresh, sendNotModified, sharedCaching } from '../http/conditional.ts';
import { setCookie } from '../http/cookies.ts';
import { endResponse, KNOWN_SENDER, UNKNOWN_SENDER } from '../http/drain.ts';
import { setHeaders } from '../http/headers.ts';
import { isRefusal } from '../http/http-refusal.ts';
import { logFailure, type Sender } from '../http/request-services.ts';
import { isRead } from '../http/request-target.ts';
import { savedAs, sendFile as sendStoredFile } from '../http/send-blob.ts';
import { layout } from './layout.ts';
import type { EventStream, PageContent, PageDownload, PageRedirect, PageResult, PageStream, TextFile } from './page.ts';
import { createPageContext, type PageContext } from './page-context.ts';
import type { WaitingNumbers } from './site/header.ts';
import type { Ui } from './ui.ts';

/** Time between comments that keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;

/** Sends events until they end or the client disconnects. */
async function sendEvents({ request, response, context }: PageContext, { open }: EventStream): Promise<void> {
  const events = await open(context);
  setHeaders(response, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Compression would hold events back.
    'Cache-Control': 'no-store, no-transform',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  // The client may have disconnected already, and `close` is emitted once.
  if (request.method === 'HEAD' || response.destroyed) {
    await events.return?.();
    return void response.end();
  }
  response.flushHeaders();
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
  response.once('close', () => void events.return?.());
  try {
    // Browsers open the stream again after its end, unless the page has closed it, as `live.js` does once the process is complete.
    for await (const data of events) response.write(`data: ${data}\n\n`);
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}

/** What a page may load, and that browsers report what it may not. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types server-html',
  'report-to csp',
].join('; ');

/** That of pages with a program of others. */
const FOREIGN_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:")
  .replace("require-trusted-types-for 'script'; trusted-types server-html; ", '');

/** A policy for the host of a request: pictures have addresses below BASE_URL, which may be another origin. */
function policyFor({ request }: PageContext, policy = POLICY): string {
  const { host, origin } = new URL(config.BASE_URL);
  return request.headers.host === host ? policy : policy.replace("img-src 'self'", `img-src 'self' ${origin}`);
}

/** Of responses that are no pages. */
const FILE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** How caches treat pages for anonymous visitors. */
const PUBLIC = 'public, no-cache';

const HEADERS = {
  'Reporting-Endpoints': 'csp="/csp-reports"',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Sends what a page returned. Returns the body of a page that may be cached for anonymous visitors, else null. */
export async function sendResult(pageContext: PageContext, result: PageResult): Promise<SentBody | null> {
  if (result.kind === 'redirect') sendRedirect(pageContext, result);
  else if (result.kind === 'file') sendFile(pageContext, result);
  else if (result.kind === 'download') await sendDownload(pageContext, result);
  else if (result.kind === 'stream') await sendStream(pageContext, result);
  else if (result.kind === 'events') await sendEvents(pageContext, result);
  else return sendContent(pageContext, result);
  return null;
}

/** Sends a page that is in no table, such as the sign-in of the demo. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  sender: Sender,
  content: (ui: Ui) => PageContent,
): Promise<void> {
  const pageContext = await createPageContext(request, response, sender);
  await sendContent(pageContext, content(pageContext.ui));
}

const HTML = 'text/html; charset=utf-8';

/** Sends a page. Refusals and responses to forms are not stored by caches. Returns as `sendResult` does. */
export async function sendContent(pageContext: PageContext, content: PageContent): Promise<SentBody | null> {
  const { response, ui } = pageContext;
  setHeaders(response, HEADERS);
  response.setHeader(
    'Content-Security-Policy',
    policyFor(pageContext, content.hasForeignProgram ? FOREIGN_POLICY : POLICY),
  );
  const { status = 200, neverStored, cookies = [] } = content;
  for (const cookie of cookies) setCookie(response, cookie);
  // The content may be rendered in several turns of the event loop.
  const [main, waiting] = await Promise.all([content.main, waitingFor(pageContext)]);
  const page = rendered(await layout(ui, { ...content, main }, waiting));
  sendText(pageContext, status, HTML, page, neverStored ? 'no-store' : PUBLIC);
  return status === 200 && !neverStored ? page : null;
}

/** What waits for a viewer who is staff; null for others, and while the service cannot count it. */
async function waitingFor({ ui: { viewer }, context, sender }: PageContext): Promise<WaitingNumbers | null> {
  if (viewer === null || !(viewer.opensQueue || viewer.isModerator || viewer.adminPages.length > 0)) return null;
  try {
    return (await execute(SiteWaitingWorkDocument, {}, context)).waitingWork;
  } catch (error) {
    // The page may be the one about this error.
    if (!isRefusal(error)) logFailure(error, sender.requestId);
    return null;
  }
}

/** Sends a page that was rendered for an earlier request. */
export function sendCachedPage(pageContext: PageContext, page: SentBody): void {
  setHeaders(pageContext.response, HEADERS);
  pageContext.response.setHeader('Content-Security-Policy', policyFor(pageContext));
  sendText(pageContext, 200, HTML, page, PUBLIC);
}

function rendered(text: string | Buffer): SentBody {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  // Weak, because compression changes the bytes.
  return { body, etag: `W/${etagOfBody(body)}` };
}

function sendRedirect({ request, response }: PageContext, { location, status, cookies = [] }: PageRedirect): void {
  for (const cookie of cookies) setCookie(response, cookie);
  response.statusCode = status;
  setHeaders(response, { Location: location, 'Content-Length': 0, 'Cache-Control': 'no-store' });
  endResponse(request, response, null, UNKNOWN_SENDER);
}

function sendFile(pageContext: PageContext, { contentType, text, fileName, cacheControl }: TextFile): void {
  const { response } = pageContext;
  // A file to save, such as one of a package, has no rights of this site, even where a browser shows it.
  response.setHeader('Content-Security-Policy', fileName === undefined ? FILE_POLICY : `${FILE_POLICY}; sandbox`);
  if (fileName !== undefined) response.setHeader('Content-Disposition', savedAs(fileName));
  sendText(pageContext, 200, contentType, rendered(text), cacheControl ?? PUBLIC);
}

/** The label of downloads from pages for developers, in the statistics. */
const DOWNLOAD_SOURCE = 'developers';

/** Sends a stored file to save. It is neither cached nor compressed, as ranges of it may be requested. */
async function sendDownload(pageContext: PageContext, { id, addonId, file }: PageDownload): Promise<void> {
  const { request, response, sender } = pageContext;
  setHeaders(response, {
    'Content-Security-Policy': FILE_POLICY,
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store, no-transform',
  });
  const isDelivered = await sendStoredFile(request, response, { ...file, disposition: 'attachment' });
  if (isDelivered) countDownload({ addonId, fileId: id, source: DOWNLOAD_SOURCE, address: sender.ip });
}

/** Sends a file while it is made. A client that disconnects ends it. */
async function sendStream({ request, response, context }: PageContext, stream: PageStream): Promise<void> {
  setHeaders(response, {
    'Content-Type': stream.contentType,
    'Content-Disposition': `attachment; filename="${stream.fileName}"`,
    'Content-Security-Policy': FILE_POLICY,
    'Cache-Control': 'private, no-store',
  });
  if (request.method === 'HEAD') return void response.end();
  await pipeline(stream.open(context), response).catch((error: unknown) => {
    if (!response.destroyed) throw error;
  });
}

/** Sends a text, or 304 to an anonymous client that holds it. `cacheControl` is for anonymous clients. */
function sendText(
  pageContext: PageContext,
  status: number,
  contentType: string,
  { body, etag }: SentBody,
  cacheControl: string,
): void {
  const { request, response, session } = pageContext;
  response.setHeader('Vary', 'Accept-Language, Cookie');
  if (status !== 200 || !isRead(request)) response.setHeader('Cache-Control', 'no-store');
  else if (session !== null) response.setHeader('Cache-Control', 'private, no-store');
  else {
    const isKept = pageContext.isShared && cacheControl === PUBLIC && !response.hasHeader('Set-Cookie');
    const shared = isKept ? sharedCaching() : '';
    response.setHeader('Cache-Control', shared === '' ? cacheControl : `public, max-age=0${shared}`);
    if (isFresh(request.headers, etag)) return void sendNotModified(response, etag);
    response.setHeader('ETag', etag);
  }
  response.statusCode = status;
  setHeaders(response, { 'Content-Type': contentType, 'Content-Length': body.length });
  const allowance = session === null ? UNKNOWN_SENDER : KNOWN_SENDER;
  endResponse(request, response, request.method === 'HEAD' ? null : body, allowance);
}
