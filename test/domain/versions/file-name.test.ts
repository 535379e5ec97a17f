import { describe, expect, it } from 'vitest';
import { knownSource } from '../../../src/domain/versions/download-counts.ts';
import { fileNameFor } from '../../../src/domain/versions/file-name.ts';

const anywhere = { desktop_browser: { min: '42.0', max: '*' }, mail_client: { min: '60.0', max: '*' } };

describe('fileNameFor', () => {
  const extension = { compatibility: {}, format: 'webextension', defaultLocale: null };

  it.each([
    [{ 'en-US': 'My Add-on' }, '1.0', { ...extension, compatibility: anywhere }, 'my_add_on-1.0-db+mc.xpi'],
    [{ default: 'Été' }, '1.0', { ...extension, format: 'install-rdf' }, 'ete-1.0.xpi'],
    [{ de: 'Uhr', fr: 'Horloge' }, '1', { ...extension, defaultLocale: 'fr' }, 'horloge-1.xpi'],
    [{ default: '../../etc/passwd' }, '1.0*', extension, 'etc_passwd-1.0.xpi'],
    [{ ja: '日本語' }, '2', { ...extension, format: 'opensearch' }, 'a_example.org-2.xml'],
    [{ default: 'a\r\nb"c' }, '1', extension, 'a_b_c-1.xpi'],
    [{}, '1', extension, 'a_example.org-1.xpi'],
  ])('is made of the name %o and the version %s', (names, version, manifest, expected) => {
    expect(fileNameFor(names, 'a@example.org', version, manifest)).toBe(expected);
  });
});

describe('knownSource', () => {
  it.each([
    ['api', 'api'],
    ['external-somewhere', 'external-somewhere'],
    ['cb-dl-featured', 'cb-dl-featured'],
    ['unknown-source', ''],
    ['', ''],
    ["'; drop table file; --", ''],
    [`external-${'x'.repeat(100)}`, ''],
  ])('of %j is %j', (source, expected) => {
    expect(knownSource(source)).toBe(expected);
  });
});
