import { describe, expect, it } from 'vitest';
import { requireSignable } from '../../../src/package/signing/signable.ts';

describe('requireSignable', () => {
  it.each([
    'META-INF',
    'meta-inf',
    'META-INF/addon.sf/x',
    'meta-inf/ADDON.RSA/x/y',
    'META-INF/cose.sig/x',
    'META-INF/manifest.mf/',
  ])('refuses %s in place of a signature file', (name) => {
    const names = ['manifest.json', 'META-INF/', name];
    expect(() => requireSignable(names, 'addon')).toThrow(`Invalid file name in archive: ${name}`);
  });

  it.each(['META-INF/addon.sf', 'META-INF/other.sf/x', 'META-INF/addon.sfx', 'a/META-INF', 'META-INFO'])(
    'accepts %s',
    (name) => {
      expect(() => requireSignable(['manifest.json', 'META-INF/', name], 'addon')).not.toThrow();
    },
  );

  it('refuses names whose total length exceeds the limit of browsers, to the byte', () => {
    // Sections of 195 bytes follow a header of 23; the other signature adds two of 177 and 172.
    const sections = Math.floor((8_000_000 - 23 - 177 - 172) / 195);
    const names = Array.from({ length: sections }, (_, index) => String(index).padStart(40, 'n'));
    expect(() => requireSignable(names, 'addon')).not.toThrow();
    expect(() => requireSignable([...names, 'n'], 'addon')).toThrow('too many and too long to be signed');
    expect(() => requireSignable([...names, 'META-INF/old.rsa', 'folder/'], 'addon')).not.toThrow();
  });
});
