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

/** Files of the page to try requests, served here so that no page loads anything from elsewhere. */
export const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)),
);

/** The files of a folder, read once. */
interface Assets {
  /** The address of a file. @throws {Error} for an unknown name. */
  urlOf(name: string): string;
  /** Serves the files; calls `next` for other addresses. */
  handle(request: IncomingMessage, response: ServerResponse, next: () => void): void;
}

/** Reads all files of a folder, and further files by their paths. */
export function assetsOf(folder: string, further: readonly string[] = []): Assets {
  const paths = [...readdirSync(folder).map((name) => join(folder, name)), ...further];
  const files = new Map(paths.map((path) => [basename(path), readFileSync(path)]));
  const digest = createHash('sha256');
  for (const [name, bytes] of files) digest.update(`${name}\0${bytes.length}\0`).update(bytes);
  const base = `/assets/${digest.digest('hex').slice(0, 16)}/`;
  return {
    urlOf(name) {
      if (!files.has(name)) throw new Error(`There is no asset "${name}".`);
      return base + name;
    },
    handle(request, response, next) {
      const path = requestPath(request);
      const bytes = path.startsWith(base) ? files.get(path.slice(base.length)) : undefined;
      if (bytes === undefined || !isRead(request)) return next();
      setHeaders(response, {
        'Content-Security-Policy': NO_CONTENT_POLICY,
        'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
        'Content-Length': bytes.length,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    },
  };
}
