/* Validation of curation input, for mutations and commands. Errors name the invalid input field. */
import { refusedField } from '../../errors.ts';
import { encodeApplicationVersion } from '../../package/application-version.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { OverriddenVersions } from '../discovery/find-compat-overrides.ts';
import { isAddonId, isDestination } from '../transfer/line-values.ts';

const MAX_TEXT = 255;
const MAX_LIST = 500;
const ADDON_VERSION = /^[A-Za-z0-9.+*_-]{1,32}$/;

/** Control characters and Unicode line ends. */
const CONTROL_OR_LINE_END = /[\p{Cc}\u2028\u2029]/u;

/** Returns a guid of any form. @throws {InvalidInputError} */
export function checkGuid(guid: string, field = 'guid'): string {
  if (!isAddonId(guid)) throw refusedField(field, message('guid.not_guid', { name: printable(guid.slice(0, 64)) }));
  return guid;
}

/** Returns at most 500 guids without duplicates. @throws {InvalidInputError} */
export function checkGuids(guids: readonly string[]): string[] {
  checkLength('guids', guids);
  const seen = new Map(guids.map((guid) => [checkGuid(guid, 'guids').toLowerCase(), guid]));
  return [...seen.values()];
}

function checkLength(field: string, list: readonly unknown[]): void {
  if (list.length > MAX_LIST) throw refusedField(field, message('field.too_many_entries', { count: MAX_LIST }));
}

/** Returns a single line of text, trimmed. @throws {InvalidInputError} for a long, multi-line or unstorable text. */
export function checkText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_TEXT) throw refusedField(field, message('field.text_too_long', { count: MAX_TEXT }));
  if (CONTROL_OR_LINE_END.test(trimmed) || !trimmed.isWellFormed())
    throw refusedField(field, message('field.unstorable_text'));
  return trimmed;
}

/** Returns the target of a replacement: a path of this site or an address. @throws {InvalidInputError} */
export function checkPath(path: string | null): string | null {
  if (path === null) return null;
  const text = checkText('path', path);
  if (isDestination(text)) return text;
  throw refusedField('path', message('replacement.invalid_path'));
}

/** @throws {InvalidInputError} for an invalid version and for a range without applications. */
export function checkOverriddenVersions(ranges: readonly OverriddenVersions[]): readonly OverriddenVersions[] {
  const field = 'versionRanges';
  checkLength(
    field,
    ranges.flatMap(({ applications }) => applications),
  );
  for (const { addonMinVersion, addonMaxVersion, applications } of ranges) {
    for (const version of [addonMinVersion, addonMaxVersion]) {
      if (!ADDON_VERSION.test(version))
        throw refusedField(field, message('override.invalid_version', { version: printable(version.slice(0, 64)) }));
    }
    if (applications.length === 0) throw refusedField(field, message('override.no_applications'));
    for (const version of applications.flatMap(({ minVersion, maxVersion }) => [minVersion, maxVersion])) {
      if (encodeApplicationVersion(version) !== null) continue;
      throw refusedField(field, message('application.invalid_version', { version: printable(version.slice(0, 64)) }));
    }
  }
  return ranges;
}
