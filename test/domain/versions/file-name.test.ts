import { describe, expect, it } from 'vitest';
import { knownSource } from '../../../src/domain/versions/download-counts.ts';
import { fileNameFor } from '../../../src/domain/versions/file-name.ts';

const anywhere = { desktop_browser: { min: '42.0', max: '*' }, mail_client: { min: '60.0', max: '*' } };

describe('fileNameFor', () => {
  it.each([
    ['my-addon', '1.0', { compatibility: anywhere, format: 'webextension' }, 'my_addon-1.0-db+mc.xpi'],
    ['été', '1.0', { compatibility: {}, format: 'install-rdf' }, 'ete-1.0.xpi'],
    ['../../etc/passwd', '1.0*', { compatibility: {}, format: 'webextension' }, 'etc_passwd-1.0.xpi'],
    ['日本語', '2', { compatibility: {}, format: 'opensearch' }, 'addon-2.xml'],
    ['a\r\nb"c', '1', { compatibility: {}, format: 'webextension' }, 'a_b_c-1.xpi'],
  ])('%s %s', (slug, version, manifest, expected) => {
    expect(fileNameFor(slug, version, manifest)).toBe(expected);
  });
});

describe('knownSource', () => {
  it.each([
    ['api', 'api'],
    ['external-somewhere', 'external-somewhere'],
    ['cb-dl-featured', 'cb-dl-featured'],
    ['never-heard-of', ''],
    ['', ''],
    ["'; drop table file; --", ''],
    [`external-${'x'.repeat(100)}`, ''],
  ])('%s', (source, expected) => {
    expect(knownSource(source)).toBe(expected);
  });
});
