import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../support/compare-versions.ts';

/** Rows from oldest to newest; the versions of a row are equal. */
const CHAIN = [
  ['1.-1'],
  ['1', '1.0', '1.0.0', '01.00'],
  ['1.1a'],
  ['1.1aa'],
  ['1.1ab'],
  ['1.1b'],
  ['1.1c'],
  ['1.1pre', '1.1pre0', '1.0+', '1.0+x'],
  ['1.1pre1a'],
  ['1.1pre1aa'],
  ['1.1pre1b'],
  ['1.1pre1'],
  ['1.1pre2'],
  ['1.1pre10'],
  ['1.1.-1'],
  ['1.1', '1.1.0', '1.1.00'],
  ['1.10'],
  ['1.*'],
  ['1.*.1'],
  ['2.0-1'],
  ['2.0'],
  ['115.20231204.123456'],
  ['115.99999999999999999999'],
  ['115.100000000000000000000'],
  ['*'],
];

const word = fc.constantFrom('', 'a', 'b', 'pre', 'rc', '-', '+', '_', 'beta');
const number = fc.constantFrom('', '0', '1', '2', '10', '007', '-1', '20231204123456789012');
const part = fc.oneof(
  fc.constant('*'),
  fc.tuple(number, word, number, word).map((pieces) => pieces.join('')),
);
const version = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
  fc.string({ maxLength: 12 }),
);

describe('compareVersions', () => {
  it('orders every pair of the list', () => {
    for (const [low, older] of CHAIN.entries()) {
      for (const [high, newer] of CHAIN.entries()) {
        for (const a of older) {
          for (const b of newer) expect(Math.sign(compareVersions(a, b)), `${a} ? ${b}`).toBe(Math.sign(low - high));
        }
      }
    }
  });

  it('is a total order on any text', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, a)).toBe(0);
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('ignores trailing zero parts', () => {
    fc.assert(
      fc.property(version, (a) => {
        expect(compareVersions(a, `${a}.0.0`)).toBe(0);
      }),
    );
  });

  it.each([
    ['digits', '9'.repeat(100_000)],
    ['dots', '.'.repeat(100_000)],
    ['signs', '+-'.repeat(50_000)],
    ['letters and digits', 'a1'.repeat(50_000)],
  ])('reads 100 kB of %s', (_kind, text) => {
    expect(compareVersions(text, text)).toBe(0);
    expect(compareVersions(text, '*')).toBeLessThan(0);
  });
});
