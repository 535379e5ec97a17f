/* Files that pages load: style sheet and scripts. Their address contains a hash of all of them, so responses never change. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_CONTENT_POLICY, setHeaders } from './headers.ts';
import { isRead, requestPath } from './request-target.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const FOLDER = join(import.meta.dirname, '../pages/assets');

/** Files of the page to try requests, served here so that no page loads anything from elsewhere. */
const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)),
);

/** The contents of all files by name, read once. */
const files = new Map(
  [...readdirSync(FOLDER).map((name) => join(FOLDER, name)), ...SWAGGER_FILES].map((path) => [
    basename(path),
    readFileSync(path),
  ]),
);

const BASE = baseOf(files);

function baseOf(contents: ReadonlyMap<string, Buffer>): string {
  const digest = createHash('sha256');
  for (const [name, bytes] of contents) digest.update(`${name}\0${bytes.length}\0`).update(bytes);
  return `/assets/${digest.digest('hex').slice(0, 16)}/`;
}

/** The address of a style sheet or script. @throws {Error} for an unknown name. */
export function assetUrl(name: string): string {
  if (!files.has(name)) throw new Error(`There is no asset "${name}".`);
  return BASE + name;
}

/** Serves the files. Calls `next` for other addresses. */
export function serveAsset(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const path = requestPath(request);
  const bytes = path.startsWith(BASE) ? files.get(path.slice(BASE.length)) : undefined;
  if (bytes === undefined || !isRead(request)) return void next();
  setHeaders(response, {
    'Content-Security-Policy': NO_CONTENT_POLICY,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': bytes.length,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
