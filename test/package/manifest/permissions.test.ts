import { describe, expect, it } from 'vitest';
import { describeWebExtension, parseManifest } from '../../../src/package/manifest/web-extension.ts';

function describeManifest(keys: Record<string, unknown>) {
  const manifest = { manifest_version: 2, name: 'Clock', version: '1.0', ...keys };
  return describeWebExtension(parseManifest(Buffer.from(JSON.stringify(manifest))), new Map(), 1000);
}

describe('permissions of a WebExtension', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

  it.each([
    ['in one list', { permissions: names(100_000) }],
    ['of hosts', { manifest_version: 3, host_permissions: names(100_000) }],
    ['of content scripts', { content_scripts: names(6_000).map((name) => ({ matches: [name] })) }],
    ['in all lists together', { permissions: names(5_000), content_scripts: [{ matches: ['other'] }] }],
  ])('are refused above 5,000 %s', (_where, manifest) => {
    expect(() => describeManifest(manifest)).toThrow('Could not parse the manifest file.');
  });

  it('are accepted up to 5,000, each counted once', () => {
    const permissions = [...names(5_000), ...names(5_000)];
    expect(describeManifest({ permissions }).permissions).toEqual(names(5_000));
  });

  it('are those of the manifest, then hosts, then match patterns of content scripts, without duplicates', () => {
    const manifest = {
      manifest_version: 3,
      content_scripts: [{ matches: ['https://c.example/*', 'tabs'] }, { matches: ['https://b.example/*'] }],
      host_permissions: ['https://b.example/*'],
      permissions: ['tabs', 'storage', 'tabs'],
      optional_permissions: ['bookmarks'],
    };
    expect(describeManifest(manifest).permissions).toEqual([
      'tabs',
      'storage',
      'https://b.example/*',
      'https://c.example/*',
    ]);
  });

  it('exclude host_permissions before manifest version 3', () => {
    expect(describeManifest({ host_permissions: ['https://b.example/*'] }).permissions).toEqual([]);
  });

  it.each([
    ['objects and numbers', ['tabs', { serial: 'all' }, 5, null, ['x']], ['tabs']],
    ['empty text', ['', 'tabs'], ['tabs']],
    ['text that PostgreSQL cannot store', ['a\u0000b', '\ud800', 'tabs'], ['tabs']],
    ['text of 1,001 characters', ['x'.repeat(1001), 'tabs'], ['tabs']],
    ['an object', { tabs: true }, []],
    ['a string', 'tabs', []],
    ['null', null, []],
  ])('ignore %s', (_what, permissions, expected) => {
    expect(describeManifest({ permissions, content_scripts: [null, 5, { matches: 'x' }] }).permissions).toEqual(
      expected,
    );
  });
});

describe('the data that a manifest says it collects', () => {
  const read = (data_collection_permissions: unknown) =>
    describeWebExtension(
      { version: '1.0', browser_specific_settings: { gecko: { data_collection_permissions } } } as never,
      new Map(),
      1,
    );

  it('is that of `required` and `optional`, each once', () => {
    expect(
      read({ required: ['locationInfo', 'locationInfo', 5], optional: ['searchTerms'], more: ['x'] }),
    ).toMatchObject({
      dataCollectionPermissions: ['locationInfo'],
      optionalDataCollectionPermissions: ['searchTerms'],
    });
    expect(read({ required: ['none'] })).toMatchObject({
      dataCollectionPermissions: ['none'],
      optionalDataCollectionPermissions: [],
    });
  });

  it.each([undefined, null, 'none', ['none'], { required: 'none', optional: {} }])('is nothing for %j', (written) => {
    expect(read(written)).toMatchObject({ dataCollectionPermissions: [], optionalDataCollectionPermissions: [] });
  });
});
