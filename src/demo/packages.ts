/* The packages of the demo. Each is a real, small add-on; the same version is always the same bytes. */
import { writeFile } from 'node:fs/promises';
import { writeZip } from '../package/zip/write-zip.ts';
import type { OwnPictures } from './own-pictures.ts';

/** File contents by path in the archive. A package that is not an archive has one file with an empty path. */
export type PackageFiles = Record<string, string | Buffer>;

/** Writes a package to `path`, which must not exist. */
export async function writePackage(path: string, files: PackageFiles | Buffer): Promise<void> {
  if (Buffer.isBuffer(files)) return writeFile(path, files, { flag: 'wx', mode: 0o600 });
  await writeZip(
    path,
    Object.entries(files).map(([name, content]) => ({ name, data: Buffer.from(content) })),
  );
}

/** A `manifest.json`. `limits` are the versions of the application that the package demands. */
export function demoManifest(guid: string, version: string, keys: object, limits: object = {}): string {
  const settings = { gecko: { id: guid, ...limits } };
  return json({ manifest_version: 2, version, browser_specific_settings: settings, ...keys });
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const messages = (name: string, description: string): string =>
  json({ name: { message: name }, description: { message: description } });

const ONE_NOTE = [
  "browser.storage.local.get('note').then((kept) => { note.value = kept.note || ''; });",
  "note.addEventListener('input', () => browser.storage.local.set({ note: note.value }));",
];

const NOTES_OF_PAGES = [
  'browser.tabs.query({ active: true, currentWindow: true }).then(async ([{ url }]) => {',
  "  note.value = (await browser.storage.local.get(url))[url] || '';",
  "  note.addEventListener('input', () => browser.storage.local.set({ [url]: note.value }));",
  '});',
];

/** The version with a note for each page, which needs a further permission. */
const NOTE_PER_PAGE = '1.2';

/** An extension with a page behind its button and texts in three languages. */
export function tabNotes(guid: string, version: string): PackageFiles {
  const isPerPage = version === NOTE_PER_PAGE;
  const page = '<!doctype html>\n<meta charset="utf-8">\n<textarea id="note" rows="8" cols="40"></textarea>\n';
  return {
    'manifest.json': demoManifest(guid, version, {
      name: '__MSG_name__',
      description: '__MSG_description__',
      default_locale: 'en_US',
      permissions: ['storage', ...(isPerPage ? ['activeTab'] : [])],
      browser_action: { default_title: '__MSG_name__', default_popup: 'note.html' },
    }),
    '_locales/en_US/messages.json': messages('Tab Notes', 'Keeps a note for each page.'),
    '_locales/de/messages.json': messages('Tab-Notizen', 'Merkt sich zu jeder Seite eine Notiz.'),
    '_locales/fr/messages.json': messages('Notes d’onglet', 'Garde une note à côté de chaque page.'),
    'note.html': `${page}<script src="note.js"></script>\n`,
    'note.js': [
      "const note = document.getElementById('note');",
      ...(isPerPage ? NOTES_OF_PAGES : ONE_NOTE),
      `// Version ${version}.`,
      '',
    ].join('\n'),
  };
}

/** A script that two add-ons have, so that reviewers of one find the other. */
const ARTICLE_SCRIPT = [
  '/* Finds the article of a page: the element that has the most text in its own paragraphs. */',
  'function findArticle() {',
  '  const lengthOf = (element) =>',
  "    [...element.querySelectorAll(':scope > p')].reduce((sum, { textContent }) => sum + textContent.length, 0);",
  "  const candidates = [...document.querySelectorAll('article, main, section, div')];",
  '  return candidates.sort((one, other) => lengthOf(other) - lengthOf(one))[0] ?? document.body;',
  '}',
  '',
].join('\n');

/** An extension that works inside pages. */
export function readingTime(guid: string, version: string): PackageFiles {
  return {
    'manifest.json': demoManifest(guid, version, {
      name: 'Reading Time',
      description: 'Shows how long an article takes to read.',
      content_scripts: [{ matches: ['https://*.example.org/*'], js: ['article.js', 'count.js'] }],
    }),
    'article.js': ARTICLE_SCRIPT,
    'count.js': [
      'const words = findArticle().textContent.trim().split(/\\s+/).length;',
      `document.title = \`\${Math.ceil(words / 200)} min · \${document.title}\`; // version ${version}`,
      '',
    ].join('\n'),
  };
}

/** An extension that changes pages. */
export function marginNotes(guid: string, version: string): PackageFiles {
  return {
    'manifest.json': demoManifest(guid, version, {
      name: 'Margin Notes',
      description: 'Shows who an article quotes, in the margin.',
      permissions: ['storage'],
      content_scripts: [{ matches: ['https://*.example.org/*'], js: ['article.js', 'margin.js'], css: ['margin.css'] }],
    }),
    'article.js': ARTICLE_SCRIPT,
    'margin.js': [
      "for (const quotation of findArticle().querySelectorAll('blockquote[cite]')) {",
      "  const source = document.createElement('small');",
      "  source.className = 'margin-notes-source';",
      "  source.textContent = quotation.getAttribute('cite');",
      '  quotation.append(source);',
      '}',
      `// Version ${version}.`,
      '',
    ].join('\n'),
    'margin.css': '.margin-notes-source { float: inline-end; font-style: italic; }\n',
  };
}

/** A static theme: two colours and a picture. */
export function eveningSky(guid: string, version: string, pictures: OwnPictures): PackageFiles {
  const theme = {
    images: { theme_frame: 'sky.png' },
    colors: { frame: '#1b2a49', tab_background_text: '#f5e6c8', toolbar: '#2c3e66' },
  };
  return {
    'manifest.json': demoManifest(guid, version, {
      name: 'Evening Sky',
      description: 'Blue hour for the browser.',
      theme,
    }),
    'sky.png': pictures.read('evening-sky-header'),
  };
}

/** A spelling dictionary with a handful of words. */
export function demoDictionary(guid: string, version: string): PackageFiles {
  const keys = { name: 'Small English Dictionary', dictionaries: { 'en-US': 'dictionaries/en-US.dic' } };
  return {
    'manifest.json': demoManifest(guid, version, keys, { strict_min_version: '61.0' }),
    'dictionaries/en-US.dic': '4\naddon/S\nbrowser/S\nreview/S\nsignature/S\n',
    'dictionaries/en-US.aff': 'SET UTF-8\n\nSFX S Y 1\nSFX S 0 s .\n',
  };
}

/** A language pack for German, for one version of the browser. */
export function languagePack(guid: string, version: string): PackageFiles {
  const resources = { global: 'chrome/de/locale/de/global/' };
  const keys = {
    name: 'Sprachpaket: Deutsch (German)',
    langpack_id: 'de',
    languages: { de: { chrome_resources: resources, version: '20181025120000' } },
    sources: { browser: { base_path: 'browser/' } },
  };
  return {
    'manifest.json': demoManifest(guid, version, keys, { strict_min_version: '64.0', strict_max_version: '64.*' }),
    'chrome/de/locale/de/global/global.properties': 'ok = In Ordnung\ncancel = Abbrechen\n',
  };
}

/** An extension that offers a search engine. */
export function searchExtension(guid: string, version: string): PackageFiles {
  const search_provider = {
    name: 'Example Encyclopedia',
    keyword: 'ee',
    search_url: 'https://search.example.org/?q={searchTerms}',
    is_default: false,
  };
  const description = 'Searches the example encyclopedia from the address bar.';
  const keys = { name: 'Encyclopedia Search', description, chrome_settings_overrides: { search_provider } };
  return { 'manifest.json': demoManifest(guid, version, keys) };
}

/** A search engine of the old kind: one OpenSearch description, which is never signed. */
export const openSearchDescription = (): Buffer => openSearch('Example Words', 'Looks up a word.', 'words');

/** An OpenSearch description of a search engine at a host below example.org. */
export function openSearch(name: string, description: string, host: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${escapeXml(name)}</ShortName>
  <Description>${escapeXml(description)}</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Url type="text/html" method="GET" template="https://${host}.example.org/?q={searchTerms}"/>
</OpenSearchDescription>
`);
}

/** Text between the tags of an XML document. */
export const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** An extension with a syntax error, which the validator reports with line and column. */
export function brokenClock(guid: string, version: string): PackageFiles {
  const keys = { name: 'Broken Clock', description: 'Shows the time.', background: { scripts: ['clock.js'] } };
  return {
    'manifest.json': demoManifest(guid, version, keys),
    'clock.js': 'const started = Date.now();\nconst hands = ;\nconsole.log(started, hands);\n',
  };
}
