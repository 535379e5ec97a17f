import { html, raw } from 'hono/html';
import { config } from '../config.ts';
import { assetUrl } from '../http/assets.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { notice, RESULT_ID } from './components/notice.ts';
import { hasKeys, shortcutList } from './components/shortcuts.ts';
import { withoutDone } from './form.ts';
import type { Html } from './html.ts';
import type { PageContent } from './page.ts';
import { siteFooter } from './site/footer.ts';
import { siteHeader, type WaitingNumbers } from './site/header.ts';
import { isTextKey } from './texts.ts';
import type { Ui } from './ui.ts';

/* The head of a page: what programs read of it. */

/** Language tags of the interface with their most common country, as Open Graph has them. */
const OPEN_GRAPH_LOCALES = { en: 'en_US', de: 'de_DE', he: 'he_IL' } as const;

/**
 * The content of `<head>` after the title. The address of a refresh is explicit: to that of the document, whose fragment is the result of a
 * form, browsers would scroll instead of loading it.
 */
function head(ui: Ui, content: PageContent): Html {
  const { description, robots, canonical, feeds = [], scripts = [], styles = [], refreshWithoutScripts } = content;
  return html`${['style.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">`)}<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${config.SITE_NAME}">
<meta name="color-scheme" content="${ui.theme ?? 'light dark'}">
${description ? html`<meta name="description" content="${description}">` : ''}
${robots ? html`<meta name="robots" content="${robots}">` : ''}
${canonical ? publicAddress(ui, content, canonical) : ''}
${feeds.map(({ title, href }) => html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${href}">`)}
${['page.js', ...(hasKeys(ui) ? ['keys.js'] : []), ...scripts].map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}
${refreshWithoutScripts ? html`<noscript><meta http-equiv="refresh" content="${refreshWithoutScripts}; url=${withoutDone(ui.path)}"></noscript>` : ''}`;
}

/** The address of a page without parameters, its other languages, and what is shown of it where it is linked. */
function publicAddress(ui: Ui, content: PageContent, canonical: string): Html {
  const address = config.BASE_URL + canonical;
  const alternates = LANGUAGES.map((language) => ({ language, href: withLanguage(address, language) }));
  return html`<link rel="canonical" href="${address}">
${alternates.map(
  ({ language, href }) => html`<link rel="alternate" hreflang="${language}" href="${href}">
`,
)}<link rel="alternate" hreflang="x-default" href="${address}">
${content.robots === undefined && openGraph(ui, content, address)}
${content.structured !== undefined && structuredData(content.structured)}`;
}

function withLanguage(address: string, language: string): string {
  const url = new URL(address);
  url.searchParams.set('lang', language);
  return url.href;
}

/** The Open Graph protocol, which messengers and social networks read. */
const openGraph = (ui: Ui, { title, description, picture }: PageContent, address: string): Html =>
  html`<meta property="og:site_name" content="${config.SITE_NAME}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${description ? html`<meta property="og:description" content="${description}">` : ''}
<meta property="og:url" content="${address}">
<meta property="og:image" content="${picture ?? `${config.BASE_URL}/apple-touch-icon.png`}">
<meta property="og:locale" content="${OPEN_GRAPH_LOCALES[ui.language]}">`;

/** JSON-LD in the vocabulary of schema.org. Browsers do not run it, so no policy concerns it; no text can end the element. */
const structuredData = (data: Readonly<Record<string, unknown>>): Html =>
  html`<script type="application/ld+json">${raw(JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c'))}</script>`;

/** The whole document of a page. `waiting` is what waits for a viewer who is staff. */
export async function layout(ui: Ui, content: PageContent, waiting: WaitingNumbers | null): Promise<string> {
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
${siteHeader(ui, content.section, waiting)}
${readOnlyBanner(ui)}${noticeOfOperators(ui)}<main id="main" tabindex="-1" data-live>
${doneNotice(ui, content, waiting)}
${content.main}
</main>
${siteFooter(ui)}
${hasKeys(ui) && shortcutList(ui)}
</body>
</html>
`;
  return String(await document);
}

/** That nothing can be changed now, in the words of the operators or of the service. */
function readOnlyBanner(ui: Ui): Html {
  const { readOnly, viewer, t } = ui;
  if (readOnly === null) return html``;
  const { text } = readOnly;
  return html`<aside class="site-notice" aria-label="${t('site.read-only')}">
${notice(ui, {
  kind: 'warning',
  title: t('site.read-only'),
  text: text === null ? html`<p>${t('site.read-only-text')}</p>` : html`<p class="user-text" dir="auto">${text}</p>`,
  ...(viewer?.adminPages.includes('read-only') && {
    actions: html`<a href="/admin/read-only/">${t('site.read-only-switch')}</a>`,
  }),
})}
</aside>
`;
}

/** What operators tell all visitors. */
function noticeOfOperators(ui: Ui): Html {
  const { siteNotice, language, t } = ui;
  if (siteNotice === null) return html``;
  const { text } = siteNotice;
  const inLanguage = siteNotice.language === language ? html`` : html` lang="${siteNotice.language}"`;
  return html`<aside class="site-notice" aria-label="${t('site.notice')}">
${notice(ui, { kind: 'warning', text: html`<p class="user-text" dir="auto"${inLanguage}>${text}</p>` })}
</aside>
`;
}

/** What the form before this page did: by default the text `done.<code>` of the parameter `done`. */
function doneNotice(ui: Ui, { doneText, hasDoneText, afterDone }: PageContent, waiting: WaitingNumbers | null): Html {
  const code = new URL(ui.path, 'http://localhost').searchParams.get('done');
  const key = `done.${code}`;
  if (code === null || !isTextKey(key) || hasDoneText === true) return html``;
  const { text, actions } = afterDone?.(waiting) ?? {};
  return notice(ui, {
    kind: 'ok',
    text: html`${doneText ?? ui.t(key)}${text && html` ${text}`}`,
    isResult: true,
    id: RESULT_ID,
    ...(actions && { actions }),
  });
}
