import { describe, expect, it } from 'vitest';
import { PackageError } from '../../../src/errors.ts';
import { writeIdIntoManifest } from '../../../src/package/signing/manifest-id.ts';

const ID = 'notes@example.com';

function written(manifest: string): unknown {
  return JSON.parse(writeIdIntoManifest(Buffer.from(manifest), ID).toString());
}

describe('writing the id into manifest.json', () => {
  const cases: [string, string, unknown][] = [
    ['without settings', '{"name": "a"}', { name: 'a', browser_specific_settings: { gecko: { id: ID } } }],
    [
      'with settings, which stay',
      '{"browser_specific_settings": {"gecko": {"strict_min_version": "60.0"}, "edge": {}}}',
      { browser_specific_settings: { gecko: { strict_min_version: '60.0', id: ID }, edge: {} } },
    ],
    [
      'with settings under the older key, which browsers would no longer read',
      '{"applications": {"gecko": {"strict_min_version": "48.0"}}}',
      {
        applications: { gecko: { strict_min_version: '48.0' } },
        browser_specific_settings: { gecko: { strict_min_version: '48.0', id: ID } },
      },
    ],
    ['with a byte order mark', '\ufeff{"name": "a"}', { name: 'a', browser_specific_settings: { gecko: { id: ID } } }],
    [
      'with two byte order marks, as an upload may have them',
      '\ufeff\ufeff{"name": "a"}',
      { name: 'a', browser_specific_settings: { gecko: { id: ID } } },
    ],
    [
      'with comments, and slashes in strings',
      '// first\n{"url": "https://example.com/", // second "quoted"\n "say": "a \\"b\\" // c"}\n// last',
      { url: 'https://example.com/', say: 'a "b" // c', browser_specific_settings: { gecko: { id: ID } } },
    ],
    [
      'with settings that are no object',
      '{"browser_specific_settings": []}',
      { browser_specific_settings: { gecko: { id: ID } } },
    ],
  ];
  it.each(cases)('succeeds %s', (_, manifest, expected) => {
    expect(written(manifest)).toEqual(expected);
  });

  it('keeps the order of the keys', () => {
    expect(Object.keys(written('{"b": 1, "a": 2, "c": 3}') as object).slice(0, 3)).toEqual(['b', 'a', 'c']);
  });

  it.each(['', '[]', '"x"', 'null', '{', '{"a": 1,}', '{"a": 1, "a": 2}', '\xff'])('refuses %j', (manifest) => {
    expect(() => writeIdIntoManifest(Buffer.from(manifest, 'latin1'), ID)).toThrow(PackageError);
  });
});
