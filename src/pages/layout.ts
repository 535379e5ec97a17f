import { html } from 'hono/html';
import { config } from '../config.ts';
import { notice } from './components/notice.ts';
import type { Html } from './html.ts';
import type { Content } from './page.ts';
import { siteFooter } from './site/footer.ts';
import { siteHeader } from './site/header.ts';
import { isTextKey } from './texts.ts';
import type { Ui } from './ui.ts';

/** The whole document of a page. */
export async function layout(ui: Ui, content: Content): Promise<string> {
  const { language, direction, theme, t } = ui;
  const document = html`<!doctype html>
<html lang="${language}" dir="${direction}"${theme === null ? '' : html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${content.title} – ${config.SITE_NAME}</title>
${head(ui, content)}
</head>
<body>
<a class="skip-link" href="#main">${t('site.skip')}</a>
${siteHeader(ui, content.section)}
<main id="main" tabindex="-1" data-live>
${doneNotice(ui)}
${content.main}
</main>
${siteFooter(ui)}
</body>
</html>
`;
  return String(await document);
}

function head(ui: Ui, content: Content): Html {
  const { description, robots, canonical, feeds = [], scripts = [], styles = [], refreshWithoutScripts } = content;
  return html`${['style.css', ...styles].map(
    (name) => html`<link rel="stylesheet" href="${ui.asset(name)}">
`,
  )}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${config.SITE_NAME}">
<meta name="color-scheme" content="${ui.theme ?? 'light dark'}">
${description ? html`<meta name="description" content="${description}">` : ''}
${robots ? html`<meta name="robots" content="${robots}">` : ''}
${canonical ? html`<link rel="canonical" href="${config.BASE_URL}${canonical}">` : ''}
${feeds.map(({ title, href }) => html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${href}">`)}
${['suggest.js', ...scripts].map((name) => html`<script type="module" src="${ui.asset(name)}"></script>`)}
${refreshWithoutScripts ? html`<noscript><meta http-equiv="refresh" content="${refreshWithoutScripts}"></noscript>` : ''}`;
}

/** What the form before this page did: the text `done.<code>` of the parameter `done`. */
function doneNotice(ui: Ui): Html {
  const code = new URL(ui.path, 'http://localhost').searchParams.get('done');
  const key = `done.${code}`;
  if (code === null || !isTextKey(key)) return html``;
  return notice(ui, { kind: 'ok', text: ui.t(key), isResult: true });
}
