import { describe, expect, it } from 'vitest';
import { describeInstallRdf, type LegacyFiles } from '../../../src/package/manifest/install-rdf.ts';
import { DESKTOP_BROWSER_ID, installRdf } from '../../support/packages.ts';

const UNREADABLE = 'Could not parse the manifest file.';
const NO_FILES: LegacyFiles = { dictionary: null, chromeManifest: '' };
const NAMESPACES = 'xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:em="http://www.mozilla.org/2004/em-rdf#"';

describe('describeInstallRdf', () => {
  it('returns every property of an extension', () => {
    const document = installRdf({
      guid: '{daf44bf7-a45e-4450-979c-91cf07434c3d}',
      version: '1.0.2',
      properties: `<em:description>Tells &amp; shows</em:description><em:homepageURL>https://example.org/</em:homepageURL>
        <em:localized><Description em:locale="de"><em:name>Uhr</em:name></Description></em:localized>
        <em:localized><Description><em:locale>fr</em:locale><em:locale>fr-be</em:locale><em:name>Horloge</em:name>
          <em:homepageURL>javascript:1</em:homepageURL></Description></em:localized>
        <em:multiprocessCompatible>true</em:multiprocessCompatible><em:bootstrap>true</em:bootstrap>`,
    });
    expect(describeInstallRdf(document, NO_FILES)).toEqual({
      format: 'install-rdf',
      manifestVersion: null,
      guid: '{daf44bf7-a45e-4450-979c-91cf07434c3d}',
      version: '1.0.2',
      type: 'extension',
      name: { default: 'Clock', de: 'Uhr', fr: 'Horloge', 'fr-BE': 'Horloge' },
      summary: { default: 'Tells & shows' },
      homepage: { default: 'https://example.org/' },
      defaultLocale: null,
      unresolvedTexts: [],
      compatibility: { desktop_browser: { min: '45.0', max: '56.*' } },
      lockedApplications: [],
      strictCompatibility: false,
      permissions: [],
      optionalPermissions: [],
      hostPermissions: [],
      dataCollectionPermissions: [],
      optionalDataCollectionPermissions: [],
      restartRequired: false,
      isExperiment: false,
      targetLocale: null,
      e10s: 'compatible',
    });
  });

  it('reads properties written as attributes and descriptions written elsewhere', () => {
    const document = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:m="http://www.mozilla.org/2004/em-rdf#">
      <r:Description r:about="urn:mozilla:install-manifest" m:id="clock@example.org" m:version="2.0" m:type="2" m:name="Clock">
        <m:targetApplication r:resource="rdf:#1"/>
        <m:targetApplication r:nodeID="two"/>
        <m:targetApplication r:resource="rdf:#nowhere"/>
        <m:targetApplication r:parseType="Resource"><m:id>{92650c4d-4b8e-4d2a-b7eb-24ecf4f6b63a}</m:id>
          <m:minVersion>2.0</m:minVersion><m:maxVersion>2.*</m:maxVersion></m:targetApplication>
      </r:Description>
      <r:Description r:about="rdf:#1" m:id="${DESKTOP_BROWSER_ID}" m:minVersion="38.0" m:maxVersion="*"/>
      <r:Description r:nodeID="two" m:id="{3550f703-e582-4d05-9a08-453d09bdfdc6}" m:minVersion="38.0" m:maxVersion="52.*"/>
    </r:RDF>`;
    expect(describeInstallRdf(document, NO_FILES)).toMatchObject({
      guid: 'clock@example.org',
      version: '2.0',
      name: { default: 'Clock' },
      compatibility: {
        desktop_browser: { min: '38.0', max: '56.*' },
        mail_client: { min: '38.0', max: '52.*' },
        suite_app: { min: '2.0', max: '2.*' },
      },
    });
  });

  it.each([
    [2, 'extension', true],
    [4, 'theme', true],
    [8, 'language', true],
    [64, 'dictionary', false],
  ])('accepts type %d', (number, type, restartRequired) => {
    expect(describeInstallRdf(installRdf({ type: number }), NO_FILES)).toMatchObject({
      type,
      restartRequired,
      strictCompatibility: type === 'language',
      e10s: 'unknown',
    });
  });

  it.each([128, 32, 16, 256, 3, 0, -2, 22])('refuses type %d', (type) => {
    expect(() => describeInstallRdf(installRdf({ type }), NO_FILES)).toThrow('You cannot submit this type of add-on');
  });

  it('derives the type of packages without one from their content', () => {
    const untyped = installRdf({ type: null });
    const skin = installRdf({ type: null, properties: '<em:internalName>clock</em:internalName>' });
    expect(describeInstallRdf(untyped, NO_FILES).type).toBe('extension');
    expect(describeInstallRdf(skin, NO_FILES).type).toBe('theme');
    expect(describeInstallRdf(skin, { ...NO_FILES, dictionary: 'de' }).type).toBe('dictionary');
  });

  it('returns the language of dictionaries and language packs', () => {
    const language = (type: number, guid: string, files: Partial<LegacyFiles>) =>
      describeInstallRdf(installRdf({ type, guid }), { ...NO_FILES, ...files }).targetLocale;
    expect(language(64, 'a@b', { dictionary: 'de_at' })).toBe('de-AT');
    expect(language(64, 'a@b', {})).toBeNull();
    expect(language(8, 'langpack-fr@b', { chromeManifest: 'content a b\nlocale browser de chrome/de/\n' })).toBe('de');
    expect(language(8, 'langpack-pt-BR@b', {})).toBe('pt-BR');
    expect(language(8, 'a@b', { chromeManifest: `locale ${' a'.repeat(50_000)}` })).toBeNull();
    expect(language(2, 'langpack-fr@b', { chromeManifest: 'locale browser de chrome/de/\n' })).toBeNull();
  });

  it.each([
    ['strictCompatibility', 'true', { strictCompatibility: true }],
    ['strictCompatibility', 'false', { strictCompatibility: false }],
    ['multiprocessCompatible', 'false', { e10s: 'incompatible' }],
    ['multiprocessCompatible', 'yes', { e10s: 'unknown' }],
    ['bootstrap', 'false', { restartRequired: true }],
  ])('reads %s %s', (property, value, expected) => {
    const properties = `<em:${property}>${value}</em:${property}>`;
    expect(describeInstallRdf(installRdf({ properties }), NO_FILES)).toMatchObject(expected);
  });

  it.each([
    ['without an id', null],
    ['with an empty id', ' '],
    ['with an invalid id', 'clock'],
    ['with a hostile id', '../@x/y'],
    ['with an id of 100 kB', 'a@'.repeat(50_000)],
  ])('returns no id for a package %s', (_what, guid) => {
    expect(describeInstallRdf(installRdf({ guid }), NO_FILES)).toMatchObject({ guid: null });
  });

  it.each([
    ['without a version', { version: '' }, 'Version does not match the manifest file.'],
    ['with a long version', { version: '1'.repeat(33) }, 'Version numbers should have fewer than 32 characters.'],
    ['with a hostile version', { version: '1/../2' }, 'Version numbers should only contain letters, numbers'],
  ])('refuses a package %s', (_what, options, message) => {
    expect(() => describeInstallRdf(installRdf(options), NO_FILES)).toThrow(message);
  });

  it.each([
    ['nothing', ''],
    ['no XML', 'manifest_version = 2'],
    ['cut XML', installRdf().slice(0, 400)],
    ['another root', '<RDF><Description about="urn:mozilla:install-manifest"/></RDF>'],
    ['another subject', `<RDF ${NAMESPACES}><Description about="urn:other"/></RDF>`],
    ['an undeclared prefix', `<RDF ${NAMESPACES}><Description about="urn:mozilla:install-manifest" x:id="a@b"/></RDF>`],
    ['a repeated attribute', `<RDF ${NAMESPACES}><Description about="a" about="b"/></RDF>`],
    ['a document type', installRdf().replace('?>', '?><!DOCTYPE RDF>')],
    ['an entity', installRdf({ name: '&e;' }).replace('?>', '?><!DOCTYPE RDF [<!ENTITY e "x">]>')],
    ['an outside entity', installRdf().replace('?>', '?><!DOCTYPE RDF SYSTEM "file:///etc/passwd">')],
    ['an undeclared entity', installRdf({ name: '&nbsp;' })],
    ['a NUL character', installRdf({ name: 'a\u0000' })],
    ['a reference to a NUL character', installRdf({ name: '&#0;' })],
    ['two roots', `${installRdf()}<RDF/>`],
    ['too many levels', installRdf({ properties: '<em:a>'.repeat(100_000) })],
    ['100 kB of angle brackets', '<'.repeat(100_000)],
    ['100 kB of ampersands', installRdf({ name: '&'.repeat(100_000) })],
  ])('refuses %s', (_what, document) => {
    expect(() => describeInstallRdf(document, NO_FILES)).toThrow(UNREADABLE);
  });

  it('ends on circular references', () => {
    const document = installRdf({
      properties: '<em:localized resource="urn:mozilla:install-manifest"/><em:targetApplication nodeID="x"/>',
    });
    expect(describeInstallRdf(document, NO_FILES).name).toEqual({ default: 'Clock' });
  });

  it.each([
    [
      'thousands of references and descriptions',
      `${'<em:localized nodeID="x"/><em:targetApplication nodeID="x"/>'.repeat(9_000)}`,
      '<Description/>'.repeat(16_000),
    ],
    [
      'thousands of references to one large description',
      '<em:localized nodeID="x"/><em:targetApplication nodeID="x"/>'.repeat(3_000),
      `<Description nodeID="x">${'<em:name>a</em:name><em:locale>de</em:locale>'.repeat(8_000)}</Description>`,
    ],
  ])('reads a hostile document within the test timeout: %s', (_what, properties, descriptions) => {
    const document = installRdf({ properties }).replace('</RDF>', `${descriptions}</RDF>`);
    expect(document.length).toBeLessThan(1024 * 1024);
    const start = process.cpuUsage();
    expect(outcomeOf(document)).toMatch(/^1\.0$|targets other applications only/);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(2);
  });
});

/** The version, or the text of the refusal. */
function outcomeOf(document: string): string | null {
  try {
    return describeInstallRdf(document, NO_FILES).version;
  } catch (error) {
    return String(error);
  }
}
