/*
 * From a published document to a search row. Pure; both engines index this row.
 *
 * A row has the lexemes of names, tags and filters, the lexemes of texts, and columns for what is compared as a number: application version
 * bounds, type and platform masks, users, ratings, dates, popularity. `codes.ts` maps the contract's words to those numbers, and
 * `popularity.ts` defines the bounded popularity factor and its levels. An add-on has a row only
 * while searches may return it.
 *
 * `postgres/maintain` writes rows in the transaction that publishes the document; `queue-sync.ts` enqueues the same change for a search
 * server, if there is one.
 */

import { decodeHTML } from 'entities';
import { encodeApplicationVersion } from '../../../package/application-version.ts';
import { APPLICATIONS, type Application, PLATFORMS } from '../../../package/enums.ts';
import { type AddonDocument, hasInstallableFile } from '../../addons/addon-document.ts';
import { pickLocale, type TextsByLocale } from '../../addons/localized-text.ts';
import { DEFAULT_TAG, type Tag, tagsOf } from '../analysis/languages.ts';
import { analyseName, lexeme, nameLexemes, type TaggedTexts, tagLexeme, textLexemes } from '../analysis/lexemes.ts';
import { maskOf, NOT_INSTALLABLE, typeCode } from './codes.ts';
import { levelOf, popularityFactor } from './popularity.ts';

/** Columns of compatibility with an application. */
export const COMPATIBILITY_COLUMNS: Readonly<Record<Application, readonly [min: string, max: string]>> = {
  desktop_browser: ['desktop_min', 'desktop_max'],
  mobile_browser: ['mobile_min', 'mobile_max'],
  suite_app: ['suite_min', 'suite_max'],
  mail_client: ['mail_min', 'mail_max'],
};

/** A search row by column name. An absent version bound does not restrict. */
export type AddonRow = ReturnType<typeof addonRow>;

/** The row of a searchable add-on. */
export function addonRow(addon: AddonDocument) {
  const isFeatured = addon.featured.length > 0;
  const m = popularityFactor({ ...addon, isFeatured });
  const platforms = addon.currentVersion?.files.map(({ platform }) => platform) ?? [];
  const byTag = textsByTag(addon);
  return {
    addon_id: addon.id,
    m,
    lvl: levelOf(m, addon.averageDailyUsers),
    users: addon.averageDailyUsers,
    downloads: addon.weeklyDownloads,
    rating: addon.ratings.bayesianAverage,
    hotness: addon.hotness,
    created: addon.created,
    last_updated: addon.lastUpdated,
    type: typeCode(addon.type),
    ...compatibility(addon),
    platforms: maskOf(PLATFORMS, platforms.length === 0 ? ['all'] : platforms) | installabilityBit(addon),
    is_experimental: addon.isExperimental,
    is_featured: isFeatured,
    cats: addon.categories.map(({ id }) => id),
    name_lex: limited([...filterLexemes(addon), ...byTag.flatMap(([tag, { names }]) => namesUnder(tag, names))]),
    text_lex: limited(byTag.flatMap(([tag, texts]) => [...textLexemes(texts, tag)])),
  };
}

const installabilityBit = (addon: AddonDocument): number =>
  addon.type === 'persona' || hasInstallableFile(addon) ? 0 : NOT_INSTALLABLE;

/** An add-on without applications is compatible with all; without strict compatibility the maximum version is ignored. */
function compatibility({ type, currentVersion }: AddonDocument): { apps: number } & Record<string, number> {
  const ranges = currentVersion?.compatibility ?? [];
  if (ranges.length === 0) return { apps: maskOf(APPLICATIONS, APPLICATIONS) };
  const isStrict = type === 'language' || currentVersion?.isStrictCompatibilityEnabled === true;
  const bounds = ranges.flatMap(({ app, min, max }) => {
    const [minColumn, maxColumn] = COMPATIBILITY_COLUMNS[app];
    const last = isStrict && max !== '*' ? [[maxColumn, encodeApplicationVersion(max)]] : [];
    return [[minColumn, encodeApplicationVersion(min)], ...last];
  });
  return {
    ...Object.fromEntries(bounds),
    apps: maskOf(
      APPLICATIONS,
      ranges.map(({ app }) => app),
    ),
  };
}

/** Maximum number of analysed characters per add-on; texts of the default language come first. */
const MAX_CHARACTERS = 150_000;

function textsByTag({ defaultLocale, name, summary, description, tags }: AddonDocument): [Tag, TaggedTexts][] {
  const byTag = new Map<
    Tag,
    { names: string[]; summaries: string[]; descriptions: string[]; tags: readonly string[] }
  >();
  let left = MAX_CHARACTERS;
  const add = (texts: TextsByLocale | null, kind: 'names' | 'summaries' | 'descriptions') => {
    const all = texts ?? {};
    const fallback = pickLocale({ texts: all, defaultLocale }, null) ?? defaultLocale;
    for (const locale of new Set([fallback, ...Object.keys(all)])) {
      const text = (all[locale] ?? '').slice(0, Math.max(0, left));
      left -= text.length;
      for (const tag of text === '' ? [] : tagsOf(locale, locale === fallback)) {
        const under = byTag.get(tag) ?? { names: [], summaries: [], descriptions: [], tags };
        under[kind].push(kind === 'descriptions' ? plainText(text) : text);
        byTag.set(tag, under);
      }
    }
  };
  add(name, 'names');
  add(summary, 'summaries');
  add(description, 'descriptions');
  return [...byTag];
}

function namesUnder(tag: Tag, names: readonly string[]): string[] {
  return names.flatMap((name) => [...nameLexemes(analyseName(name), tag)]);
}

/** The lexeme of an author by id, or by username in lower case. */
export const authorIdLexeme = (id: number): string => lexeme('A', DEFAULT_TAG, `#${id}`);
/** The lexeme of an author by username. */
export const authorNameLexeme = (username: string): string => lexeme('A', DEFAULT_TAG, username.toLowerCase());

/** The lexeme of a category. */
export const categoryLexeme = (app: string, type: string, slug: string): string =>
  lexeme('C', DEFAULT_TAG, `${app}/${type}/${slug.toLowerCase()}`);

/** The lexeme of an add-on type. */
export const typeLexeme = (type: string): string => lexeme('Y', DEFAULT_TAG, type);

/** The lexeme of a featured entry; without a locale the start of all lexemes of that application and category. */
export const featuredLexeme = (app: string, category: string | null, locale: string | null = ''): string =>
  lexeme('F', DEFAULT_TAG, `${app}|${category ?? ''}|${locale ?? '*'}`.toLowerCase());

function filterLexemes({ type, tags, authors, categories, featured }: AddonDocument): string[] {
  return [
    typeLexeme(type),
    ...tags.map(tagLexeme),
    ...authors.flatMap(({ id, username }) => [authorIdLexeme(id), authorNameLexeme(username)]),
    ...categories.map(({ app, type: kind, slug }) => categoryLexeme(app, kind, slug)),
    ...featured.map(({ app, category, locale }) => featuredLexeme(app, category, locale)),
  ];
}

/** PostgreSQL stores at most 1 MiB of lexemes per column; lexemes beyond that are not searchable. */
const MAX_BYTES = 900_000;
const OVERHEAD = 8;

function limited(lexemes: readonly string[]): string[] {
  let left = MAX_BYTES;
  return [...new Set(lexemes)].filter((each) => {
    left -= Buffer.byteLength(each) + OVERHEAD;
    return left > 0;
  });
}

/** The plain text of HTML: tags become spaces, entities their characters. */
export function plainText(html: string): string {
  // A tag ends at the next `<` at the latest, which keeps unclosed tags linear.
  return decodeHTML(html.replace(/<[^<>]*>/g, ' '));
}
