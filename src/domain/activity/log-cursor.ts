import { InvalidInputError } from '../../errors.ts';

const LAST = 2n ** 63n - 1n;

/** Parses a position in a log; 0, which no entry has, for malformed text. */
export function positionOf(text: string): bigint {
  const position = /^\d{1,19}$/.test(text) ? BigInt(text) : 0n;
  return position <= LAST ? position : 0n;
}

/** @throws {InvalidInputError} for a forged cursor, which holds a value of any type. */
export function requireLogCursor(cursor: { id?: unknown } | undefined): void {
  const { id } = cursor ?? {};
  if (id === undefined || (typeof id === 'bigint' && id >= 1n && id <= LAST)) return;
  throw new InvalidInputError('Not a cursor of this list.');
}
