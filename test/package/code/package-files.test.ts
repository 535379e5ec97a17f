import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { compareLines, countLines } from '../../../src/package/code/compare-packages.ts';
import { changedFiles, TEXT_BYTES } from '../../../src/package/code/file-changes.ts';
import { readManifestFacts } from '../../../src/package/code/manifest-facts.ts';
import { listFiles, readTexts } from '../../../src/package/code/package-files.ts';
import { type PackageFiles, zip } from '../../support/packages.ts';

let folder: string;
let packages = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(inject('runFolder'), 'package-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function packed(files: PackageFiles): Promise<string> {
  const path = join(folder, `${++packages}.xpi`);
  await writeFile(path, await zip(files));
  return path;
}

async function changesOf(before: PackageFiles, after: PackageFiles) {
  const [one, other] = [await packed(before), await packed(after)];
  return countLines(one, other, changedFiles(await listFiles(one, 'package'), await listFiles(other, 'package')));
}

const UTF16 = { le: Buffer.from('\ufeffzwölf\n', 'utf16le'), be: Buffer.from('\ufeffzwölf\n', 'utf16le').swap16() };
/** A text of this number of bytes, in lines of 7, none of which is repeated. */
const textOf = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 7) }, (_, index) => `${index}`.padStart(6, '0'))
    .join('\n')
    .padEnd(bytes, '\n')
    .slice(0, bytes);
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('the files of a package', () => {
  it('are listed by path, with size and hash', async () => {
    const files = { 'b.js': 'let b;\n', 'a/z.js': '', 'a.js': 'let a;' };
    expect(await listFiles(await packed(files), 'package')).toEqual([
      { path: 'a.js', size: 6, sha256: sha256('let a;'), isText: true, library: null },
      { path: 'a/z.js', size: 0, sha256: sha256(''), isText: true, library: null },
      { path: 'b.js', size: 7, sha256: sha256('let b;\n'), isText: true, library: null },
    ]);
  });

  it.each([
    ['a NUL', Buffer.from('a\0b'), false],
    ['a NUL after its first 8,000 bytes', Buffer.concat([Buffer.alloc(8_000, 'a'), Buffer.from('\0')]), true],
    ['a NUL as the last of them', Buffer.concat([Buffer.alloc(7_999, 'a'), Buffer.from('\0')]), false],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x80]), true],
    ['a byte order mark of UTF-16, little-endian', UTF16.le, true],
    ['a byte order mark of UTF-16, big-endian', UTF16.be, true],
  ])('are text or not: one with %s', async (_kind, content, isText) => {
    expect(await listFiles(await packed({ file: content }), 'package')).toMatchObject([{ isText }]);
  });

  it('are decoded', async () => {
    const path = await packed({
      ...{ le: UTF16.le, be: UTF16.be, marked: '\ufeffzwölf\n', invalid: Buffer.from([0x61, 0xff, 0x0a]) },
    });
    expect(Object.fromEntries(await readTexts(path, ['le', 'be', 'marked', 'invalid', 'absent'], 1e6))).toEqual({
      le: { text: 'zwölf\n', encoding: 'utf-16le' },
      be: { text: 'zwölf\n', encoding: 'utf-16be' },
      marked: { text: 'zwölf\n', encoding: 'utf-8' },
      invalid: { text: 'a\ufffd\n', encoding: 'utf-8' },
    });
  });

  it('are not read above the limit', async () => {
    const path = await packed({ large: textOf(TEXT_BYTES + 1), fitting: textOf(TEXT_BYTES) });
    expect([...(await readTexts(path, ['large', 'fitting'], 1e7)).keys()]).toEqual(['fitting']);
  });
});

describe('the changes between two packages', () => {
  it('are the files that differ, with the numbers of their lines', async () => {
    const before = { same: 'a\n', changed: 'a\nb\nc\n', gone: 'a\nb\n' };
    const after = { same: 'a\n', changed: 'a\nB\nc\nd\n', 'new.js': 'x' };
    expect(await changesOf(before, after)).toMatchObject([
      { path: 'changed', kind: 'modified', additions: 2, deletions: 1, notCompared: null },
      { path: 'gone', kind: 'deleted', additions: 0, deletions: 2, after: null },
      { path: 'new.js', kind: 'added', additions: 1, deletions: 0, before: null },
    ]);
  });

  it.each([
    ['binary', { file: Buffer.from('a\0') }, { file: Buffer.from('b\0') }],
    ['binary', { file: 'a' }, { file: Buffer.from('b\0') }],
    ['too-large', { file: 'a' }, { file: textOf(TEXT_BYTES + 1) }],
  ])('say why lines are not compared: %s', async (notCompared, before, after) => {
    expect(await changesOf(before, after)).toMatchObject([{ notCompared, additions: null, deletions: null }]);
  });

  it('compare many files within the time for a package', async () => {
    const lines = (step: number) =>
      Array.from({ length: 20_000 }, (_, index) => `${(index * step) % 20_011}\n`).join('');
    const files = (step: number) =>
      Object.fromEntries(
        Array.from({ length: 12 }, (_, index) => [`${String(index).padStart(2, '0')}.js`, lines(step + index)]),
      );
    const changes = await changesOf(files(7), files(31));
    expect(changes).toHaveLength(12);
    expect(changes.at(-1)).toMatchObject({ notCompared: 'too-slow', additions: null });
  });

  it('do not have more lines than a page can show', () => {
    const options = { context: 3, ignoreWhitespace: false, timeoutMs: 60_000 };
    expect(compareLines('', textOf(200_000), options)).toBe('too-large');
  });
});

describe('what a manifest says', () => {
  const factsOf = async (manifest: unknown, other?: unknown) => {
    const written = async (content: unknown) =>
      packed({ 'manifest.json': typeof content === 'string' ? content : JSON.stringify(content) });
    return readManifestFacts(await written(manifest), other === undefined ? undefined : await written(other));
  };

  it('is listed by subject, what differs from another first', async () => {
    const before = {
      manifest_version: 2,
      background: { scripts: ['a.js', 'b.js'] },
      web_accessible_resources: ['a.png'],
      content_security_policy: "script-src 'self'",
    };
    const after = {
      manifest_version: 3,
      background: { scripts: ['b.js', 'c.js'] },
      content_scripts: [
        { matches: ['https://x.example/*'], js: ['d.js'], css: ['d.css'], run_at: 'document_start', all_frames: true },
        { matches: ['<all_urls>'], js: ['e.js'], world: 'MAIN' },
      ],
      content_security_policy: { extension_pages: "script-src 'self'" },
      web_accessible_resources: [{ resources: ['a.png'], matches: ['https://y.example/*'], extension_ids: ['z@z'] }],
      externally_connectable: { matches: ['https://m.example/*'], ids: ['*'] },
      chrome_url_overrides: { newtab: 'tab.html' },
      chrome_settings_overrides: {
        homepage: 'https://h.example',
        search_provider: { search_url: 'https://s.example' },
      },
      action: { default_popup: 'popup.html' },
      sidebar_action: { default_panel: 'panel.html' },
      options_ui: { page: 'options.html' },
      devtools_page: 'tools.html',
      protocol_handlers: [{ protocol: 'web+x', uriTemplate: '/%s' }],
      declarative_net_request: { rule_resources: [{ id: 'r', path: 'rules.json' }] },
      experiment_apis: { own: {} },
      browser_specific_settings: { gecko: { update_url: 'https://u.example' } },
    };
    const added = (text: string, matches: string[] = []) => ({ text, matches, change: 'added' });
    const deleted = (text: string) => ({ text, matches: [], change: 'deleted' });
    const facts = await factsOf(after, before);
    expect(Object.fromEntries((facts ?? []).map(({ subject, values }) => [subject, values]))).toEqual({
      'manifest-version': [added('3'), deleted('2')],
      background: [added('c.js'), deleted('a.js'), { text: 'b.js', matches: [], change: null }],
      'content-scripts': [
        added('d.js, d.css (document_start, all_frames)', ['https://x.example/*']),
        added('e.js (MAIN)', ['<all_urls>']),
      ],
      'content-security-policy': [added("extension_pages: script-src 'self'"), deleted("script-src 'self'")],
      'web-accessible-resources': [added('a.png', ['https://y.example/*', 'z@z']), deleted('a.png')],
      'messages-from': [added('https://m.example/*'), added('*')],
      'replaced-pages': [added('newtab: tab.html')],
      'replaced-settings': [added('homepage: https://h.example'), added('search_provider: https://s.example')],
      'own-pages': [
        ...[added('action: popup.html'), added('sidebar_action: panel.html'), added('options_ui: options.html')],
        added('devtools_page: tools.html'),
      ],
      protocols: [added('web+x: /%s')],
      'request-rules': [added('rules.json')],
      experiments: [added('own')],
      'update-address': [added('https://u.example')],
    });
    expect(facts?.every(({ isCut }) => !isCut)).toBe(true);
    expect(await factsOf({ background: { page: 'a.html' } })).toEqual([
      { subject: 'background', values: [{ text: 'a.html', matches: [], change: null }], isCut: false },
    ]);
  });

  it('is cut, and null for a manifest that is no object', async () => {
    const scripts = Array.from({ length: 40 }, (_, index) => `${index}${'x'.repeat(400)}.js`);
    const facts = await factsOf({ background: { scripts }, manifest_version: 3 });
    expect(facts?.map(({ subject, values, isCut }) => [subject, values.length, isCut])).toEqual([
      ['manifest-version', 1, false],
      ['background', 30, true],
    ]);
    expect(facts?.[1]?.values[0]?.text).toHaveLength(300);
    const wrong = {
      background: 1,
      content_scripts: {},
      content_security_policy: [null],
      options_ui: 'a',
      action: [[]],
    };
    expect(await factsOf({ ...wrong, applications: { gecko: null }, externally_connectable: [] })).toEqual([
      { subject: 'content-scripts', values: [{ text: '', matches: [], change: null }], isCut: false },
    ]);
    for (const text of ['[]', '{', '1']) expect(await factsOf(text)).toBeNull();
    expect(await readManifestFacts(await packed({ 'install.rdf': '<RDF/>' }), undefined)).toBeNull();
  });
});
