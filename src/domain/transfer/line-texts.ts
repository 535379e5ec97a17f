/*
 * The texts of a catalogue line: translated fields, HTML, guids, versions, paths.
 */
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { cleanHtml } from '../addons/clean-html.ts';
import { canonicalLocale } from '../addons/locales.ts';
import { LONGEST_TEXT, type Texts } from '../addons/localized-text.ts';
import { LineError, orNull, type Reader, text, textLike } from './read-value.ts';

/** A translated field: an object of languages, or null. A null text is none, as when it is written by the API. */
const translatedBy =
  (read: Reader<string | null>): Reader<Texts> =>
  (value, key) => {
    if (value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value))
      throw new LineError(key, 'expected an object of texts, or null');
    const kept: Record<string, string> = {};
    for (const [code, given] of Object.entries(value as object)) {
      const locale = canonicalLocale(code);
      const at = `${key}.${code}`;
      if (locale === null) throw new LineError(at, 'expected a supported language');
      if (Object.hasOwn(kept, locale)) throw new LineError(at, 'the same language twice');
      const trimmed = read(given, at)?.trim();
      if (trimmed) kept[locale] = trimmed;
    }
    return kept;
  };

/** A translated field of plain texts. */
export const translated = translatedBy(orNull(text()));

// Characters, of which some are two to JavaScript: the API holds cleaned texts against the same length.
const isTooLong = (value: string): boolean =>
  value.length > LONGEST_TEXT && (value.length > 2 * LONGEST_TEXT || [...value].length > LONGEST_TEXT);

/** Text with HTML in it, cleaned as everything that is stored: it must be short enough then to be read again. */
const html: Reader<string> = (value, key) => {
  if (typeof value === 'string' && isTooLong(value)) throw tooLong(key);
  const cleaned = cleanHtml(text(2 * LONGEST_TEXT)(value, key));
  if (isTooLong(cleaned)) throw tooLong(key);
  return cleaned;
};

const tooLong = (key: string): LineError => new LineError(key, `expected at most ${LONGEST_TEXT} characters`);

/** A translated field with HTML in it. */
export const translatedHtml = translatedBy(orNull(html));

/** A language. */
export const locale: Reader<string> = (value, key) => {
  const known = typeof value === 'string' ? canonicalLocale(value) : null;
  if (known === null) throw new LineError(key, 'expected a supported language');
  return known;
};

/** Whether a text may identify an add-on. Old ids have forms that no package of today may have. */
export const isAddonId = (value: string): boolean =>
  value.length <= 255 && /^\S(?:.*\S)?$/.test(value) && !value.includes('\0') && value.isWellFormed();

export const guid = textLike(isAddonId, 'an add-on id of at most 255 characters');

/** A slug of the catalogue's addresses: no slash, and not a number, which would be an id. */
export const slug = textLike(
  (value) => /^[^\s/?#]+$/.test(value) && !/^\d+$/.test(value),
  'a slug: no spaces, slashes, ? or #, and not only digits',
);

/** A version number of an add-on, old forms included. */
export const versionNumber = textLike((value) => /^[^\s/]+$/.test(value), 'a version number');

/** A version of an application, as it is written. */
export const applicationVersion = textLike(
  (value) => encodeApplicationVersion(value) !== null,
  'an application version such as 57.0, 57.* or *',
);

/** A file beside the catalogue, or below its folder; never one above it. */
export const relativePath = textLike(
  (value) => value !== '' && !value.startsWith('/') && !value.split(/[/\\]/).includes('..'),
  'a path below the folder of the catalogue',
  1_000,
);

/** Whether a replacement can lead there: a path of this site or an address of the web, which has a host. */
export const isDestination = (text: string): boolean => /^(?:\/(?!\/)|https?:\/\/[^\s/?#])/.test(text);

const COLOR = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** A colour such as `#0c0c0d`; kept without the `#`. */
export const color: Reader<string> = (value, key) => {
  const [, digits] = typeof value === 'string' ? (COLOR.exec(value) ?? []) : [];
  if (digits === undefined) throw new LineError(key, 'expected a colour such as #0c0c0d');
  return digits.toLowerCase();
};
