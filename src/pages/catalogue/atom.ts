import { html } from 'hono/html';
import { config } from '../../config.ts';
import type { Html } from '../html.ts';
import type { TextFile } from '../page.ts';
import type { Ui } from '../ui.ts';
import { xmlFile } from './xml.ts';

/** An entry of a feed. Dates are ISO 8601. */
export interface FeedEntry {
  id: string;
  title: string | Html;
  url: string;
  published: string;
  updated: string;
  authors: readonly { name: string; url: string | null }[];
  /** Plain text, or sanitised HTML. */
  summary: { value?: string | null; locale?: string | null } | null;
  summaryType?: 'text' | 'html';
  categories?: readonly string[];
}

interface Feed {
  id: string;
  title: string | Html;
  /** The path of the feed itself. */
  path: string;
  /** The page that it is about. */
  url: string;
  entries: readonly FeedEntry[];
}

/** The year is part of the name, which must never change. */
const YEAR = 2026;

/** A name that never changes (RFC 4151): `tag:addons.example.org,2026:addon/12`. */
export const tagUri = (name: string): string => `tag:${new URL(config.BASE_URL).hostname},${YEAR}:${name}`;

/** An Atom feed (RFC 4287). Its date is that of the newest entry, so that it changes only with its content. */
export function atomFeed(ui: Ui, { id, title, path, url, entries }: Feed): Promise<TextFile> {
  const updated = entries.map((entry) => entry.updated).reduce((one, other) => (one > other ? one : other), '');
  return xmlFile(
    'application/atom+xml',
    html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${ui.language}">
<id>${id}</id>
<title>${title} – ${config.SITE_NAME}</title>
<updated>${updated || '1970-01-01T00:00:00Z'}</updated>
<author><name>${config.SITE_NAME}</name><uri>${config.BASE_URL}/</uri></author>
<link rel="self" type="application/atom+xml" href="${config.BASE_URL}${path}"/>
<link rel="alternate" type="text/html" href="${url}"/>
<icon>${`${config.BASE_URL}/favicon.svg`}</icon>
${entries.map(entryXml)}</feed>
`,
  );
}

function entryXml(entry: FeedEntry): Html {
  const { id, title, url, published, updated, authors, categories = [], summary, summaryType = 'text' } = entry;
  return html`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${published}</published>
<updated>${updated}</updated>
${authors.map(({ name, url: uri }) => html`<author><name>${name}</name>${uri === null ? '' : html`<uri>${uri}</uri>`}</author>`)}${categories.map(
  (category) => html`<category term="${category}"/>
`,
)}${summary?.value ? html`<summary type="${summaryType}" xml:lang="${summary.locale ?? ''}">${summary.value}</summary>` : ''}
</entry>
`;
}
