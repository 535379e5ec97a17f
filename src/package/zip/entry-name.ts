import { type Buffer, isUtf8 } from 'node:buffer';
import { clashingName, invalidName, longName, type NameFault, undecodableName } from './refusals.ts';

/** Line breaks in a name would inject lines into the signature's manifest files. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const DRIVE_LETTER = /^[A-Za-z]:/;
/** More marks on one character than stream-safe text has (UAX 15); normalizing such names takes seconds. */
const MARKS = /\p{M}{31}/u;

/** The name in a directory record as strict UTF-8, whatever its flag says. @throws {PackageError} */
export function decodeEntryName(bytes: Buffer, maxBytes: number): string {
  if (!isUtf8(bytes)) throw undecodableName(bytes);
  const name = bytes.toString('utf8');
  if (bytes.length > maxBytes) throw longName(name, maxBytes);
  const fault = nameFault(name);
  if (fault !== null) throw invalidName(name, fault);
  return name;
}

/** Why some unpacker would not extract `name` inside its target folder and under exactly this name; null for a safe name. */
export function nameFault(name: string): NameFault | null {
  if (CONTROL.test(name)) return 'package.name_control';
  if (MARKS.test(name)) return 'package.name_marks';
  if (name.includes('\\')) return 'package.name_backslash';
  if (DRIVE_LETTER.test(name)) return 'package.name_drive';
  // A line of a signature file cannot begin or end its value with white space.
  if (name !== name.trim()) return 'package.name_space';
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  if (path.startsWith('/')) return 'package.name_absolute';
  const parts = path.split('/');
  if (parts.includes('')) return 'package.name_empty_part';
  return parts.includes('.') || parts.includes('..') ? 'package.name_dots' : null;
}

/**
 * Throws `PackageError` when two names are equal on a file system that ignores case or normalizes characters, or when one
 * is a file and another is below it.
 */
export function requireDistinctNames(names: readonly string[]): void {
  const byKey = new Map<string, string>();
  for (const name of names) {
    const key = foldedKey(name);
    const other = byKey.get(key);
    if (other !== undefined) throw clashingName('package.name_twice', name, other);
    byKey.set(key, name);
  }
  // A binary search, because a list of all parents of deep names would take hundreds of megabytes.
  const keys = [...byKey.keys()].sort();
  for (const [key, name] of byKey) {
    if (name.endsWith('/')) continue;
    const below = keys[firstNotBefore(keys, `${key}/`)];
    if (below?.startsWith(`${key}/`)) throw clashingName('package.name_below_file', byKey.get(below) ?? below, name);
  }
}

/** The index of the first of `sorted` that is not before `wanted`. */
function firstNotBefore(sorted: readonly string[], wanted: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Full case folding is approximated by lower, upper and lower case again, which joins ß with ss and ſ with s. */
function foldedKey(name: string): string {
  const path = name.endsWith('/') ? name.slice(0, -1) : name;
  return path.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
}
