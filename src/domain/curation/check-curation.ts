/*
 * What operators may enter: checked here once, whoever enters it. Every refusal names the input field at fault.
 */
import { refusedField } from '../../errors.ts';
import { encodeApplicationVersion } from '../../package/versions/application-version.ts';
import { canonicalLocale } from '../addons/locales.ts';
import type { OverriddenVersions } from '../discovery/find-compat-overrides.ts';
import { isAddonId, isDestination } from '../transfer/line-texts.ts';

const LONGEST_TEXT = 255;
const LONGEST_LIST = 500;
const ADDON_VERSION = /^[A-Za-z0-9.+*_-]{1,32}$/;

/** Control characters, and what ends a line besides them. */
const NO_LINE = /[\p{Cc}\u2028\u2029]/u;

/** A guid, also of an old form, which need not be here. @throws {InvalidInputError} for what none can be. */
export function checkGuid(guid: string, field = 'guid'): string {
  if (!isAddonId(guid)) throw refusedField(field, `${JSON.stringify(guid.slice(0, 64))} is no add-on id.`);
  return guid;
}

/** At most 500 guids, each once. @throws {InvalidInputError} for more, and for what is none. */
export function checkGuids(guids: readonly string[]): string[] {
  checkLength('guids', guids);
  const seen = new Map(guids.map((guid) => [checkGuid(guid, 'guids').toLowerCase(), guid]));
  return [...seen.values()];
}

/** @throws {InvalidInputError} for a list of more than 500. */
function checkLength(field: string, list: readonly unknown[]): void {
  if (list.length > LONGEST_LIST) throw refusedField(field, `Please use no more than ${LONGEST_LIST} entries.`);
}

/** A text of one line. @throws {InvalidInputError} for one that is too long, of more lines, or that no column can hold. */
export function checkText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_TEXT) throw refusedField(field, `Please use no more than ${LONGEST_TEXT} characters.`);
  if (NO_LINE.test(trimmed) || !trimmed.isWellFormed()) throw refusedField(field, 'This text cannot be stored.');
  return trimmed;
}

/** A language, as answers spell it; null for all. @throws {InvalidInputError} for one that is not supported. */
export function checkLocale(locale: string | null): string | null {
  if (locale === null) return null;
  const known = canonicalLocale(locale);
  if (known === null) throw refusedField('locale', `The language code '${locale.slice(0, 32)}' is invalid.`);
  return known;
}

/** Where a replacement leads: a path of this site or an address. @throws {InvalidInputError} for anything else. */
export function checkPath(path: string | null): string | null {
  if (path === null) return null;
  const text = checkText('path', path);
  if (isDestination(text)) return text;
  throw refusedField('path', 'A path starts with / and an address with https:// or http:// and a host.');
}

/** The ranges of an override. @throws {InvalidInputError} for a version that is none. */
export function checkRanges(ranges: readonly OverriddenVersions[]): readonly OverriddenVersions[] {
  const field = 'versionRanges';
  checkLength(
    field,
    ranges.flatMap(({ applications }) => applications),
  );
  for (const { addonMinVersion, addonMaxVersion, applications } of ranges) {
    for (const version of [addonMinVersion, addonMaxVersion]) {
      if (!ADDON_VERSION.test(version))
        throw refusedField(field, `${JSON.stringify(version.slice(0, 64))} is no version.`);
    }
    if (applications.length === 0) throw refusedField(field, 'A range names at least one application.');
    for (const version of applications.flatMap(({ minVersion, maxVersion }) => [minVersion, maxVersion])) {
      if (encodeApplicationVersion(version) !== null) continue;
      throw refusedField(field, `${JSON.stringify(version.slice(0, 64))} is no version of an application.`);
    }
  }
  return ranges;
}
