import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { PackageError } from '../../src/errors.ts';
import { readPackage } from '../../src/package/manifest/read-package.ts';
import { LANGUAGES } from '../../src/texts/languages.ts';
import { englishText, type Message } from '../../src/texts/messages.ts';
import { messageText } from '../../src/texts/translated-messages.ts';
import { hostileArchives } from '../support/hostile-archives.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';
import { storedFiles } from '../support/stored-files.ts';

const stored = storedFiles('package-refusals');

/** Texts of former releases that say nothing of what was found. */
const CATCH_ALLS = ['Could not parse the manifest file.', 'Invalid archive.', 'No install.rdf or manifest.json found'];

async function reasonOf(bytes: Buffer, fileName = 'a.xpi'): Promise<Message> {
  const refusal = await readPackage(await stored(bytes), fileName, { signedAs: 'addon' }).catch(
    (error: unknown) => error,
  );
  if (!(refusal instanceof PackageError) || refusal.reason === null) throw new Error('It was not refused with a code.');
  expect(refusal.message).toBe(englishText(refusal.reason));
  return refusal.reason;
}

const manifest = (text: string, ...more: RawEntry[]) => rawZip([{ name: 'manifest.json', content: text }, ...more]);
const settings = (gecko: unknown) =>
  manifest(JSON.stringify({ name: 'x', version: '1.0', browser_specific_settings: { gecko } }));
const opensearch = (inside: string) =>
  Buffer.from(`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">${inside}</OpenSearchDescription>`);
const rdf = (inside: string) => rawZip([{ name: 'install.rdf', content: inside }]);

/** The faults of packages that have a documented text. */
const FAULTS: [fault: string, bytes: Buffer, fileName?: string][] = [
  ['an empty file', Buffer.alloc(0)],
  ['no archive', Buffer.from('This is a text and no archive.')],
  ['another file type', Buffer.from('x'), 'a.tar.gz'],
  ['an archive without files', rawZip([])],
  ['no manifest', rawZip([{ name: 'readme.txt', content: 'x' }])],
  ['a manifest in a folder', rawZip([{ name: 'my-addon/manifest.json', content: '{}' }])],
  ['a manifest in capitals', rawZip([{ name: 'Manifest.json', content: '{}' }])],
  ['a missing comma', manifest('{\n  "name": "x"\n  "version": "1.0"\n}')],
  ['a missing end', manifest('{"name": "x",')],
  ['a trailing comma after a comment', manifest('{ // one\n  "name": "x",\n}')],
  ['a key twice', manifest('{\n  "name": "x",\n  "name": "y"\n}')],
  ['the key of a prototype', manifest('{"__proto__": 1}')],
  ['65 levels', manifest('['.repeat(65) + ']'.repeat(65))],
  ['a list', manifest('[]')],
  ['another encoding', rawZip([{ name: 'manifest.json', content: Buffer.from('{"name": "\xe9"}', 'latin1') }])],
  ['settings that are a text', manifest('{"version": "1.0", "browser_specific_settings": "x"}')],
  ['an id that is a number', settings({ id: 1 })],
  ['an id of another form', settings({ id: 'my add-on' })],
  ['no version', manifest('{"name": "x"}')],
  ['a long version', manifest(`{"version": "${'1'.repeat(33)}"}`)],
  ['a version with a space', manifest('{"version": "1.0 beta"}')],
  ['an application version that is a number', settings({ id: 'a@b', strict_min_version: 115 })],
  ['an application version of another form', settings({ id: 'a@b', strict_max_version: 'latest' })],
  ['a reversed range', settings({ id: 'a@b', strict_min_version: '115.0', strict_max_version: '102.0' })],
  ['an application version that is too low', settings({ id: 'a@b', strict_min_version: '41.0' })],
  ['no id where one is needed', settings({ strict_min_version: '47.0' })],
  ['an install.rdf that is no XML', rdf('<RDF')],
  ['an install.rdf with a document type', rdf('<!DOCTYPE a><a/>')],
  ['an install.rdf with another root', rdf('<a/>')],
  ['a search engine without a name', opensearch(''), 'a.xml'],
  ['a search engine without results', opensearch('<ShortName>a</ShortName>'), 'a.xml'],
  ['a search engine of another kind', Buffer.from('<html/>'), 'a.xml'],
  ['the file of a signature', manifest('{"version": "1.0"}', { name: 'META-INF/ADDON.SF/x', content: 'x' })],
];

describe('a refused package', () => {
  it('has a text for each fault in three languages', async () => {
    const lines: string[] = [];
    for (const [fault, bytes, fileName] of FAULTS) {
      const reason = await reasonOf(bytes, fileName);
      expect(CATCH_ALLS).not.toContain(englishText(reason));
      lines.push(`${fault} (${reason.code})`, ...LANGUAGES.map((each) => `  ${messageText(reason, each)}`));
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('package-refusals.txt');
  });

  it('names what is wrong with each hostile archive', async () => {
    const texts = await Promise.all(hostileArchives().map(async ({ bytes }) => englishText(await reasonOf(bytes))));
    expect(texts.filter((text) => CATCH_ALLS.includes(text))).toEqual([]);
  });
});
