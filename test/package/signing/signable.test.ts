import { describe, expect, it } from 'vitest';
import { requireSignable } from '../../../src/package/signing/signable.ts';

describe('a package that no signature fits', () => {
  it.each([
    'META-INF',
    'meta-inf',
    'META-INF/addon.sf/x',
    'meta-inf/ADDON.RSA/x/y',
    'META-INF/cose.sig/x',
    'META-INF/manifest.mf/',
  ])('has %s where the signature goes', (name) => {
    const names = ['manifest.json', 'META-INF/', name];
    expect(() => requireSignable(names, 'addon')).toThrow(`Invalid file name in archive: ${name}`);
  });

  it.each(['META-INF/addon.sf', 'META-INF/other.sf/x', 'META-INF/addon.sfx', 'a/META-INF', 'META-INFO'])(
    'has not %s',
    (name) => {
      expect(() => requireSignable(['manifest.json', 'META-INF/', name], 'addon')).not.toThrow();
    },
  );

  it('has longer names than browsers read, to the byte', () => {
    // Sections of 195 bytes, after a beginning of 23 and before the two of the other signature, 177 and 172.
    const sections = Math.floor((8_000_000 - 23 - 177 - 172) / 195);
    const names = Array.from({ length: sections }, (_, index) => String(index).padStart(40, 'n'));
    expect(() => requireSignable(names, 'addon')).not.toThrow();
    expect(() => requireSignable([...names, 'n'], 'addon')).toThrow('too many and too long to be signed');
    expect(() => requireSignable([...names, 'META-INF/old.rsa', 'folder/'], 'addon')).not.toThrow();
  });
});
