import type { IncomingMessage, ServerResponse } from 'node:http';
import { html, raw } from 'hono/html';
import { config } from '../config.ts';
import { findReleaseNotes } from '../domain/updates/release-notes.ts';
import { etagOfBody, isFresh, sendNotModified } from '../http/conditional.ts';
import { setHeaders } from '../http/headers.ts';
import { isRead, requestPath } from '../http/request-target.ts';
import { sendText } from '../http/send-text.ts';
import { withDatabaseErrorsExplained } from '../infra/database-errors.ts';
import { directionOf } from '../texts/languages.ts';

/** Language, slug and version. Browsers put any text in the place of the language. */
const PATH = /^\/([^/]{1,100})\/addon\/([^/]{1,2000})\/versions\/([^/]{1,2000})\/updateinfo\/?$/;

/** Nothing is loaded, run, framed or sent. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Serves the release notes of a version in the language closest to that of the address. Calls `next` for other addresses and for
 * versions without notes.
 */
export async function serveReleaseNotes(
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): Promise<void> {
  const match = PATH.exec(requestPath(request));
  if (match === null || !isRead(request)) return next();
  const [locale = '', slug = '', version = ''] = [match[1], ...match.slice(2).map((part) => decodeURIComponent(part))];
  const notes = await withDatabaseErrorsExplained(() => findReleaseNotes(slug, version, locale));
  if (notes === null) return next();
  const page = await releaseNotesPage(notes);
  const etag = etagOfBody(page);
  setHeaders(response, { 'Content-Security-Policy': POLICY, 'Cache-Control': `max-age=${config.UPDATE_MAX_AGE}` });
  if (isFresh(request.headers, etag)) return sendNotModified(response, etag);
  response.setHeader('ETag', etag);
  sendText(response, 200, 'text/html; charset=utf-8', page);
}

/** Release notes of a version. */
interface ReleaseNotes {
  slug: string;
  version: string;
  locale: string;
  /** Sanitised. */
  html: string;
}

/** The page with the release notes of a version. Add-on managers of browsers read it and show its body in their own style. */
async function releaseNotesPage(notes: ReleaseNotes): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="${notes.locale}" dir="${directionOf(notes.locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${notes.slug} ${notes.version}</title>
</head>
<body>
<div>${raw(notes.html)}</div>
</body>
</html>
`,
  );
}
