import type { AddonType } from '../../src/package/enums.ts';
import type { CatalogueLine } from './catalogue-line.ts';
import { BOOKS, inEach } from './phrase-books.ts';
import { CATEGORIES, type CategorySlug } from './phrases/phrase-book.ts';

/** Application versions in addition to those that the migrations seed. */
const RELEASES = {
  desktop_browser: ['57.0.4', '60.0.1', '60.2.0', '61.0.2', '63.0b3', '64.0b12'],
  mobile_browser: ['57.0.4', '62.0.3'],
  mail_client: ['52.9.1', '60.2.1'],
  suite_app: ['2.49', '2.49.4', '2.53.*'],
};

const OF_THEMES = ['nature', 'scenery', 'abstract'] as const satisfies CategorySlug[];
const OF_THE_REST = ['general'] as const satisfies CategorySlug[];

const CATEGORIES_OF: Readonly<Record<AddonType, readonly CategorySlug[]>> = {
  extension: CATEGORIES.filter((slug) => !['nature', 'scenery', 'abstract', 'general'].includes(slug)),
  theme: OF_THEMES,
  statictheme: OF_THEMES,
  persona: OF_THEMES,
  dictionary: OF_THE_REST,
  language: OF_THE_REST,
  search: OF_THE_REST,
};

/** The languages of the interface include Hebrew, of which the demo has no add-ons. */
const HEBREW: Readonly<Record<CategorySlug, string>> = {
  tabs: 'לשוניות',
  bookmarks: 'סימניות',
  downloads: 'הורדות',
  privacy: 'פרטיות ואבטחה',
  appearance: 'מראה',
  'feeds-and-news': 'הזנות וחדשות',
  'photos-and-videos': 'תמונות וסרטונים',
  shopping: 'קניות',
  'search-tools': 'כלי חיפוש',
  nature: 'טבע',
  scenery: 'נופים',
  abstract: 'מופשט',
  general: 'כללי',
};

/** Lines of application versions and of categories with names in every language. */
export function referenceLines(): CatalogueLine[] {
  const versions = Object.entries(RELEASES).flatMap(([app, releases]) =>
    releases.map((version) => ({ kind: 'application_version', app, version })),
  );
  const categories = Object.entries(CATEGORIES_OF).flatMap(([type, slugs]) =>
    slugs.map((slug, index) => ({
      kind: 'category',
      app: 'desktop_browser',
      type,
      slug,
      name: { ...inEach(BOOKS, (book) => book.categories[slug]), he: HEBREW[slug] },
      weight: slugs.length - index,
    })),
  );
  return [...versions, ...categories];
}
