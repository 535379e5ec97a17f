import { type AddonType, APPLICATION_IDS, type Application } from '../../src/package/enums.ts';
import type { AddonLine } from './addon-line.ts';
import type { CatalogueLine } from './catalogue-line.ts';
import { BOOKS } from './phrase-books.ts';
import { CATEGORIES } from './phrases/phrase-book.ts';

const { id, guid } = APPLICATION_IDS.desktop_browser;
const DESKTOP = { id, name: 'desktop_browser', guid };

/** Curation lines for these add-ons: featured entries, replacements and compatibility overrides. */
export function curationLines(addons: readonly AddonLine[]): CatalogueLine[] {
  return [
    ...featured(addons),
    ...mostUsed(addons, 'extension', 8).map(({ guid }, position) => ({
      kind: 'recommendation_fallback',
      guid,
      position,
    })),
    ...collections(addons),
    ...replacements(addons),
    ...overrides(addons),
  ];
}

function mostUsed(addons: readonly AddonLine[], type: AddonType, count: number): AddonLine[] {
  return addons
    .filter((addon) => addon.type === type)
    .sort((one, other) => other.average_daily_users - one.average_daily_users)
    .slice(0, count);
}

function featured(addons: readonly AddonLine[]): CatalogueLine[] {
  const entry = (
    { guid }: AddonLine,
    { app = 'desktop_browser', locale = null, category = null }: Partial<Place> = {},
  ): CatalogueLine => ({ kind: 'featured', addon: guid, app, locale, category });
  const everywhere = [
    ...mostUsed(addons, 'extension', 12),
    ...mostUsed(addons, 'persona', 8),
    ...mostUsed(addons, 'statictheme', 6),
    ...mostUsed(addons, 'search', 2),
  ];
  const extensions = mostUsed(addons, 'extension', Number.MAX_SAFE_INTEGER);
  const mobile = extensions.filter(({ categories }) => categories.mobile_browser !== undefined).slice(0, 6);
  const athome = BOOKS.slice(1).flatMap(({ locale }) =>
    extensions
      .filter(({ default_locale }) => default_locale === locale)
      .slice(0, 3)
      .map((addon) => entry(addon, { locale })),
  );
  const shelved = (['extension', 'persona', 'statictheme'] as const).flatMap((type) =>
    CATEGORIES.flatMap((category) =>
      mostUsed(addons, type, Number.MAX_SAFE_INTEGER)
        .filter(({ categories }) => categories.desktop_browser?.includes(category))
        .slice(0, 3)
        .map((addon) => entry(addon, { category })),
    ),
  );
  return [
    ...everywhere.map((addon) => entry(addon)),
    ...mobile.map((addon) => entry(addon, { app: 'mobile_browser' })),
    ...athome,
    ...shelved,
  ];
}

interface Place {
  app: Application;
  locale: string | null;
  category: string | null;
}

const READING_ROOM = 'paper-kite/reading-room';

function collections(addons: readonly AddonLine[]): CatalogueLine[] {
  const tagged = (tag: string): string[] =>
    addons.filter(({ tags }) => (tags as string[]).includes(tag)).map(({ guid }) => guid);
  return [
    { kind: 'collection', path: READING_ROOM, guids: tagged('notes').slice(0, 4) },
    { kind: 'collection', path: 'quiet-otter/private-life', guids: tagged('privacy').slice(0, 6) },
  ];
}

/** Replacements of legacy add-ons. One leads to another site, which has no guid. */
function replacements(addons: readonly AddonLine[]): CatalogueLine[] {
  const [first, second, third, fourth] = mostUsed(addons, 'extension', 4);
  if (!first || !second || !third || !fourth) return [];
  return [
    { kind: 'replacement', guid: 'old-sorter@legacy.example', path: `/addon/${first.slug}/` },
    { kind: 'replacement', guid: 'old-reader@legacy.example', path: `/collections/${READING_ROOM}/` },
    { kind: 'replacement', guid: 'old-blocker@legacy.example', path: '/collections/quiet-otter/private-life/' },
    { kind: 'replacement', guid: 'old-toolbar@legacy.example', replacement: [second.guid, third.guid] },
    { kind: 'replacement', guid: 'old-keys@legacy.example', replacement: [fourth.guid] },
    { kind: 'replacement', guid: 'old-messenger@legacy.example', path: 'https://messenger.example.org/farewell' },
  ];
}

function overrides(addons: readonly AddonLine[]): CatalogueLine[] {
  const [known] = mostUsed(addons, 'theme', 1);
  const range = (addonVersions: [string, string], browserVersions: [string, string]) => ({
    addon_min_version: addonVersions[0],
    addon_max_version: addonVersions[1],
    applications: [{ ...DESKTOP, min_version: browserVersions[0], max_version: browserVersions[1] }],
  });
  const override = (guid: string, name: string, ...version_ranges: object[]): CatalogueLine => ({
    kind: 'compat_override',
    addon_guid: guid,
    name,
    version_ranges,
  });
  return [
    override('old-sorter@legacy.example', 'Loses windows since 48', range(['0', '1.9.*'], ['48.0', '*'])),
    override('old-toolbar@legacy.example', 'Crashes on start', range(['0', '*'], ['52.0', '*'])),
    override(
      'old-reader@legacy.example',
      'Blank pages, twice',
      range(['1.0', '1.2'], ['40.0', '42.*']),
      range(['2.0', '2.0.3'], ['45.0', '56.*']),
    ),
    ...(known ? [override(known.guid, 'Letters cannot be read', range(['0', '1.0'], ['50.0', '*']))] : []),
  ];
}
