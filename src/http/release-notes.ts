import type { IncomingMessage, ServerResponse } from 'node:http';
import { config } from '../config.ts';
import { etagOfBody, isFresh, sendNotModified } from './conditional.ts';
import { setHeaders } from './headers.ts';
import { isRead, requestPath } from './request-target.ts';
import { sendText } from './send-text.ts';

/** Language, slug and version. Browsers put any text in the place of the language. */
const PATH = /^\/([^/]{1,100})\/addon\/([^/]{1,2000})\/versions\/([^/]{1,2000})\/updateinfo\/?$/;

/** Nothing is loaded, run, framed or sent. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Returns the page of a version's release notes in the language closest to `locale`; null without such notes. */
export type ReadReleaseNotes = (slug: string, version: string, locale: string) => Promise<string | null>;

/** Makes the handler of release notes. It calls `next` for other addresses and unknown versions. */
export function releaseNotesHandler(read: ReadReleaseNotes) {
  return async (request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> => {
    const match = PATH.exec(requestPath(request));
    if (match === null || !isRead(request)) return next();
    const [, locale = '', slug = '', version = ''] = match;
    const page = await read(decodeURIComponent(slug), decodeURIComponent(version), locale);
    if (page === null) return next();
    const etag = etagOfBody(page);
    setHeaders(response, { 'Content-Security-Policy': POLICY, 'Cache-Control': `max-age=${config.UPDATE_MAX_AGE}` });
    if (isFresh(request.headers, etag)) return sendNotModified(response, etag);
    response.setHeader('ETag', etag);
    sendText(response, 200, 'text/html; charset=utf-8', page);
  };
}
