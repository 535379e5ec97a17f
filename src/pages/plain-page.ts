import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { html, raw } from 'hono/html';
import { config } from '../config.ts';
import { sendText } from '../http/send-text.ts';

/** A finished page. */
export interface Page {
  status: number;
  html: string;
  /** Whether it has a form, which is sent to this site. */
  hasForm: boolean;
}

type Content = ReturnType<typeof html>;

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; }
dt { font-weight: 600; margin-top: .5rem; }
dd { margin: 0; }
ol { list-style: none; padding: 0; }
li { border-top: 1px solid var(--line); padding: .75rem 0; }
.message { margin: 0; }
.place, .code { font-family: ui-monospace, monospace; font-size: .875rem; overflow-wrap: anywhere; }
.description { margin: .25rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.error { color: light-dark(#a4000f, #ff8a8a); font-weight: 600; }
.warning { color: light-dark(#7a4a00, #ffc46b); font-weight: 600; }
`;

/** What a page may load: its own style sheet and nothing else. */
const pagePolicy = (hasForm: boolean): string =>
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action ${hasForm ? "'self'" : "'none'"}; frame-ancestors 'none'`;

/** The layout around `content`. `refresh` is the reload interval in seconds, `language` that of the texts, English by default. */
export async function page(
  title: string,
  content: Content,
  options: { status?: number; refresh?: number; hasForm?: boolean; language?: string } = {},
): Promise<Page> {
  const refresh = options.refresh === undefined ? '' : html`<meta http-equiv="refresh" content="${options.refresh}">`;
  const { language = 'en' } = options;
  const document = html`<!doctype html>
<html lang="${language}" dir="${language === 'he' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}
<title>${title} – ${config.SITE_NAME}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${content}
</body>
</html>
`;
  return { status: options.status ?? 200, html: String(await document), hasForm: options.hasForm === true };
}

/** Sends a page, which browsers must not cache. */
export function sendPage(response: ServerResponse, { status, html, hasForm }: Page): void {
  response.setHeader('Content-Security-Policy', pagePolicy(hasForm));
  response.setHeader('Cache-Control', 'no-store');
  sendText(response, status, 'text/html; charset=utf-8', html);
}
