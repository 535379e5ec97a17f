import fc from 'fast-check';
import { type SearchValues, SORT_KEYS } from '../../../src/domain/search/query/search-request.ts';
import { ADDON_TYPES, APPLICATIONS, PLATFORMS } from '../../../src/package/enums.ts';
import { addon, type CatalogueAddon } from './catalogue.ts';

/** Few words, so that matches are frequent; common ones first. */
const WORDS = (
  'tab tabs manager the of dark theme for new window windows OneTab FireBeetle download DownloadHelper privacy private ' +
  'a in Übersetzer menu wizard SQLite mp3 1-Click image images style styles, (beta) Jardin été 日本語 辞書 С мой ёж ' +
  "don't & x2 z TabTab web socket WebSocket"
).split(' ');

/** Spellings that belong together: joined, umlauts, accents, signs, category words, inflections, scripts without spaces. */
const SPELLINGS = (
  'color picker colorpicker ColorPicker note pad notepad Pad w c n Müller mueller Mueller muller neue Über ueber uber quelle ' +
  'extension theme add-on Erweiterung Tab™ ©Tab ta\u00adb مترجم الترجمة ترجمه تَرجمة الإضافات שלום שָׁלוֹם güvenlik güvenliği guvenlik ' +
  'extensões extensão extensoes canción canciones 辞書日本語 日本語の辞書 タブ管理 管理タブ タブ 管理 拡張機能 タブ拡張機能 북마크를 북마크 می\u200cخواهم خواهم'
).split(' ');

const frequent = fc
  .nat({ max: WORDS.length * WORDS.length - 1 })
  .map((n) => WORDS[Math.floor(n / WORDS.length) & (n % WORDS.length)] ?? 'tab');
const word = fc.oneof({ arbitrary: frequent, weight: 3 }, { arbitrary: fc.constantFrom(...SPELLINGS), weight: 1 });
const words = (minLength: number, maxLength: number) =>
  fc.array(word, { minLength, maxLength }).map((some) => some.join(' '));
const locale = fc.constantFrom('en-US', 'en-US', 'en-US', 'en-GB', 'fr', 'de', 'ja', 'pt-BR', 'tr', 'ar');
const texts = (minLength: number, maxLength: number) =>
  fc
    .array(fc.tuple(locale, words(minLength, maxLength)), { minLength: 1, maxLength: 2 })
    .map((all) => Object.fromEntries(all));
const users = fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 30 }), fc.nat({ max: 400 }), fc.nat({ max: 2_000_000 }));
const app = fc.constantFrom(...APPLICATIONS);
const version = fc.constantFrom('42.0', '56.0', '57.0a1', '57.0');
const range = fc.record({ min: version, max: fc.constantFrom('56.*', '57.0', '60.0', '*') });
const CATEGORIES = ['tabs', 'privacy'];
const TAGS = ['tab', 'privacy', 'new window', 'Dark'];

const anyAddon = fc.record({
  name: texts(1, 4),
  summary: texts(0, 8),
  description: texts(0, 12),
  defaultLocale: locale,
  users,
  downloads: fc.nat({ max: 300 }),
  hotness: fc.nat({ max: 5 }).map((n) => n / 10),
  rating: fc.nat({ max: 50 }).map((n) => n / 10),
  type: fc.constantFrom('extension', 'extension', 'persona', ...ADDON_TYPES),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 }),
  compatibility: fc.dictionary(app, range, { maxKeys: 2 }),
  isStrict: fc.boolean(),
  platforms: fc.uniqueArray(fc.constantFrom(...PLATFORMS), { minLength: 1, maxLength: 2 }),
  isExperimental: fc.nat({ max: 9 }).map((n) => n === 0),
  isFeatured: fc.nat({ max: 9 }).map((n) => n === 0),
  featuredIn: fc.record({
    app,
    locale: fc.constantFrom(null, 'fr', 'en-US'),
    category: fc.constantFrom(null, null, ...CATEGORIES),
  }),
  category: fc.tuple(app, fc.constantFrom(null, ...CATEGORIES)),
  isBobs: fc.boolean(),
  isHidden: fc.nat({ max: 19 }).map((n) => n === 0),
});

/** `size` random add-ons, the same for the same seed. */
export function randomCatalogue(size: number, seed: number): CatalogueAddon[] {
  return fc
    .sample(anyAddon, { numRuns: size, seed })
    .map(({ isFeatured, featuredIn, category, isBobs, isHidden, ...rest }, index) => {
      const [app, slug] = category;
      const isPersona = rest.type === 'persona';
      return addon(index + 1, rest.name, rest.users, '', {
        ...rest,
        compatibility: isPersona ? {} : rest.compatibility,
        platforms: isPersona ? ['all'] : rest.platforms,
        authors: isBobs ? [{ id: 22, username: 'bob' }] : [{ id: 11, username: 'ada' }],
        categories: slug === null ? [] : [`${app}/${rest.type}/${slug}`],
        featured: isFeatured ? [featuredIn] : [],
        ...(isHidden ? { hidden: 'disabled' as const } : {}),
      });
    });
}

const misspelt = fc
  .tuple(words(1, 4), fc.nat(), fc.constantFrom('', 'x', 'ab'))
  .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1));
/** A query while it is typed. */
const begun = fc
  .tuple(words(1, 3), fc.nat({ max: 4 }))
  .map(([text, left]) => text.slice(0, Math.max(1, text.length - left)));
const query = fc.oneof(words(1, 4), words(1, 2), begun, misspelt, words(9, 14)).map((text) => text.slice(0, 100));
const optional = <Value>(value: fc.Arbitrary<Value>, often: number) =>
  fc.option(value, { nil: undefined, freq: often });

/** Values of a search that are valid in combination. */
export const anySearch: fc.Arbitrary<SearchValues> = fc
  .record({
    q: optional(query, 5),
    application: optional(fc.record({ app, appVersion: optional(fc.constantFrom('56.0', '57.0', '57.0a1'), 1) }), 1),
    types: optional(fc.constantFrom('extension', 'persona', 'extension,theme', 'persona,dictionary'), 1),
    platform: optional(fc.constantFrom(...PLATFORMS), 1),
    category: optional(fc.constantFrom(...CATEGORIES), 1),
    authors: optional(
      fc.constantFrom({ names: ['bob'] }, { ids: [11] }, { ids: [22], names: ['ada'] }, { names: ['nobody'] }),
      1,
    ),
    excludeAddons: optional(
      fc.constantFrom({ ids: [1, 2, 3] }, { ids: [9], names: ['addon-5'] }, { names: ['nothing'] }),
      1,
    ),
    guids: optional(fc.constantFrom('addon7@catalogue.example,ADDON8@catalogue.example', 'none'), 1),
    tags: optional(fc.constantFrom('tab', 'dark', 'tab,new window'), 1),
    featured: optional(fc.constant('true'), 1),
    lang: optional(fc.constantFrom('fr', 'de', 'en-GB', 'ja', 'pt-BR', 'tr', 'ar'), 1),
    sort: optional(
      fc.uniqueArray(fc.constantFrom(...SORT_KEYS.filter((key) => key !== 'random')), { minLength: 1, maxLength: 2 }),
      2,
    ),
    kept: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 3 }),
  })
  .map(({ application, kept, q, sort, lang, ...filters }) => {
    // A few filters at a time, because more rarely match.
    const some = Object.entries({ application, ...filters }).filter((_, index) => kept.includes(index));
    const { application: chosen, ...others } = Object.fromEntries(some) as typeof filters & {
      application: typeof application;
    };
    return { q, sort, lang, ...others, ...chosen };
  });
