import { describe, expect, it } from 'vitest';
import { homepageFromPackage } from '../../../src/domain/listing/package-texts.ts';
import type { PackageManifest } from '../../../src/package/manifest/package-manifest.ts';

const homepageOf = (homepage: Record<string, string>) =>
  homepageFromPackage({ homepage } as unknown as PackageManifest, 'en-US');

describe('homepageFromPackage', () => {
  it('returns the supported languages', () => {
    const german = 'http://clock.example/de?a=1';
    expect(homepageOf({ en_US: 'https://clock.example/', de: german, xx: german })).toEqual({
      'en-US': 'https://clock.example/',
      de: german,
    });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'clock.example',
    '/clock',
    'https://',
    'ftp://clock.example/',
    'https://me@clock.example/',
  ])('omits %j', (address) => {
    expect(homepageOf({ 'en-US': address, de: 'https://clock.example/' })).toEqual({ de: 'https://clock.example/' });
  });
});
