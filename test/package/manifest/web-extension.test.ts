import { describe, expect, it } from 'vitest';
import { parseMessages } from '../../../src/package/manifest/localized-text.ts';
import { describeWebExtension, parseManifest } from '../../../src/package/manifest/web-extension.ts';

const UNREADABLE = 'Could not parse the manifest file.';
const MIB = 1024 * 1024;

/** Describes a manifest with the given keys on top of the ones every manifest has. */
function describeManifest(keys: Record<string, unknown>, archiveSize = 1000) {
  const manifest = { manifest_version: 2, name: 'Clock', version: '1.0', ...keys };
  return describeWebExtension(parseManifest(Buffer.from(JSON.stringify(manifest))), new Map(), archiveSize);
}

function withSettings(gecko: unknown, key = 'browser_specific_settings') {
  return { [key]: { gecko } };
}

describe('parseManifest', () => {
  it.each([
    ['a byte order mark', '\uFEFF{"name": "Clock"}'],
    ['comments', '// mine\n{"name": // the name\n"Clock"}\n//'],
  ])('accepts %s', (_what, text) => {
    expect({ ...parseManifest(Buffer.from(text)) }).toEqual({ name: 'Clock' });
  });

  it.each([
    ['nothing', ''],
    ['an array', '[{"name": "Clock"}]'],
    ['null', 'null'],
    ['a number', '5'],
    ['a string', '"{}"'],
    ['cut text', '{"name": "Clock"'],
    ['a repeated key', '{"version": "1.0", "version": "2.0"}'],
    ['a repeated key inside', '{"a": {"id": "a@b", "id": "c@d"}}'],
    ['__proto__', '{"__proto__": {"name": "Clock"}}'],
    ['too many levels', `{"a": ${'['.repeat(64)}${']'.repeat(64)}}`],
    ['100,000 levels', '{"a":'.repeat(100_000)],
    ['a block comment', '{/* no */}'],
  ])('refuses %s', (_what, text) => {
    expect(() => parseManifest(Buffer.from(text))).toThrow(UNREADABLE);
  });

  it.each([
    ['Latin-1', Buffer.from('{"name": "Ühr"}', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFF{"name": "Clock"}', 'utf16le')],
    ['over-long UTF-8', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-8 surrogates', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('refuses %s', (_what, bytes) => {
    expect(() => parseManifest(bytes)).toThrow(UNREADABLE);
  });
});

describe('describeWebExtension', () => {
  it('returns every property of an extension', () => {
    const manifest = {
      description: 'Tells the time.',
      homepage_url: 'https://clock.example.org/',
      default_locale: 'en_us',
      permissions: ['tabs', 'https://*.example.org/*'],
      browser_specific_settings: { gecko: { id: 'clock@example.org', strict_min_version: '57.0' } },
    };
    expect(describeManifest(manifest)).toEqual({
      format: 'webextension',
      manifestVersion: 2,
      guid: 'clock@example.org',
      version: '1.0',
      type: 'extension',
      name: { 'en-US': 'Clock' },
      summary: { 'en-US': 'Tells the time.' },
      homepage: { 'en-US': 'https://clock.example.org/' },
      defaultLocale: 'en-US',
      unresolvedTexts: [],
      compatibility: { desktop_browser: { min: '57.0', max: '*' }, mobile_browser: { min: '57.0', max: '*' } },
      lockedApplications: [],
      strictCompatibility: false,
      permissions: ['tabs', 'https://*.example.org/*'],
      optionalPermissions: [],
      dataCollectionPermissions: [],
      optionalDataCollectionPermissions: [],
      hostPermissions: [],
      restartRequired: false,
      isExperiment: false,
      targetLocale: null,
      e10s: 'compatible-webextension',
    });
  });

  it('has the optional permissions, and host permissions of manifest version 3', () => {
    const keys = {
      permissions: ['tabs'],
      optional_permissions: ['history', 'history', 7],
      host_permissions: ['*://*.example.org/*'],
    };
    expect(describeManifest({ ...keys, manifest_version: 3 })).toMatchObject({
      permissions: ['tabs', '*://*.example.org/*'],
      optionalPermissions: ['history'],
      hostPermissions: ['*://*.example.org/*'],
    });
    expect(describeManifest(keys)).toMatchObject({ permissions: ['tabs'], hostPermissions: [] });
  });

  it.each([
    ['without settings for it', {}, []],
    ['with a range', { gecko_android: { strict_min_version: '60.0' } }, ['mobile_browser']],
    ['with empty settings', { gecko_android: {} }, ['mobile_browser']],
    ['with settings that are null', { gecko_android: null }, []],
  ])('locks the range of the mobile browser: %s', (_what, settings, expected) => {
    expect(describeManifest({ browser_specific_settings: settings })).toMatchObject({ lockedApplications: expected });
  });

  it('refuses settings for the mobile browser with an end before its first version', () => {
    const gecko = { id: 'a@b', strict_min_version: '42.0', strict_max_version: '47.0' };
    expect(() => describeManifest({ browser_specific_settings: { gecko, gecko_android: {} } })).toThrow(
      'Cannot find min/max version.',
    );
  });

  it.each([
    ['language pack', { langpack_id: 'de' }, {}, true],
    ['dictionary without an end', { dictionaries: { de: 'de.dic' } }, {}, false],
    ['dictionary with an end', { dictionaries: { de: 'de.dic' } }, { strict_max_version: '140.*' }, true],
    ['extension with an end', {}, { strict_max_version: '140.*' }, false],
  ])('keeps the end of a %s strict where update checks would lift it', (_what, keys, limits, expected) => {
    const settings = { gecko: { id: 'a@b', ...limits } };
    expect(describeManifest({ ...keys, browser_specific_settings: settings }).strictCompatibility).toBe(expected);
  });

  it.each([
    ['an extension', {}, 'extension', null],
    ['a search provider', { chrome_settings_overrides: { search_provider: {} } }, 'extension', null],
    ['a static theme', { theme: {} }, 'statictheme', null],
    ['a language pack', { langpack_id: 'pt_br' }, 'language', 'pt-BR'],
    ['a language pack with an odd code', { langpack_id: 'ja-JP-mac' }, 'language', 'ja-JP-mac'],
    ['a language pack without a code', { langpack_id: 5 }, 'language', null],
    ['a dictionary', { dictionaries: { 'de-at': 'a.dic', fr: 'b.dic' } }, 'dictionary', 'de-AT'],
    ['a dictionary without a code', { dictionaries: {} }, 'dictionary', null],
    ['a dictionary in a list', { dictionaries: ['a.dic'] }, 'dictionary', null],
    ['a theme before anything else', { theme: {}, langpack_id: 'de', dictionaries: {} }, 'statictheme', null],
  ])('recognises %s', (_what, keys, type, targetLocale) => {
    expect(describeManifest(keys)).toMatchObject({ type, targetLocale, strictCompatibility: type === 'language' });
  });

  it.each([
    [2, 2],
    [3, 3],
    [1, null],
    ['2', null],
    [null, null],
  ])('reads manifest version %j', (written, manifestVersion) => {
    expect(describeManifest({ manifest_version: written }).manifestVersion).toBe(manifestVersion);
  });

  it('reports experiments', () => {
    expect(describeManifest({ experiment_apis: {} }).isExperiment).toBe(true);
    expect(describeManifest({}).isExperiment).toBe(false);
  });

  it('limits only static themes to 7 MB', () => {
    expect(describeManifest({ theme: {} }, 7 * MIB).type).toBe('statictheme');
    expect(() => describeManifest({ theme: {} }, 7 * MIB + 1)).toThrow(
      'Maximum size for WebExtension themes is 7.0 MB.',
    );
    expect(describeManifest({}, 8 * MIB).type).toBe('extension');
  });

  describe('the id', () => {
    it.each([
      ['in the settings', withSettings({ id: 'clock@example.org' }), 'clock@example.org'],
      ['in the older settings', withSettings({ id: 'clock@example.org' }, 'applications'), 'clock@example.org'],
      [
        'in both, of which the newer count',
        { ...withSettings({ id: 'new@example.org' }), ...withSettings({ id: 'old@example.org' }, 'applications') },
        'new@example.org',
      ],
      ['in its own case', withSettings({ id: 'Clock@Example.Org' }), 'Clock@Example.Org'],
      ['left out', {}, null],
      ['null', withSettings({ id: null }), null],
      ['empty', withSettings({ id: '' }), null],
      ['longer than 64 characters', withSettings({ id: `${'a'.repeat(80)}@b` }), `${'a'.repeat(80)}@b`],
      [
        'only in the older settings, which do not count',
        {
          browser_specific_settings: {},
          ...withSettings({ id: 'old@example.org' }, 'applications'),
        },
        null,
      ],
    ])('can be %s', (_what, keys, guid) => {
      expect(describeManifest(keys).guid).toBe(guid);
    });

    it.each(['clock', 'clock@', 'clo ck@example.org', 'clock@example.org\n', '../x@y', 'a@b@'.repeat(25_000)])(
      'may not be %.30j',
      (id) => {
        expect(() => describeManifest(withSettings({ id }))).toThrow(
          'The add-on ID in your manifest.json is not valid.',
        );
      },
    );

    it.each([
      ['a number', withSettings({ id: 5 })],
      ['an array', withSettings({ id: ['clock@example.org'] })],
      ['an object', withSettings({ id: { toString: 'clock@example.org' } })],
      ['in an array', withSettings([{ id: 'clock@example.org' }])],
      ['in a string', withSettings('clock@example.org')],
      ['in settings that are a list', { browser_specific_settings: [] }],
      ['in settings that are a number', { applications: 5 }],
    ])('cannot be %s', (_what, keys) => {
      expect(() => describeManifest(keys)).toThrow(UNREADABLE);
    });
  });

  describe('the version', () => {
    it.each([undefined, null, '', 1, ['1.0'], {}])('is refused if it is %j', (version) => {
      expect(() => describeManifest({ version })).toThrow('Version does not match the manifest file.');
    });

    it.each([
      ['1'.repeat(33), 'Version numbers should have fewer than 32 characters.'],
      ['1'.repeat(100_000), 'Version numbers should have fewer than 32 characters.'],
      ['1.0 beta', 'Version numbers should only contain letters, numbers, and these punctuation characters: +*.-_.'],
    ])('cannot be %.40j', (version, message) => {
      expect(() => describeManifest({ version })).toThrow(message);
    });
  });

  describe('compatibility', () => {
    it('reads both browsers', () => {
      const gecko = { id: 'clock@example.org', strict_min_version: '57.0', strict_max_version: '60.*' };
      const gecko_android = { strict_min_version: '58.0' };
      expect(describeManifest({ browser_specific_settings: { gecko, gecko_android } }).compatibility).toEqual({
        desktop_browser: { min: '57.0', max: '60.*' },
        mobile_browser: { min: '58.0', max: '60.*' },
      });
    });

    it('reads null and empty versions as absent', () => {
      const gecko = { id: 'clock@example.org', strict_min_version: null, strict_max_version: '' };
      expect(describeManifest(withSettings(gecko)).compatibility.desktop_browser).toEqual({ min: '42.0', max: '*' });
    });

    it.each([57, ['57.0'], {}, true, '57', '57.0', 'latest', '?'])('reads or refuses %j', (version) => {
      const keys = withSettings({ id: 'clock@example.org', strict_min_version: version });
      if (version === '57' || version === '57.0') {
        expect(describeManifest(keys).compatibility.desktop_browser?.min).toBe(version);
      } else {
        expect(() => describeManifest(keys)).toThrow('Cannot find min/max version.');
      }
    });

    it('refuses versions that are too old', () => {
      const settings = { strict_min_version: '40.0' };
      expect(() => describeManifest(withSettings(settings))).toThrow(
        'GUID is required for desktop_browser 47 and below.',
      );
      expect(() => describeManifest(withSettings({ ...settings, id: 'clock@example.org' }))).toThrow(
        'Lowest supported "strict_min_version" is 42.0.',
      );
    });
  });

  describe('texts', () => {
    it.each([5, null, undefined, '', ['Clock'], { en: 'Clock' }, true])('are absent when the name is %j', (name) => {
      expect(describeManifest({ name }).name).toEqual({});
    });

    it('have no locale if the default locale is invalid', () => {
      for (const default_locale of [5, null, '../../en', 'en--US', '__proto__', 'x'.repeat(100_000)]) {
        expect(describeManifest({ default_locale })).toMatchObject({ name: { default: 'Clock' }, defaultLocale: null });
      }
    });

    it.each(['javascript:alert(1)', 'ftp://example.org/', '//example.org', 'https://a b', '', 5])(
      'have no homepage %j',
      (homepage_url) => {
        expect(describeManifest({ homepage_url }).homepage).toEqual({});
      },
    );

    it('are resolved from the locales', () => {
      const keys = new Set(['NAME', 'SITE']);
      const catalog = new Map([
        ['en', parseMessages('{"name": {"message": "Clock"}, "site": {"message": "https://example.org/"}}', keys)],
        ['de', parseMessages('{"name": {"message": "Uhr"}, "site": {"message": "javascript:1"}}', keys)],
      ]);
      const manifest = parseManifest(
        Buffer.from('{"version": "1", "default_locale": "en", "name": "__MSG_name__", "homepage_url": "__MSG_site__"}'),
      );
      expect(describeWebExtension(manifest, catalog, 1000)).toMatchObject({
        name: { en: 'Clock', de: 'Uhr' },
        summary: {},
        homepage: { en: 'https://example.org/' },
      });
    });
  });
});
