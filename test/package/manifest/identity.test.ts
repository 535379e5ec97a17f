import { describe, expect, it } from 'vitest';
import {
  checkAddonName,
  checkReservedGuid,
  checkVersionString,
  isGuid,
} from '../../../src/package/manifest/identity.ts';

describe('isGuid', () => {
  it.each([
    '{daf44bf7-a45e-4450-979c-91cf07434c3d}',
    '{DAF44BF7-A45E-4450-979C-91CF07434C3D}',
    'clock@example.org',
    'Clock_2.0-beta@Example.Org',
    '@example',
    'a@b',
    `${'a'.repeat(253)}@b`,
  ])('accepts %.60s', (guid) => {
    expect(isGuid(guid)).toBe(true);
  });

  it.each([
    '',
    '@',
    'clock',
    'clock@',
    'daf44bf7-a45e-4450-979c-91cf07434c3d',
    '{daf44bf7-a45e-4450-979c-91cf07434c3}',
    '{daf44bf7a45e4450979c91cf07434c3d}',
    '{gaf44bf7-a45e-4450-979c-91cf07434c3d}',
    ' clock@example.org',
    'clock@example.org\n',
    'clock@example.org\u0000',
    'clo ck@example.org',
    'a@b@c',
    'clöck@example.org',
    'clock@example.org/../x',
    `${'a'.repeat(254)}@b`,
  ])('refuses %j', (guid) => {
    expect(isGuid(guid)).toBe(false);
  });

  it.each([
    'a'.repeat(100_000),
    '@'.repeat(100_000),
    'a@'.repeat(50_000),
    `${'a'.repeat(100_000)}@!`,
    `{${'0'.repeat(100_000)}}`,
  ])('refuses 100 kB of %.5s', (guid) => {
    expect(isGuid(guid)).toBe(false);
  });
});

describe('checkVersionString', () => {
  it.each(['1', '1.0', '0.0.0.0', '2018.10.25', '1.0b3', '1_0-rc+2', '*', '9'.repeat(32)])('accepts %s', (version) => {
    expect(() => checkVersionString(version)).not.toThrow();
  });

  const TOO_LONG = 'Version numbers should have fewer than 32 characters.';
  const BAD_CHARACTERS =
    'Version numbers should only contain letters, numbers, and these punctuation characters: +*.-_.';

  it.each([
    ['9'.repeat(33), TOO_LONG],
    ['!'.repeat(33), TOO_LONG],
    ['9'.repeat(100_000), TOO_LONG],
    ['', BAD_CHARACTERS],
    ['1.0 ', BAD_CHARACTERS],
    ['1.0\n', BAD_CHARACTERS],
    ['1.0/2', BAD_CHARACTERS],
    ['1.0é', BAD_CHARACTERS],
    ['1.０', BAD_CHARACTERS],
    ['<b>', BAD_CHARACTERS],
  ])('refuses %j', (version, message) => {
    expect(() => checkVersionString(version)).toThrow(message);
  });
});

describe('checkAddonName', () => {
  const RESERVED = ['Acme', 'Webfox'];
  const REFUSED = 'Add-on names cannot contain the Acme or Webfox trademarks.';

  const persian = 'می\u200cخواهم';
  it.each(['Clock', 'Clock for Webfox', 'clock FOR acme', 'Clock for Ac\u00adme', 'Acorn me', persian, ''])(
    'accepts %j',
    (name) => {
      expect(() => checkAddonName(name, RESERVED)).not.toThrow();
    },
  );

  it.each([
    'Acme',
    'Acme Clock',
    'ACME clock for Webfox',
    'Clock forWebfox',
    'Ácmé clock',
    'Ａｃｍｅ clock',
    'Clock for Webfox!',
    'Webfox for Webfox',
    'Ac\u200bme Clock',
    'Ac\u00adme Clock',
    'A\u200cc\u200dm\u2060e Clock',
    'A\u202ecme Clock',
    'Ac\u3164me Clock',
    '\ufeffAc\u{e0061}me',
  ])('refuses %j', (name) => {
    expect(() => checkAddonName(name, RESERVED)).toThrow(REFUSED);
  });

  it('accepts every name if none is reserved', () => {
    expect(() => checkAddonName('Acme', [])).not.toThrow();
  });
});

describe('checkReservedGuid', () => {
  const SUFFIXES = ['@acme.example', '@webfox.example'];

  it.each(['clock@example.org', 'acme.example@example.org', '@acme.example.org'])('accepts %s', (guid) => {
    expect(() => checkReservedGuid(guid, SUFFIXES)).not.toThrow();
  });

  it.each(['clock@acme.example', 'clock@ACME.example', '@webfox.example'])('refuses %s', (guid) => {
    expect(() => checkReservedGuid(guid, SUFFIXES)).toThrow(
      'You cannot submit an add-on with a guid ending @acme.example or @webfox.example',
    );
  });

  it('accepts every guid if none is reserved', () => {
    expect(() => checkReservedGuid('clock@acme.example', [])).not.toThrow();
  });
});
