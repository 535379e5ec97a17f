/*
 * Express matches the text of a path. Here `/%61bout/` is the address `/about/`, `#` is a character of its segment, and no address has an
 * empty segment, an invalid escape or a NUL. So a path is normalized before Express matches it.
 */
import express, { type RequestHandler, type Router } from 'express';
import { requestPath } from './request-target.ts';

/** A router whose paths are case-sensitive and match with and without a trailing slash, because clients differ in it. */
export const caseSensitiveRouter = (): Router => express.Router({ caseSensitive: true });

/** Paths that need no change: without escapes, empty segments, and characters that Express reads in another way. */
const PLAIN_PATH = /^(?:\/[\w.~!$&'()*+,;=:@-]+)*\/?$/;

/** The path with each segment encoded as `encodeURIComponent` does; null for a path that no address has. */
function normalPath(path: string): string | null {
  if (PLAIN_PATH.test(path)) return path;
  const hasSlash = path.endsWith('/');
  const segments = path
    .slice(1, hasSlash ? -1 : undefined)
    .split('/')
    .map(normalSegment);
  return segments.includes(null) ? null : `/${segments.join('/')}${hasSlash ? '/' : ''}`;
}

function normalSegment(raw: string): string | null {
  try {
    const text = decodeURIComponent(raw);
    return text === '' || text.includes('\0') ? null : encodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Runs `router` with the normal path as `request.url`. `request.originalUrl` is the sent one, which `next` also restores as `url`. */
export function onNormalPath(router: Router): RequestHandler {
  return (request, response, next) => {
    const sent = request.url;
    const path = requestPath(request);
    const normal = normalPath(path);
    if (normal === null) return next();
    request.url = normal + sent.slice(path.length);
    router(request, response, (error?: unknown) => {
      request.url = sent;
      next(error);
    });
  };
}
