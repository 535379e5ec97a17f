import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { canonicalLocale, negotiateLocale } from '../../texts/locales.ts';
import { cleanHtml } from '../addons/clean-html.ts';
import { localized, pickLocale } from '../addons/localized-text.ts';
import { IS_LISTED_UPDATE } from './find-updates.ts';

/** Release notes in one language. */
interface ReleaseNotes {
  slug: string;
  version: string;
  /** Language of the text. */
  locale: string;
  /** Sanitised. */
  html: string;
}

const findNotes = prepared<{ slug: string; version: string; defaultLocale: string; notes: unknown }>(
  lookupPool,
  'release-notes',
  `SELECT a.slug, v.version, a.default_locale AS "defaultLocale", v.release_notes AS notes
  FROM addon a JOIN version v ON v.addon_id = a.id
  WHERE a.slug = $1::citext AND ${IS_PUBLIC_ADDON} AND v.version = $2 AND ${IS_LISTED_UPDATE}`,
);

const isStorable = (text: string): boolean => text.length <= 255 && !text.includes('\0') && text.isWellFormed();

/**
 * The release notes of a public listed version in the language closest to `code`, which is any text. Null when there is no
 * such version, or no notes.
 */
export async function findReleaseNotes(slug: string, version: string, code: string): Promise<ReleaseNotes | null> {
  if (!isStorable(slug) || !isStorable(version)) return null;
  const [row] = await findNotes(slug, version);
  const notes = row === undefined ? null : localized(row.notes, row.defaultLocale);
  const locale = notes && pickLocale(notes, longestKnown(code));
  if (row === undefined || !notes || !locale) return null;
  return { slug: row.slug, version: row.version, locale, html: withLineBreaks(cleanHtml(notes.texts[locale] ?? '')) };
}

/** The supported language that `code` begins with, such as en-US of `en-US-posix`; else the closest one, or the default. */
function longestKnown(code: string): string {
  const parts = code.slice(0, 100).split(/[-_]/);
  for (let length = parts.length; length > 0; length--) {
    const known = canonicalLocale(parts.slice(0, length).join('-'));
    if (known !== null) return known;
  }
  return negotiateLocale(code, [], code);
}

const BLOCK_TAG = String.raw`<\/?(?:blockquote|li|ol|p|ul)>`;
const ENDS_LINE = new RegExp(String.raw`(?:${BLOCK_TAG}|<br ?\/?>)$`);
const STARTS_LINE = new RegExp(`^${BLOCK_TAG}`);
const LONGEST_TAG = '</blockquote>'.length;

/** Shows the line ends of a text, except those next to tags that end the line themselves. */
function withLineBreaks(html: string): string {
  // The tags around each space are looked up: one pattern for both would take cubic time for many empty lines.
  return html.replace(/\s+/g, (space, start: number) => {
    const end = start + space.length;
    const isShown =
      space.includes('\n') &&
      !ENDS_LINE.test(html.slice(Math.max(0, start - LONGEST_TAG), start)) &&
      !STARTS_LINE.test(html.slice(end, end + LONGEST_TAG));
    return isShown ? '<br>\n' : space;
  });
}
