/*
 * A thread that renders the in-browser editor, packs it, posts both to whoever started it, and ends. The library is nine
 * megabytes of script within a script, which would take forty in the memory of the server for good.
 */
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

export type GraphiqlOptions = NonNullable<Parameters<typeof renderGraphiQL>[0]>;

export interface RenderedPage {
  zipped: Uint8Array<ArrayBuffer>;
  /** The length of the page as it is, in bytes. */
  length: number;
  etag: string;
}

/**
 * A tab that the editor has moved while the page was made jumps back there as soon as it is pressed, out from under the mouse,
 * so that nobody could choose another one. Its place in the row is enough.
 */
const FIXED_TABS = '<style>.graphiql-tab { transform: none !important; }</style>';

const html = Buffer.from(
  renderGraphiQL(workerData as GraphiqlOptions).replace('</head>', () => `${FIXED_TABS}</head>`),
);
const page: RenderedPage = {
  zipped: new Uint8Array(gzipSync(html)),
  length: html.length,
  etag: `"${createHash('sha256').update(html).digest('base64url')}"`,
};
parentPort?.postMessage(page, [page.zipped.buffer]);
