/*
 * The order of version strings that browsers use. A version is a list of parts separated by dots; a part is up to four
 * optional pieces: a number, a word, a number, a word. A missing number counts as 0. Words compare by code unit, and a missing
 * word is greater than any, so `1.0b1` comes before `1.0`.
 */

interface Part {
  /** `*` is greater than any number. */
  infinite: boolean;
  number: bigint;
  word: string | null;
  secondNumber: bigint;
  rest: string | null;
}

const MISSING_PART: Part = { infinite: false, number: 0n, word: null, secondNumber: 0n, rest: null };
const INFINITE_PART: Part = { ...MISSING_PART, infinite: true };

/**
 * Compares two texts as versions, part by part; missing parts count as 0, so `1`, `1.0` and `1.0.0` are equal. Negative when
 * `a` is older than `b`, positive when it is newer. Never throws; numbers have no upper limit.
 */
export function compareVersions(a: string, b: string): number {
  const partsOfA = a.split('.');
  const partsOfB = b.split('.');
  const length = Math.max(partsOfA.length, partsOfB.length);
  for (let index = 0; index < length; index++) {
    const order = compareParts(readPart(partsOfA[index]), readPart(partsOfB[index]));
    if (order !== 0) return order;
  }
  return 0;
}

function compareParts(a: Part, b: Part): number {
  return (
    Number(a.infinite) - Number(b.infinite) ||
    compareNumbers(a.number, b.number) ||
    compareWords(a.word, b.word) ||
    compareNumbers(a.secondNumber, b.secondNumber) ||
    compareWords(a.rest, b.rest)
  );
}

function compareNumbers(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `null` is a missing word. It differs from an empty one, which a second number such as the `-2` of `1-2` leaves behind. */
function compareWords(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

function readPart(text: string | undefined): Part {
  if (text === undefined) return MISSING_PART;
  if (text === '*') return INFINITE_PART;
  const [number, afterNumber] = takeNumber(text);
  if (afterNumber === '') return { ...MISSING_PART, number };
  // A plus sign means "just below the next number", which is how old manifests wrote an open end.
  if (afterNumber.startsWith('+')) return { ...MISSING_PART, number: number + 1n, word: 'pre' };
  const start = afterNumber.search(/[0-9+-]/);
  if (start === -1) return { ...MISSING_PART, number, word: afterNumber };
  const [secondNumber, rest] = takeNumber(afterNumber.slice(start));
  return { infinite: false, number, word: afterNumber.slice(0, start), secondNumber, rest: rest === '' ? null : rest };
}

/** Splits a leading whole number, which may carry a sign, from what follows it; without one the number is 0. */
function takeNumber(text: string): [bigint, string] {
  const sign = text.startsWith('-') || text.startsWith('+') ? 1 : 0;
  let end = sign;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  if (end === sign) return [0n, text];
  const size = BigInt(text.slice(sign, end));
  return [text.startsWith('-') ? -size : size, text.slice(end)];
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
