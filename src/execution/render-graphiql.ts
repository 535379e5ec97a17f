/*
 * A worker thread that renders the in-browser editor, compresses it, posts the variants to its parent, and ends. The library
 * is a script of nine megabytes within a script, which would occupy 40 MB of the server's memory.
 */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

export type GraphiqlOptions = NonNullable<Parameters<typeof renderGraphiQL>[0]>;

export interface RenderedPage {
  brotli: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  /** Length of the page without compression, in bytes. */
  length: number;
  /** SHA-256 of the page, in base64url. */
  hash: string;
}

/**
 * A tab that the editor moves while the page is rendered jumps back when it is pressed, away from the mouse pointer, so that no
 * other tab can be chosen. Tabs keep their places without the transformation.
 */
const FIXED_TABS = '<style>.graphiql-tab { transform: none !important; }</style>';

const html = Buffer.from(
  renderGraphiQL(workerData as GraphiqlOptions).replace('</head>', () => `${FIXED_TABS}</head>`),
);
const page: RenderedPage = {
  brotli: new Uint8Array(brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })),
  gzip: new Uint8Array(gzipSync(html)),
  length: html.length,
  hash: createHash('sha256').update(html).digest('base64url'),
};
parentPort?.postMessage(page, [page.brotli.buffer, page.gzip.buffer]);
