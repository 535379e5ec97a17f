import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { pool, prepared } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { API_TEXTS } from '../../texts/api.ts';
import { nearestLocale } from '../../texts/locales.ts';
import { escapeHtml } from '../../texts/printable.ts';
import { translate } from '../../texts/translate.ts';
import { accountName } from '../accounts/account-names.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { loadDocuments } from '../addons/load-documents.ts';
import { localized, storedTexts, type TextsByLocale, textIn } from '../addons/localized-text.ts';
import { listFeatured } from './featured.ts';

/** An add-on that browsers recommend, and what curators say about it. */
export interface DiscoveryItem {
  addon: AddonDocument;
  heading: TextsByLocale;
  description: TextsByLocale;
}

interface StoredItem {
  id: number;
  rowVersion: string | null;
  heading: unknown;
  description: unknown;
}

/** The list for the edition and the language, else that for all editions or all languages. */
const readItems = prepared<StoredItem>(
  pool,
  'discovery-items',
  `WITH matching AS (
      SELECT e.*, (e.edition IS NOT NULL)::int * 2 + (e.locale IS NOT NULL)::int AS rank FROM discovery_entry e
      WHERE (e.edition IS NULL OR e.edition = $1) AND (e.locale IS NULL OR e.locale = $2)
    )
    SELECT a.id, d.row_version AS "rowVersion", m.heading, m.description FROM matching m JOIN addon a ON a.id = m.addon_id
    LEFT JOIN addon_document d ON d.addon_id = a.id
    WHERE m.rank = (SELECT max(rank) FROM matching) AND ${IS_PUBLIC_ADDON} AND NOT a.type = ANY($3::text[])
    ORDER BY m.position, m.id`,
);

const DEFAULT_SIZE = 7;

/** The edited items for an edition and a language. Two statements. */
async function editedItems(edition: string, locale: string, hidden: readonly string[]): Promise<DiscoveryItem[]> {
  const rows = await readItems(comparableText(edition), nearestLocale(locale) ?? locale, hidden);
  const documents = await loadDocuments(rows);
  return rows.flatMap(({ heading, description }, index) => {
    const addon = documents[index];
    return addon == null ? [] : [{ addon, heading: storedTexts(heading), description: storedTexts(description) }];
  });
}

/** The place of the link in a translated text; no text has this character. */
const LINK = '\u0001';

/** HTML: the words of the curators or the name of the add-on, and one link to its page. */
function headingHtml({ addon, heading }: DiscoveryItem, locale: string): string {
  const name = textIn(localized(addon.name, addon.defaultLocale), locale) ?? addon.slug ?? '';
  const words = textIn(localized(heading, config.DEFAULT_LOCALE), locale);
  const authors = addon.authors.map(accountName).join(', ');
  const link = `<a href="${escapeHtml(addonUrl(addon))}">${escapeHtml(words === null && authors !== '' ? authors : name)}</a>`;
  if (words === null && authors === '') return link;
  const key = words === null ? 'discovery.by' : 'discovery.with';
  const rest = escapeHtml(translate(API_TEXTS, locale, key, { addon: LINK })).replace(LINK, () => link);
  return `${escapeHtml(words ?? name)} <span>${rest}</span>`;
}

const addonUrl = ({ id, slug }: AddonDocument): string =>
  `${config.BASE_URL}/addon/${encodeURIComponent(slug ?? String(id))}/`;

/** The text about the add-on: the words of the curators, or its summary unless it is a theme. */
function descriptionOf({ addon, description }: DiscoveryItem, locale: string): string | null {
  const words = textIn(localized(description, config.DEFAULT_LOCALE), locale);
  if (words !== null || addon.type === 'persona' || addon.type === 'statictheme') return words;
  return textIn(localized(addon.summary, addon.defaultLocale), locale);
}

const DiscoveryItemType = builder.objectRef<DiscoveryItem>('DiscoveryItem').implement({
  description: 'An add-on that the add-ons manager of browsers recommends.',
  fields: (t) => ({
    addon: t.field({ type: Addon, description: 'The add-on.', resolve: ({ addon }) => addon }),
    heading: t.string({
      description: 'HTML: a text with one link to the page of the add-on, in the requested language.',
      args: { locale: t.arg.string({ description: 'Language. Default: that of the request.' }) },
      resolve: (item, { locale }, context) => headingHtml(item, locale ?? context.locale),
    }),
    description: t.string({
      nullable: true,
      description: 'Plain text about it in the requested language; null for themes without a text of curators.',
      args: { locale: t.arg.string({ description: 'Language. Default: that of the request.' }) },
      resolve: (item, { locale }, context) => descriptionOf(item, locale ?? context.locale),
    }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'The same as a quotation in HTML.',
      args: { locale: t.arg.string({ description: 'Language. Default: that of the request.' }) },
      resolve: (item, { locale }, context) => {
        const words = descriptionOf(item, locale ?? context.locale);
        return words === null ? null : `<blockquote>${escapeHtml(words)}</blockquote>`;
      },
    }),
    isRecommendation: t.boolean({
      description: 'Whether it was chosen for the client instead of by curators; this service chooses none.',
      resolve: () => false,
    }),
  }),
});

builder.queryField('discovery', (t) =>
  t.field({
    type: [DiscoveryItemType],
    description:
      'Add-ons that the add-ons manager of browsers recommends, in the order of curators; without a list of theirs, seven featured ones.',
    args: {
      edition: t.arg.string({ description: 'Edition of the browser. Default: the list for all editions.' }),
      locale: t.arg.string({ description: 'Language of the browser. Default: that of the request.' }),
      isEditorial: t.arg.boolean({
        description: 'Whether featured add-ons do not replace a missing list. Default: no.',
      }),
    },
    extensions: { items: 50 },
    resolve: async (_root, { edition, locale, isEditorial }, { hiddenTypes = [], ...context }) => {
      const items = await editedItems(edition ?? '', locale ?? context.locale, hiddenTypes);
      if (items.length > 0 || isEditorial) return items;
      const filter = { app: 'desktop_browser' as const, locale: locale ?? null, first: DEFAULT_SIZE };
      const featured = await listFeatured({ ...filter, except: hiddenTypes });
      return featured.map((addon) => ({ addon, heading: {}, description: {} }));
    },
  }),
);
