/* Rules for add-on ids, version numbers and reserved names. Patterns are linear, and the length is checked first. */
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';

const MAX_GUID_LENGTH = 255;
const GUID = /^(?:\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}|[a-z0-9._-]*@[a-z0-9._-]+)$/i;
const MAX_VERSION_LENGTH = 32;
const VERSION = /^[A-Za-z0-9+*._-]+$/;

/** True for a UUID in braces and for `local@domain`, whose local part may be empty; 255 characters at most. */
export function isGuid(text: string): boolean {
  return text.length <= MAX_GUID_LENGTH && GUID.test(text);
}

/**
 * The version number as a manifest has it.
 * @throws PackageError when there is none, which cannot match the submitted one; as `checkVersionString` does
 */
export function readVersion(version: unknown): string {
  if (typeof version !== 'string' || version === '') {
    throw new PackageError(message('manifest.no_version'));
  }
  checkVersionString(version);
  return version;
}

/**
 * Checks the form of an add-on's version number.
 * @throws PackageError when it is longer than 32 characters or has undocumented characters
 */
export function checkVersionString(version: string): void {
  if (version.length > MAX_VERSION_LENGTH) {
    throw new PackageError(message('package.version_too_long', { length: version.length }));
  }
  if (!VERSION.test(version)) {
    throw new PackageError(message('package.version_characters', { version: printable(version) }));
  }
}

/**
 * Checks a name against the operator's reserved names, ignoring case, accents and invisible characters. A reserved name may
 * follow "for": `Clock for Acme` is allowed when `Acme` is reserved, `Acme Clock` is not.
 * @throws PackageError naming the reserved names
 */
export function checkAddonName(name: string, reservedNames: readonly string[]): void {
  const folded = fold(name);
  for (const purpose of ['', ...reservedNames.map((reserved) => ` for ${fold(reserved)}`)]) {
    if (!folded.endsWith(purpose)) continue;
    const rest = folded.slice(0, folded.length - purpose.length);
    if (!reservedNames.some((reserved) => rest.includes(fold(reserved)))) return;
  }
  throw new PackageError(message('manifest.reserved_name', { names: reservedNames.join(' or ') }));
}

/** @throws PackageError for the id of a new add-on with a reserved ending, naming the reserved ones */
export function checkReservedGuid(guid: string, reservedSuffixes: readonly string[]): void {
  const folded = guid.toLowerCase();
  if (reservedSuffixes.some((suffix) => folded.endsWith(suffix.toLowerCase()))) {
    throw new PackageError(message('guid.reserved', { suffixes: reservedSuffixes.join(' or ') }));
  }
}

/** Makes look-alikes equal: normalizes full-width letters and ligatures, drops marks and invisible characters. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .trim();
}
