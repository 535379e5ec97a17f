import { html } from 'hono/html';
import { config } from '../../config.ts';
import { SitemapDocument, SitemapPartDocument } from '../../generated/operations/graphql.ts';
import { type Param, recordId, sentText } from '../../http/params.ts';
import { DOCUMENTED_VERSIONS } from '../../rest/openapi.ts';
import { HELP_PAGES } from '../docs/article.ts';
import type { Html } from '../html.ts';
import { type PageRow, page, type TextFile } from '../page.ts';
import { xmlFile } from './xml.ts';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Pages that are not about one add-on. */
const PATHS = [
  '/',
  '/categories/',
  '/language-tools/',
  '/replacements/',
  '/signing/',
  '/about/',
  '/docs/',
  ...HELP_PAGES.map(({ href }) => href),
  ...DOCUMENTED_VERSIONS.map((version) => `/docs/api/${version}/`),
];

const file = (root: Html): Promise<TextFile> => xmlFile('application/xml', root);

/** The index of the parts: one for the pages of the site, the others for ranges of add-ons. */
const sitemapPage = page({
  path: '/sitemap.xml',
  visitor: 'all',
  document: SitemapDocument,
  view: ({ sitemap: { parts } }) =>
    file(html`<sitemapindex xmlns="${NAMESPACE}">
<sitemap><loc>${`${config.BASE_URL}/sitemap/pages.xml`}</loc></sitemap>
${parts.map(
  ({ number, lastUpdated }) =>
    html`<sitemap><loc>${`${config.BASE_URL}/sitemap/addons/${number}.xml`}</loc><lastmod>${lastUpdated}</lastmod></sitemap>
`,
)}</sitemapindex>
`),
});

const siteSitemapPage = page({
  path: '/sitemap/pages.xml',
  visitor: 'all',
  view: () => file(urlSet(PATHS.map((path) => html`<url><loc>${config.BASE_URL}${path}</loc></url>`))),
});

/** The add-ons of one range of ids. */
const addonsSitemapPage = page({
  path: '/sitemap/addons/:part',
  visitor: 'all',
  params: { part: partNumber() },
  document: SitemapPartDocument,
  variables: ({ path }) => path,
  view: ({ sitemap: { entries } }) =>
    entries.length === 0
      ? null
      : file(
          urlSet(
            entries.map(({ url, lastUpdated }) => html`<url><loc>${url}</loc><lastmod>${lastUpdated}</lastmod></url>`),
          ),
        ),
});

/** `12.xml`; anything else is a part that does not exist. */
function partNumber(): Param<number> {
  const param = recordId('Number of the part, with `.xml`.');
  const read = sentText.transform((text) => {
    const [, digits] = /^(\d{1,9})\.xml$/.exec(text ?? '') ?? [];
    return digits === undefined ? -1 : param.read.parse(digits);
  });
  return { ...param, read };
}

const urlSet = (urls: readonly Html[]): Html => html`<urlset xmlns="${NAMESPACE}">
${urls}</urlset>
`;

export const sitemapPages: readonly PageRow[] = [sitemapPage, siteSitemapPage, addonsSitemapPage];
