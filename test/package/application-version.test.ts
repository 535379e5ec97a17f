import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeApplicationVersion, floorApplicationVersion } from '../../src/package/application-version.ts';
import { compareVersions } from '../support/compare-versions.ts';

function encoded(version: string): number {
  const code = encodeApplicationVersion(version);
  if (code === null) throw new Error(`${version} does not encode`);
  return code;
}

const minor = fc.integer({ min: 0, max: 254 }).map(String);
const suffix = fc.oneof(
  fc.constantFrom('', '', '+', 'a', 'b', 'pre', 'rc', 'a1pre', 'b2pre3', 'rc1pre0', 'a255'),
  fc.tuple(fc.constantFrom('a', 'b', 'pre', 'rc'), fc.integer({ min: 0, max: 255 })).map((pieces) => pieces.join('')),
);
const plain = fc.tuple(fc.integer({ min: 0, max: 4094 }).map(String), fc.array(minor, { maxLength: 3 }));
const version = fc.oneof(
  fc.tuple(plain, suffix).map(([[major, minors], end]) => [major, ...minors].join('.') + end),
  plain.map(([major, minors]) => [major, ...minors.slice(0, 2), '*'].join('.')),
  fc.tuple(fc.constantFrom('1', '2'), fc.constantFrom('', '.0', '.1', '.0.1'), suffix).map((pieces) => pieces.join('')),
  fc.constant('*'),
);

describe('encodeApplicationVersion', () => {
  it.each([
    ['10.0', 21990232621071],
    ['56.0', 123145302376463],
    ['56.*', 125344325500943],
    ['57.0a1', 125344325582879],
    ['57.0b3', 125344325587007],
    ['57.0', 125344325632015],
    ['57', 125344325632015],
    ['57.0.1', 125344359186447],
    ['57.*', 127543348756495],
    ['115.0', 252887674454031],
    ['*', 9007199254675471],
  ])('encodes %s as %d', (text, code) => {
    expect(encodeApplicationVersion(text)).toBe(code);
  });

  it.each([
    '',
    ' ',
    '57.',
    '.57',
    '57..0',
    '57.0 ',
    '57.0\n',
    'v57',
    '-1',
    '57.-1',
    '1.2.3.4.5',
    '4095',
    '12345',
    '57.255',
    '57.0.999',
    '*.0',
    '*.*',
    '57.*.0',
    '57.*a1',
    '*+',
    '57.0+1',
    '57.0+pre',
    '57.0a256',
    '57.0apre',
    '57.0pre1pre',
    '57.0a1pre10',
    '57.0c1',
    '57.0a1b1',
    '5٧',
    '57.0A1',
    '0x39',
    '1e3',
  ])('refuses %j', (text) => {
    expect(encodeApplicationVersion(text)).toBeNull();
  });

  it('keeps the order of versions, in safe integers', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(Number.isSafeInteger(encoded(a))).toBe(true);
        expect(Math.sign(encoded(a) - encoded(b)), `${a} ? ${b}`).toBe(Math.sign(compareVersions(a, b)));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['digits', '5'.repeat(100_000)],
    ['parts', '5.'.repeat(50_000)],
    ['suffixes', `57.0${'a1pre'.repeat(20_000)}`],
    ['stars', '*.'.repeat(50_000)],
  ])('refuses 100 kB of %s', (_kind, text) => {
    expect(encodeApplicationVersion(text)).toBeNull();
  });
});

describe('floorApplicationVersion', () => {
  it('treats an alpha as the release of the same number', () => {
    expect(floorApplicationVersion(encoded('57.0'))).toBeLessThan(encoded('57.0a1'));
    expect(floorApplicationVersion(encoded('57.0'))).toBeGreaterThan(encoded('56.*'));
    expect(floorApplicationVersion(encoded('57.0.1'))).toBeGreaterThan(encoded('57.0'));
  });
});
