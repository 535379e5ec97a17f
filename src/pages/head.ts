/* The head of a page: what programs read of it. */
import { html, raw } from 'hono/html';
import { config } from '../config.ts';
import { assetUrl } from '../http/assets.ts';
import { LANGUAGES } from '../texts/languages.ts';
import { hasKeys } from './components/shortcuts.ts';
import type { Html } from './html.ts';
import type { Content } from './page.ts';
import type { Ui } from './ui.ts';

/** Language tags of the interface with their most common country, as Open Graph has them. */
const OPEN_GRAPH_LOCALES = { en: 'en_US', de: 'de_DE', he: 'he_IL' } as const;

/** The content of `<head>` after the title. */
export function head(ui: Ui, content: Content): Html {
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
${['suggest.js', ...(hasKeys(ui) ? ['keys.js'] : []), ...scripts].map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}
${refreshWithoutScripts ? html`<noscript><meta http-equiv="refresh" content="${refreshWithoutScripts}"></noscript>` : ''}`;
}

/** The address of a page without parameters, its other languages, and what is shown of it where it is linked. */
function publicAddress(ui: Ui, content: Content, canonical: string): Html {
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
const openGraph = (ui: Ui, { title, description, picture }: Content, address: string): Html =>
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
