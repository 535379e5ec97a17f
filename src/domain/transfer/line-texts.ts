import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { cleanHtml } from '../addons/clean-html.ts';
import { canonicalLocale } from '../addons/locales.ts';
import { MAX_TEXT_LENGTH, type Texts } from '../addons/localized-text.ts';
import { storedColor } from '../addons/theme-color.ts';
import { LineError, orNull, type Reader, text, textLike } from './read-value.ts';

/** A translated field: an object keyed by language, or null. Null texts are dropped. */
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

/** A translated field of plain text. */
export const translated = translatedBy(orNull(text()));

// In code points; the API limits cleaned texts to the same length.
const isTooLong = (value: string): boolean =>
  value.length > MAX_TEXT_LENGTH && (value.length > 2 * MAX_TEXT_LENGTH || [...value].length > MAX_TEXT_LENGTH);

/** HTML, sanitised like every stored text. The limit applies to the sanitised text, so that an export can be imported. */
const html: Reader<string> = (value, key) => {
  if (typeof value === 'string' && isTooLong(value)) throw tooLong(key);
  const cleaned = cleanHtml(text(2 * MAX_TEXT_LENGTH)(value, key));
  if (isTooLong(cleaned)) throw tooLong(key);
  return cleaned;
};

const tooLong = (key: string): LineError => new LineError(key, `expected at most ${MAX_TEXT_LENGTH} characters`);

/** A translated field of HTML. */
export const translatedHtml = translatedBy(orNull(html));

export const locale: Reader<string> = (value, key) => {
  const known = typeof value === 'string' ? canonicalLocale(value) : null;
  if (known === null) throw new LineError(key, 'expected a supported language');
  return known;
};

/** Whether a text can identify an add-on. Old ids have forms that packages may no longer use. */
export const isAddonId = (value: string): boolean =>
  value.length <= 255 && /^\S(?:.*\S)?$/.test(value) && !value.includes('\0') && value.isWellFormed();

export const guid = textLike(isAddonId, 'an add-on id of at most 255 characters');

/** A slug: no slash, and not a number, which would be an id. */
export const slug = textLike(
  (value) => /^[^\s/?#]+$/.test(value) && !/^\d+$/.test(value),
  'a slug: no spaces, slashes, ? or #, and not only digits',
);

/** A version number of an add-on, old forms included. */
export const versionNumber = textLike((value) => /^[^\s/]+$/.test(value), 'a version number');

/** An application version as written. */
export const applicationVersion = textLike(
  (value) => encodeApplicationVersion(value) !== null,
  'an application version such as 57.0, 57.* or *',
);

/** A path below the folder of the catalogue file. */
export const relativePath = textLike(
  (value) => value !== '' && !value.startsWith('/') && !value.split(/[/\\]/).includes('..'),
  'a path below the folder of the catalogue',
  1_000,
);

/** Whether a replacement can lead there: a path of this site, or a web address with a host. */
export const isDestination = (text: string): boolean => /^(?:\/(?!\/)|https?:\/\/[^\s/?#])/.test(text);

/** A colour such as `#0c0c0d`; stored without `#`. */
export const color: Reader<string> = (value, key) => {
  const stored = typeof value === 'string' ? storedColor(value) : null;
  if (stored === null) throw new LineError(key, 'expected a colour such as #0c0c0d');
  return stored;
};
