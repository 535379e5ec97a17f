import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackageError } from '../../../src/errors.ts';
import type { PackageManifest } from '../../../src/package/manifest/package-manifest.ts';
import { readPackage } from '../../../src/package/manifest/read-package.ts';
import { beginningWith } from '../../support/expect-refusal.ts';
import { packageWith } from '../../support/hostile-archive.ts';
import {
  brokenPackage,
  dictionary,
  languagePack,
  legacyDictionary,
  legacyExtension,
  legacyLanguagePack,
  legacyTheme,
  openSearch,
  png,
  searchProvider,
  staticTheme,
  xpi,
  zip,
} from '../../support/packages.ts';
import { crxHeader, rawZip } from '../../support/raw-zip.ts';

const UNREADABLE = 'Could not parse the manifest file.';
const MIB = 1024 * 1024;

let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-package-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function read(bytes: Buffer, fileName = 'clock.xpi'): Promise<PackageManifest> {
  const path = join(folder, `upload-${count++}`);
  await writeFile(path, bytes);
  return readPackage(path, fileName);
}

/** The message of the error; fails the test if the package is accepted. */
async function refusal(bytes: Buffer, fileName?: string): Promise<string> {
  const error: unknown = await read(bytes, fileName).then(
    () => new Error('The package was accepted.'),
    (reason) => reason,
  );
  if (error instanceof PackageError) return error.message;
  throw error;
}

describe('readPackage', () => {
  it.each([
    ['an extension', xpi, 'webextension', 'extension', null],
    ['an extension of manifest version 3', () => xpi({ manifestVersion: 3 }), 'webextension', 'extension', null],
    ['a search provider', searchProvider, 'webextension', 'extension', null],
    ['a static theme', staticTheme, 'webextension', 'statictheme', null],
    ['a language pack', languagePack, 'webextension', 'language', 'de'],
    ['a dictionary', dictionary, 'webextension', 'dictionary', 'de'],
    ['an extension that the validator will refuse', brokenPackage, 'webextension', 'extension', null],
    ['a legacy extension', legacyExtension, 'install-rdf', 'extension', null],
    ['a legacy theme', legacyTheme, 'install-rdf', 'theme', null],
    ['a legacy dictionary', legacyDictionary, 'install-rdf', 'dictionary', 'de-DE'],
    ['a legacy language pack', legacyLanguagePack, 'install-rdf', 'language', 'de'],
  ])('reads %s', async (_what, build, format, type, targetLocale) => {
    const bytes = await build();
    expect(await read(bytes)).toMatchObject({ format, type, version: '1.0', name: { default: 'Clock' }, targetLocale });
    expect(await build()).toEqual(bytes);
  });

  it('reads an OpenSearch description', async () => {
    const expected = { format: 'opensearch', type: 'search', guid: null, version: null };
    expect(await read(openSearch(), 'engine.xml')).toMatchObject(expected);
  });

  it.each(['clock.xpi', 'CLOCK.XPI', 'clock.zip', 'clock.crx', 'a b/c.d.zip'])(
    'takes the file name %s',
    async (name) => {
      expect((await read(await xpi(), name)).guid).toBe('clock@example.org');
    },
  );

  it.each(['clock', '', '.xpi', 'clock.xpi.exe', 'clock.json', 'clock.rdf', 'xpi'])(
    'refuses the file name %j',
    async (name) => {
      expect(await refusal(await xpi(), name)).toEqual(
        beginningWith('Unsupported file type, please upload a file that ends in .xpi, .zip, .crx or .xml.'),
      );
    },
  );

  it('resolves names per locale', async () => {
    const files = {
      '_locales/en_US/messages.json': '\uFEFF{"appName": {"message": "Clock"}} // English',
      '_locales/de/messages.json': '{"APPNAME": {"message": "Uhr"}}',
      '_locales/en-US/messages.json': '{"appName": {"message": "Second"}}',
      '_locales/fr/messages.json': '{"appName": {"message": "Horloge"}',
      '_locales/ru/messages.json': Buffer.from([0xff, 0xfe, 0x7b]),
      '_locales/es/messages.json': `{"appName": {"message": "Reloj"}} //${filler(MIB)}`,
      '_locales/it/deeper/messages.json': '{"appName": {"message": "Orologio"}}',
      '_locales/not a locale/messages.json': '{"appName": {"message": "None"}}',
      '_locales/messages.json': '{"appName": {"message": "None"}}',
    };
    const manifest = { default_locale: 'en_US', name: '__MSG_appName__', description: '__MSG_appDescription__' };
    expect(await read(await xpi({ manifest, files }))).toMatchObject({
      name: { 'en-US': 'Clock', de: 'Uhr' },
      summary: {},
      unresolvedTexts: [{ key: 'description', reference: '__MSG_appDescription__' }],
      defaultLocale: 'en-US',
    });
  });

  it('reads at most 300 locales', async () => {
    const files: Record<string, string> = {};
    for (let number = 0; number < 400; number++) {
      files[`_locales/en-x${number}/messages.json`] = '{"n": {"message": "Clock"}}';
    }
    const texts = (await read(await xpi({ manifest: { name: '__MSG_n__' }, files }))).name;
    expect(Object.keys(texts)).toHaveLength(300);
  });

  it.each([
    ['deep', (index: number) => `${index}/${'n/'.repeat(250)}n`],
    ['flat', (index: number) => `${'n'.repeat(500)}${index}`],
  ])('reads 20,000 long %s names with a heap of 128 MB', async (_kind, nameOf) => {
    const path = join(folder, `upload-${count++}`);
    const entries = Array.from({ length: 19_998 }, (_, index) => ({ name: nameOf(index) }));
    await writeFile(path, rawZip(packageWith(...entries)));
    const reader = join(import.meta.dirname, '../../support/read-package-process.ts');
    const { stdout, stderr } = spawnSync(process.execPath, ['--max-old-space-size=128', reader, path], {
      encoding: 'utf8',
    });
    expect(stdout, stderr).toBe('1.0');
  });

  it('prefers manifest.json to install.rdf', async () => {
    expect(await read(await xpi({ files: { 'install.rdf': '<broken' } }))).toMatchObject({ format: 'webextension' });
  });

  it.each([
    ['in a folder', { 'clock/manifest.json': '{}' }],
    ['in other letters', { 'Manifest.json': '{}', 'INSTALL.RDF': '' }],
    ['nowhere', { 'readme.txt': 'Hello' }],
  ])('finds no manifest %s', async (_where, files) => {
    expect(await refusal(await zip(files))).toEqual(beginningWith('No install.rdf or manifest.json found'));
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('manifest')],
    ['a picture', png(4, 4)],
    ['XML', openSearch()],
  ])('refuses a file that is not an archive but %s', async (_what, bytes) => {
    expect(await refusal(bytes)).toEqual(beginningWith(UNREADABLE));
  });

  it('refuses an archive after the header of a signed container', async () => {
    const header = Buffer.concat([Buffer.from('Cr24'), Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])]);
    expect(await refusal(Buffer.concat([header, await xpi()]), 'clock.crx')).toEqual(beginningWith(UNREADABLE));
  });

  it('reads an archive after the header of a signed container if it is rewritten', async () => {
    const path = join(folder, `upload-${count++}`);
    await writeFile(path, Buffer.concat([crxHeader(3, [593]), await xpi({ guid: 'clock@example' })]));
    expect(await readPackage(path, 'clock.crx', { container: 'packed' })).toMatchObject({ guid: 'clock@example' });
    await expect(readPackage(path, 'clock.crx')).rejects.toThrow(UNREADABLE);
  });

  it('refuses an archive with the file name of a description', async () => {
    expect(await refusal(await xpi(), 'clock.xml')).toEqual(beginningWith(UNREADABLE));
  });

  it('refuses descriptions over 1 MiB', async () => {
    const bytes = Buffer.concat([openSearch(), Buffer.alloc(MIB, ' ')]);
    expect(await refusal(bytes, 'engine.xml')).toEqual(beginningWith(UNREADABLE));
    expect((await read(bytes.subarray(0, MIB), 'engine.xml')).type).toBe('search');
  });

  it.each([
    ['manifest.json', `{"name": "${filler(5 * MIB)}"}`],
    ['manifest.json', `//${filler(MIB)}\n{}`],
    ['install.rdf', `<RDF>${filler(MIB)}</RDF>`],
    ['manifest.json', '{"manifest_version": 2,}'],
    ['install.rdf', '<RDF'],
  ])('refuses an unreadable %s', async (name, content) => {
    expect(await refusal(await zip({ [name]: content }))).toEqual(beginningWith(UNREADABLE));
  });

  it('refuses a static theme of more than 7 MB', async () => {
    const large = { 'images/header.png': noise(7 * MIB) };
    expect(await refusal(await staticTheme({ files: large }))).toBe('Maximum size for WebExtension themes is 7.0 MB.');
    expect((await read(await xpi({ files: large }))).type).toBe('extension');
  });

  it.each([
    ['a bad id', () => xpi({ guid: 'clock' }), 'The add-on ID in your manifest.json is not valid.'],
    ['a long version', () => xpi({ version: '1'.repeat(33) }), 'Version numbers should have fewer than 32 characters.'],
    ['no version', () => xpi({ manifest: { version: undefined } }), 'Version does not match the manifest file.'],
  ])('refuses %s', async (_what, build, message) => {
    expect(await refusal(await build())).toEqual(beginningWith(message));
  });

  it('throws errors of the file system unchanged', async () => {
    await expect(readPackage(join(folder, 'gone'), 'clock.xpi')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readPackage(join(folder, 'gone'), 'engine.xml')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** Text of this length that compresses little, so that the limits of the archive do not apply first. */
function filler(length: number): string {
  return noise(length / 2).toString('hex');
}

/** Incompressible bytes, the same on every run: a linear congruential sequence. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = 1;
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    bytes[index] = state >> 16;
  }
  return bytes;
}
