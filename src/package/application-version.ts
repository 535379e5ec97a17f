/*
 * Application versions as whole numbers of 53 bits in the order in which browsers compare versions, so that JavaScript, SQL and the search
 * index compare numbers. Fields from high to low: major (12 bits), three minors (8 each), position of the part with the suffix
 * (3; 4 = none), kind of suffix (2), its number (8), its `pre` (4; 15 = none). Multiplied, because bit operators stop at 32 bits.
 */

/** Largest values of the four numbers. The largest one is what `*` encodes to, so a plain number stays below it. */
const LIMITS = [4095, 255, 255, 255] as const;
const FIELD_SIZES = [256, 256, 256, 8, 4, 256, 16] as const;
const SUFFIX_KINDS: Readonly<Record<string, number>> = { a: 0, b: 1, pre: 2, rc: 3 };
const NO_SUFFIX = { position: 4, kind: 0, number: 0, pre: 15 } as const;
const BELOW_THE_MINORS = 8 * 4 * 256 * 16;

/** Every quantifier is bounded and the text is at most 32 characters long, so matching is linear. */
const VERSION = /^(\d{1,4}|\*)((?:\.(?:\d{1,3}|\*)){0,3})(?:(a|b|pre|rc|\+)(\d{1,3})?(?:(pre)(\d)?)?)?$/;
const MAX_VERSION_LENGTH = 32;

interface Suffix {
  position: number;
  kind: number;
  number: number;
  pre: number;
}

/**
 * Encodes an application version such as `57.0`, `57.0a1`, `56.*` or `*` as a safe whole number that orders as versions do.
 * @returns `null` when the text is no application version: more than four numbers, a number too large, anything after `*`
 */
export function encodeApplicationVersion(version: string): number | null {
  const match = version.length <= MAX_VERSION_LENGTH ? VERSION.exec(version) : null;
  if (match === null) return null;
  const [, major = '', minors = '', word, number, pre, preNumber] = match;
  const parts = [major, ...minors.split('.').slice(1)];
  const numbers = readNumbers(parts);
  if (numbers === null) return null;
  if (word === undefined) return combine(numbers, NO_SUFFIX);
  if (parts.includes('*')) return null;
  const position = parts.length - 1;
  if (word === '+') {
    if (number !== undefined || pre !== undefined) return null;
    numbers[position] = (numbers[position] ?? 0) + 1;
    return combine(numbers, { ...NO_SUFFIX, position, kind: 2 });
  }
  const suffix = readSuffix(word, number, pre, preNumber);
  return suffix && combine(numbers, { ...suffix, position });
}

const MIN_SINGLE_VERSION = '10.0';

/** Encodes the version that an application reports: from 10.0, without `*`. Null for any other text. */
export function encodeSingleVersion(version: string): number | null {
  const code = version.includes('*') ? null : encodeApplicationVersion(version.trim());
  return code === null || code < (encodeApplicationVersion(MIN_SINGLE_VERSION) ?? 0) ? null : code;
}

/** Four numbers, missing ones 0. `*` fills its own and all that follow, and only the last part may be one. */
function readNumbers(parts: string[]): number[] | null {
  const star = parts.indexOf('*');
  if (star !== -1 && star !== parts.length - 1) return null;
  const numbers = LIMITS.map((limit, index) => (star !== -1 && index >= star ? limit : Number(parts[index] ?? 0)));
  const tooLarge = numbers.some((number, index) => (star === -1 || index < star) && number >= (LIMITS[index] ?? 0));
  return tooLarge ? null : numbers;
}

/** `a1`, `b`, `rc2`, `pre`, and `a1pre` or `b2pre3`, the names of builds on the way to an alpha or beta. */
function readSuffix(word: string, number?: string, pre?: string, preNumber?: string): Omit<Suffix, 'position'> | null {
  const kind = SUFFIX_KINDS[word];
  const value = Number(number ?? 0);
  if (kind === undefined || value > 255) return null;
  if (pre === undefined) return { kind, number: value, pre: NO_SUFFIX.pre };
  if (word === 'pre' || number === undefined) return null;
  return { kind, number: value, pre: preNumber === undefined ? 0 : Number(preNumber) + 1 };
}

function combine(numbers: number[], suffix: Suffix): number {
  const [major = 0, ...rest] = [...numbers, suffix.position, suffix.kind, suffix.number, suffix.pre];
  return rest.reduce((code, field, index) => code * (FIELD_SIZES[index] ?? 1) + field, major);
}

/**
 * Clears everything below the minor numbers of an encoded version. An add-on whose `max` is `57.0a1` still counts as
 * compatible with 57.0, which is why a `max` is compared with the floor of the requested version.
 */
export function floorApplicationVersion(code: number): number {
  return code - (code % BELOW_THE_MINORS);
}
