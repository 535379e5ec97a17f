import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'hono/html';
import { config } from '../../config.ts';
import { type PageRow, page } from '../page.ts';
import { xmlFile } from './xml.ts';

const ENCODING = 'UTF-8';

/** What crawlers must not fetch: searches, files and comparisons, and what only signed-in people see. */
const DISALLOWED = [
  '/search/',
  '/tag/',
  '/outgoing/',
  '/account/',
  '/login/',
  '/logout/',
  '/preferences/',
  '/report/',
  '/developers/',
  '/reviewers/',
  '/moderation/',
  '/admin/',
  '/validation/',
  '/addon/*/report/',
  '/addon/*/latest/',
  '/addon/*/compare/',
  '/addon/*/versions/*/files/',
  '/user/*/report/',
  '/ratings/*/report/',
  '/signing/log/',
  '/docs/api/*/try/',
  '/graphql',
  '/api/',
  '/downloads/',
];

/** The rules of crawlers (RFC 9309). */
const robotsPage = page({
  path: '/robots.txt',
  visitor: 'all',
  view: () => ({
    kind: 'file',
    contentType: 'text/plain; charset=utf-8',
    text: [
      'User-agent: *',
      ...DISALLOWED.map((path) => `Disallow: ${path}`),
      `Sitemap: ${config.BASE_URL}/sitemap.xml`,
      '',
    ].join('\n'),
  }),
});

/** How browsers add the search of this site (OpenSearch 1.1). */
const openSearchPage = page({
  path: '/opensearch.xml',
  visitor: 'all',
  view: (_data, _input, { t }) =>
    xmlFile(
      'application/opensearchdescription+xml',
      html`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${config.SITE_NAME.slice(0, 16)}</ShortName>
<Description>${t('site.search-label')}</Description>
<InputEncoding>${ENCODING}</InputEncoding>
<Image width="16" height="16" type="image/svg+xml">${`${config.BASE_URL}/favicon.svg`}</Image>
<Url type="text/html" method="get" template="${config.BASE_URL}/search/?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${config.BASE_URL}/opensearch.xml"/>
</OpenSearchDescription>
`,
    ),
});

/** The icon of the site: a piece of a puzzle. `draw-defaults.ts` makes those of other formats from it. */
const FAVICON = readFileSync(join(import.meta.dirname, '../img/favicon.svg'), 'utf8');

const faviconPage = page({
  path: '/favicon.svg',
  visitor: 'all',
  view: () => ({
    kind: 'file',
    contentType: 'image/svg+xml',
    text: FAVICON,
    cacheControl: 'public, max-age=86400',
  }),
});

export const crawlerPages: readonly PageRow[] = [robotsPage, openSearchPage, faviconPage];
