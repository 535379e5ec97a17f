import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { builder } from '../../graphql/builder.ts';
import { pool, prepared } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { addonPageUrl } from '../addons/addresses.ts';

/** Ids of one part. Sitemaps may have 50,000 addresses and 50 MB (sitemaps.org). */
const IDS = 10_000;

/** A public page and when it changed. */
interface SitemapEntry {
  id: number;
  slug: string;
  lastUpdated: Date;
}

/** A range of ids with public add-ons, and when the newest of them changed. */
interface SitemapRange {
  number: number;
  lastUpdated: Date;
}

const readParts = prepared<SitemapRange>(
  pool,
  'sitemap-parts',
  `SELECT (a.id - 1) / ${IDS} AS number, max(a.last_updated) AS "lastUpdated" FROM addon a
    WHERE ${IS_PUBLIC_ADDON} AND a.slug IS NOT NULL GROUP BY number ORDER BY number`,
);

const readEntries = prepared<SitemapEntry>(
  pool,
  'sitemap-entries',
  `SELECT a.id, a.slug::text, a.last_updated AS "lastUpdated" FROM addon a
    WHERE a.id > $1::bigint * ${IDS} AND a.id <= ($1::bigint + 1) * ${IDS} AND ${IS_PUBLIC_ADDON} AND a.slug IS NOT NULL
    ORDER BY a.id`,
);

const SitemapEntryType = builder.objectRef<SitemapEntry>('SitemapEntry').implement({
  description: 'The page of a public add-on.',
  fields: (t) => ({
    url: t.string({ description: 'Its address.', resolve: addonPageUrl }),
    lastUpdated: t.expose('lastUpdated', { type: 'DateTime', description: 'When the add-on was last changed.' }),
  }),
});

const SitemapPart = builder.objectRef<SitemapRange>('SitemapPart').implement({
  description: 'A part of the list of all public add-ons.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its number, for Sitemap.entries.' }),
    lastUpdated: t.expose('lastUpdated', { type: 'DateTime', description: 'The newest change of its add-ons.' }),
  }),
});

const Sitemap = builder.objectRef<object>('Sitemap').implement({
  description: 'The pages of all public add-ons, in parts that fit into a sitemap each.',
  fields: (t) => ({
    parts: t.field({
      type: [SitemapPart],
      description: 'The parts that are not empty.',
      extensions: { items: 100 },
      resolve: () => readParts(),
    }),
    entries: t.field({
      type: [SitemapEntryType],
      description: `The public add-ons of one part, by id: at most ${IDS.toLocaleString('en')}. Empty for an unknown number.`,
      extensions: { items: IDS },
      args: { part: t.arg.int({ required: true, description: 'Number of the part.' }) },
      resolve: (_sitemap, { part }) => (part < 0 || part > MAX_INT4 / IDS ? [] : readEntries(part)),
    }),
  }),
});

builder.queryField('sitemap', (t) =>
  t.field({
    type: Sitemap,
    description: 'The addresses of all public add-ons, from which a front end writes its sitemaps.',
    resolve: () => ({}),
  }),
);
