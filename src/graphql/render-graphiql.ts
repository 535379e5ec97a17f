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

const html = Buffer.from(renderGraphiQL(workerData as GraphiqlOptions));
const page: RenderedPage = {
  zipped: new Uint8Array(gzipSync(html)),
  length: html.length,
  etag: `"${createHash('sha256').update(html).digest('base64url')}"`,
};
parentPort?.postMessage(page, [page.zipped.buffer]);
