import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { pool, prepared } from '../../infra/db.ts';
import { MAX_INT4 } from '../../infra/int4.ts';
import { addonPage } from '../addons/addresses.ts';

/** Ids of one part. Sitemaps may have 50,000 addresses and 50 MB (sitemaps.org). */
const IDS = 10_000;

/** A public page and when it changed. */
interface SitemapEntry {
  id: number;
  slug: string;
  changed: Date;
}

const readParts = prepared<{ part: number; changed: Date }>(
  pool,
  'sitemap-parts',
  `SELECT (a.id - 1) / ${IDS} AS part, max(a.last_updated) AS changed FROM addon a
    WHERE ${IS_PUBLIC_ADDON} AND a.slug IS NOT NULL GROUP BY part ORDER BY part`,
);

const readEntries = prepared<SitemapEntry>(
  pool,
  'sitemap-entries',
  `SELECT a.id, a.slug::text, a.last_updated AS changed FROM addon a
    WHERE a.id > $1::bigint * ${IDS} AND a.id <= ($1::bigint + 1) * ${IDS} AND ${IS_PUBLIC_ADDON} AND a.slug IS NOT NULL
    ORDER BY a.id`,
);

const SitemapEntryType = builder.objectRef<SitemapEntry>('SitemapEntry').implement({
  description: 'The page of a public add-on.',
  fields: (t) => ({
    url: t.string({ description: 'Its address.', resolve: addonPage }),
    changed: t.expose('changed', { type: 'DateTime', description: 'When the add-on was last changed.' }),
  }),
});

const SitemapPart = builder.objectRef<{ part: number; changed: Date }>('SitemapPart').implement({
  description: 'A part of the list of all public add-ons.',
  fields: (t) => ({
    part: t.exposeInt('part', { description: 'Its number.' }),
    changed: t.expose('changed', { type: 'DateTime', description: 'The newest change of its add-ons.' }),
  }),
});

const Sitemap = builder.objectRef<object>('Sitemap').implement({
  description: 'The list of all public add-ons, in parts.',
  fields: (t) => ({
    parts: t.field({ type: [SitemapPart], description: 'The parts that are not empty.', resolve: () => readParts() }),
    entries: t.field({
      type: [SitemapEntryType],
      description: 'The public add-ons of one part, by id.',
      args: { part: t.arg.int({ required: true, description: 'Number of the part.' }) },
      resolve: (_sitemap, { part }) => (part < 0 || part > MAX_INT4 / IDS ? [] : readEntries(part)),
    }),
  }),
});

builder.queryField('sitemap', (t) =>
  t.field({
    subGraphs: INTERNAL,
    type: Sitemap,
    description: 'All public add-ons for crawlers.',
    resolve: () => ({}),
  }),
);
