import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { gunzip } from 'node:zlib';
import { config } from '../config.ts';
import { CSRF_HEADER } from './csrf.ts';
import type { GraphiqlOptions, RenderedPage } from './render-graphiql.ts';
import { SAMPLE_QUERIES } from './sample-queries.ts';

/** The page brings all its scripts with it and reaches nobody but us. */
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

/** Nine megabytes of editor, kept packed; rendered when first asked for. */
let rendered: Promise<RenderedPage> | undefined;

async function renderPage(): Promise<RenderedPage> {
  const options: GraphiqlOptions = {
    title: `${config.SITE_NAME}: GraphiQL`,
    endpoint: '/graphql',
    subscriptionsProtocol: 'SSE',
    credentials: 'omit',
    additionalHeaders: { [CSRF_HEADER]: 'graphiql' },
    defaultTabs: SAMPLE_QUERIES.map(({ query, variables }) => ({
      query,
      variables: JSON.stringify(variables, null, 2),
    })),
  };
  const thread = new Worker(new URL('render-graphiql.ts', import.meta.url), { workerData: options });
  const [page] = (await once(thread, 'message')) as [RenderedPage];
  return page;
}

/** Whether a browser's address bar asks. */
export function asksForPage(request: IncomingMessage): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
}

/** Sends the in-browser editor for queries, with the sample queries in its tabs. */
export async function sendGraphiql(request: IncomingMessage, response: ServerResponse): Promise<void> {
  rendered ??= renderPage().catch((error: unknown) => {
    rendered = undefined;
    throw error;
  });
  const { zipped, length, etag } = await rendered;
  const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept, Accept-Encoding');
  response.setHeader('ETag', etag);
  if (request.headers['if-none-match'] === etag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (packed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', packed ? zipped.length : length);
  response.end(packed ? zipped : await promisify(gunzip)(zipped));
}
