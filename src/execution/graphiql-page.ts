import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { config } from '../config.ts';
import { isRead, requestPath } from '../http/request-target.ts';
import { CSRF_HEADER } from './csrf.ts';
import type { GraphiqlOptions, RenderedPage } from './render-graphiql.ts';

const SAMPLES = join(import.meta.dirname, '../../schema/samples');

/** An operation that the in-browser editor offers; its variables have default values. */
interface Sample {
  /** Name of the file without `.graphql`. The files are numbered in the order of the tabs. */
  name: string;
  text: string;
}

/** The samples of `schema/samples`, in the order of their names. */
export async function readSamples(): Promise<Sample[]> {
  const files = (await readdir(SAMPLES)).filter((file) => file.endsWith('.graphql')).sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.replace(/\.graphql$/, ''),
      text: await readFile(join(SAMPLES, file), 'utf8'),
    })),
  );
}

/** The page contains all its scripts and connects to this service only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const EDITOR_PATH = /^\/graphql\/editor\//;

/** The page of nine megabytes, compressed. Rendered at the first request. */
let rendered: Promise<RenderedPage> | undefined;

async function renderPage(): Promise<RenderedPage> {
  const options: GraphiqlOptions = {
    title: `${config.SITE_NAME}: GraphiQL`,
    endpoint: '/graphql',
    subscriptionsProtocol: 'SSE',
    credentials: 'omit',
    additionalHeaders: { [CSRF_HEADER]: 'graphiql' },
    defaultTabs: (await readSamples()).map(({ text }) => ({ query: text })),
  };
  const thread = new Worker(new URL('render-graphiql.ts', import.meta.url), { workerData: options });
  const [page] = (await once(thread, 'message')) as [RenderedPage];
  return page;
}

/** Whether a request has the address that `/graphql` redirects browsers to. */
export const isEditorAddress = ({ url }: IncomingMessage): boolean => EDITOR_PATH.test(url ?? '');

/** Whether a browser requests the editor: `/graphql` as a document, or the address that this redirects to. */
export function isPageRequest(request: IncomingMessage): boolean {
  const { method, headers } = request;
  if (isEditorAddress(request)) return isRead(request);
  return method === 'GET' && (headers.accept ?? '').includes('text/html');
}

/**
 * Sends the in-browser editor, with the samples in its tabs. `/graphql` redirects to an address that contains the hash of
 * the page, so that browsers keep the page until it changes.
 */
export async function sendEditor(request: IncomingMessage, response: ServerResponse): Promise<void> {
  rendered ??= renderPage().catch((error: unknown) => {
    rendered = undefined;
    throw error;
  });
  const page = await rendered;
  const path = `/graphql/editor/${page.hash}`;
  response.setHeader('Vary', 'Accept, Accept-Encoding');
  if (requestPath(request) !== path) {
    response.setHeader('Cache-Control', 'no-cache');
    response.writeHead(302, { Location: path }).end();
    return;
  }
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  await sendPage(page, request, response);
}

async function sendPage({ brotli, gzip, length }: RenderedPage, request: IncomingMessage, response: ServerResponse) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const variant = /\bbr\b/.test(accepted) ? { encoding: 'br', bytes: brotli } : { encoding: 'gzip', bytes: gzip };
  if (variant.encoding === 'br' || /\bgzip\b/.test(accepted)) {
    response.setHeader('Content-Encoding', variant.encoding);
    response.setHeader('Content-Length', variant.bytes.length);
    response.end(variant.bytes);
    return;
  }
  response.setHeader('Content-Length', length);
  if (request.method === 'HEAD') return void response.end();
  const unzip = createGunzip();
  unzip.end(gzip);
  // A client that disconnects is not an error.
  await pipeline(unzip, response).catch(() => {});
}
