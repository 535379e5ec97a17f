/*
 * Builds small packages of every kind in memory. The bytes are deterministic. The default packages pass validation without
 * errors, except `brokenPackage`.
 */
import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { gradient } from '../../bench/world/picture.ts';

/** File contents by path in the archive; `null` omits a default file. */
export type PackageFiles = Record<string, string | Buffer | null>;

export interface WebExtensionOptions {
  /** `null` omits the id. */
  guid?: string | null;
  version?: string;
  name?: string;
  manifestVersion?: 2 | 3;
  /** Top-level keys of `manifest.json` to add or to replace; `undefined` removes one. */
  manifest?: Record<string, unknown>;
  files?: PackageFiles;
}

export interface LegacyOptions {
  /** `null` omits the id. */
  guid?: string | null;
  version?: string;
  name?: string;
  /** Further elements of the install manifest, as XML. */
  properties?: string;
  /** Replaces the default target, desktop browser 45.0 to 56.*. */
  targets?: Array<{ id: string; min: string; max: string }>;
  files?: PackageFiles;
}

export const DESKTOP_BROWSER_ID = '{ec8030f7-c20a-464f-9b0e-13a3a9e97384}';

/** ZIP has no time zone: yazl writes the local time of this date, so it is given as local time. */
const FIXED_TIME = new Date('2018-10-25T12:00:00');

/** A ZIP archive with the given files in the given order, deflated. */
export async function zip(files: PackageFiles): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    archive.addBuffer(Buffer.from(content), name, { mtime: FIXED_TIME, mode: 0o100644, forceDosTimestamp: true });
  }
  archive.end();
  return buffer(archive.outputStream);
}

const GREY = [128, 128, 128] as const;

/** A grey PNG picture of the given width and height in pixels. */
export const png = (width: number, height: number): Buffer => gradient(width, height, GREY, GREY);

/** An extension with one background script: the package for tests that do not depend on the kind. */
export function xpi(options: WebExtensionOptions = {}): Promise<Buffer> {
  return webExtension(
    options,
    {
      description: 'Adds a button that does nothing.',
      permissions: ['storage'],
      background: { scripts: ['background.js'] },
    },
    { 'background.js': 'browser.storage.local.set({ started: true });\n' },
  );
}

/** An extension with a search engine. */
export function searchProvider(options: WebExtensionOptions = {}): Promise<Buffer> {
  const search_provider = {
    name: 'Example search',
    keyword: 'ex',
    search_url: 'https://search.example/?q={searchTerms}',
    is_default: false,
  };
  return webExtension(options, { description: 'Searches.', chrome_settings_overrides: { search_provider } }, {});
}

/** A static theme with one picture. */
export function staticTheme(options: WebExtensionOptions = {}): Promise<Buffer> {
  const theme = {
    images: { theme_frame: 'images/header.png' },
    colors: { frame: '#333333', tab_background_text: '#ffffff' },
  };
  return webExtension(options, { theme }, { 'images/header.png': png(200, 60) });
}

/** A language pack for German, unless `manifest.langpack_id` is set. */
export function languagePack(options: WebExtensionOptions = {}): Promise<Buffer> {
  const languages = { de: { chrome_resources: { global: 'chrome/de/locale/de/global/' }, version: '20181025120000' } };
  return webExtension(
    { guid: 'langpack-de@example.org', ...options },
    { langpack_id: 'de', languages, sources: { browser: { base_path: 'browser/' } } },
    { 'chrome/de/locale/de/global/global.properties': 'ok = In Ordnung\n' },
    { strict_min_version: '64.0', strict_max_version: '64.*' },
  );
}

/** A spelling dictionary for German, unless `manifest.dictionaries` is set. */
export function dictionary(options: WebExtensionOptions = {}): Promise<Buffer> {
  return webExtension(
    { guid: 'de@dictionaries.example.org', ...options },
    { dictionaries: { de: 'dictionaries/de.dic' } },
    { 'dictionaries/de.dic': '2\nHaus\nGarten\n', 'dictionaries/de.aff': 'SET UTF-8\n' },
    { strict_min_version: '61.0' },
  );
}

/** An extension with a syntax error in its script, which the validator reports with file, line and column. */
export function brokenPackage(options: WebExtensionOptions = {}): Promise<Buffer> {
  return xpi({ ...options, files: { 'background.js': 'const started = true;\nconst broken = ;\n', ...options.files } });
}

function webExtension(
  options: WebExtensionOptions,
  keys: Record<string, unknown>,
  files: PackageFiles,
  versions: Record<string, string> = {},
): Promise<Buffer> {
  const { guid = 'clock@example.org', version = '1.0', name = 'Clock', manifestVersion = 2 } = options;
  const settings = { ...(guid === null ? {} : { id: guid }), ...versions };
  const manifest = {
    manifest_version: manifestVersion,
    name,
    version,
    ...(Object.keys(settings).length > 0 ? { browser_specific_settings: { gecko: settings } } : {}),
    ...keys,
    ...options.manifest,
  };
  return zip({ 'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`, ...files, ...options.files });
}

/** An extension with an `install.rdf`, which requires a restart. */
export function legacyExtension(options: LegacyOptions = {}): Promise<Buffer> {
  return legacyPackage(options, 2, '', {
    'chrome.manifest': 'content clock chrome/content/\n',
    'chrome/content/overlay.js': 'var started = true;\n',
  });
}

/** A complete theme with an `install.rdf`. */
export function legacyTheme(options: LegacyOptions = {}): Promise<Buffer> {
  return legacyPackage(options, 4, '<em:internalName>clock</em:internalName>', {
    'chrome.manifest': 'skin browser clock chrome/browser/\n',
    'chrome/browser/browser.css': 'window { color: black; }\n',
  });
}

/** A dictionary with an `install.rdf`, for German. */
export function legacyDictionary(options: LegacyOptions = {}): Promise<Buffer> {
  return legacyPackage({ guid: 'de@dictionaries.example.org', ...options }, 64, '', {
    'dictionaries/de-DE.dic': '2\nHaus\nGarten\n',
    'dictionaries/de-DE.aff': 'SET UTF-8\n',
  });
}

/** A language pack with an `install.rdf`, for German. */
export function legacyLanguagePack(options: LegacyOptions = {}): Promise<Buffer> {
  return legacyPackage({ guid: 'langpack-de@example.org', ...options }, 8, '', {
    'chrome.manifest': 'locale browser de chrome/de/locale/browser/\n',
    'chrome/de/locale/browser/browser.properties': 'ok = In Ordnung\n',
  });
}

function legacyPackage(options: LegacyOptions, type: number, properties: string, files: PackageFiles): Promise<Buffer> {
  return zip({
    'install.rdf': installRdf({ ...options, type, properties: properties + (options.properties ?? '') }),
    ...files,
    ...options.files,
  });
}

/** The text of an install manifest. */
export function installRdf(options: LegacyOptions & { type?: number | null } = {}): string {
  const { guid = 'clock@example.org', version = '1.0', name = 'Clock', type = 2, properties = '' } = options;
  const targets = options.targets ?? [{ id: DESKTOP_BROWSER_ID, min: '45.0', max: '56.*' }];
  return `<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:em="http://www.mozilla.org/2004/em-rdf#">
  <Description about="urn:mozilla:install-manifest">
    ${guid === null ? '' : `<em:id>${guid}</em:id>`}
    <em:version>${version}</em:version>
    ${type === null ? '' : `<em:type>${type}</em:type>`}
    <em:name>${name}</em:name>
    ${properties}
    ${targets.map(targetApplication).join('\n    ')}
  </Description>
</RDF>
`;
}

function targetApplication({ id, min, max }: { id: string; min: string; max: string }): string {
  const limits = `<em:minVersion>${min}</em:minVersion><em:maxVersion>${max}</em:maxVersion>`;
  return `<em:targetApplication><Description><em:id>${id}</em:id>${limits}</Description></em:targetApplication>`;
}

/** An OpenSearch description: a search engine in one XML file. */
export function openSearch({
  name = 'Example search',
  template = 'https://search.example/?q={searchTerms}',
} = {}): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>${name}</ShortName>
  <Description>Searches the example.</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Url type="text/html" method="GET" template="${template}"/>
</OpenSearchDescription>
`);
}
