/*
 * The texts of a catalogue line: translated fields, HTML, guids, versions, paths.
 */
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { cleanHtmlTexts } from '../addons/clean-html.ts';
import { canonicalLocale } from '../addons/locales.ts';
import type { Texts } from '../addons/localized-text.ts';
import { LineError, orNull, type Reader, text, textLike } from './read-value.ts';

const readText = orNull(text());

/** A translated field: an object of languages, or null. A null text is none, as when it is written by the API. */
export const translated: Reader<Texts> = (value, key) => {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new LineError(key, 'expected an object of texts, or null');
  const kept: Record<string, string> = {};
  for (const [code, given] of Object.entries(value as object)) {
    const locale = canonicalLocale(code);
    const at = `${key}.${code}`;
    if (locale === null) throw new LineError(at, 'expected a supported language');
    if (Object.hasOwn(kept, locale)) throw new LineError(at, 'the same language twice');
    const trimmed = readText(given, at)?.trim();
    if (trimmed) kept[locale] = trimmed;
  }
  return kept;
};

/** A translated field with HTML in it, cleaned as everything that is stored. */
export const translatedHtml: Reader<Texts> = (value, key) => cleanHtmlTexts(translated(value, key));

/** A language. */
export const locale: Reader<string> = (value, key) => {
  const known = typeof value === 'string' ? canonicalLocale(value) : null;
  if (known === null) throw new LineError(key, 'expected a supported language');
  return known;
};

/** What identifies an add-on. Old ids have forms that no package of today may have. */
export const guid = textLike((value) => /^\S(?:.*\S)?$/.test(value), 'an add-on id of at most 255 characters');

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

const COLOR = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i;

/** A colour such as `#0c0c0d`; kept without the `#`. */
export const color: Reader<string> = (value, key) => {
  const [, digits] = typeof value === 'string' ? (COLOR.exec(value) ?? []) : [];
  if (digits === undefined) throw new LineError(key, 'expected a colour such as #0c0c0d');
  return digits.toLowerCase();
};
