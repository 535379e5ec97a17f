/* OpenSearch descriptions: a search engine in one XML file, without id, version and signature. */
import { readFile, stat } from 'node:fs/promises';
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { cleanText } from './localized-text.ts';
import {
  DEFAULT_LOCALE_KEY,
  decodeManifest,
  LEGACY_MANIFEST,
  type ManifestTexts,
  oversizedManifest,
  type PackageManifest,
} from './package-manifest.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

const MAX_DESCRIPTION_BYTES = 1024 * 1024;

/** Root elements of search engines by namespace, as browsers accept them. */
const ROOTS: ReadonlyMap<string, string> = new Map([
  ['http://a9.com/-/spec/opensearch/1.1/', 'OpenSearchDescription'],
  ['http://a9.com/-/spec/opensearch/1.0/', 'OpenSearchDescription'],
  ['http://a9.com/-/spec/opensearchdescription/1.1/', 'OpenSearchDescription'],
  ['http://a9.com/-/spec/opensearchdescription/1.0/', 'OpenSearchDescription'],
  ['http://www.mozilla.org/2006/browser/search/', 'SearchPlugin'],
]);

/** Reads the OpenSearch description at `path`, at most 1 MiB. @throws PackageError as `describeOpenSearch` does */
export async function readOpenSearch(path: string): Promise<PackageManifest> {
  if ((await stat(path)).size > MAX_DESCRIPTION_BYTES) throw oversizedManifest('OpenSearch');
  return describeOpenSearch(decodeManifest(await readFile(path), 'OpenSearch'));
}

/**
 * Reads the name and the description from an OpenSearch document.
 * @throws PackageError when it cannot be read, or has no short name or no result page on the web
 */
export function describeOpenSearch(document: string): PackageManifest {
  const root = parseXml(document, 'OpenSearch');
  if (ROOTS.get(root.uri) !== root.name) {
    throw new PackageError(message('manifest.search_root', { name: printable(root.name) }));
  }
  const name = textOf(root, 'ShortName');
  if (Object.keys(name).length === 0) throw new PackageError(message('manifest.search_name'));
  if (!hasResultPage(root)) throw new PackageError(message('manifest.search_page'));
  return {
    ...LEGACY_MANIFEST,
    format: 'opensearch',
    guid: null,
    version: null,
    type: 'search',
    name,
    summary: textOf(root, 'Description'),
    homepage: {},
    compatibility: {},
    strictCompatibility: false,
    restartRequired: false,
    targetLocale: null,
    e10s: 'unknown',
  };
}

function textOf(root: XmlElement, name: string): ManifestTexts {
  const element = root.children.find((child) => child.uri === root.uri && child.name === name);
  const text = cleanText(element?.text ?? '');
  return text === '' ? {} : { [DEFAULT_LOCALE_KEY]: text };
}

function hasResultPage(root: XmlElement): boolean {
  return root.children.some((child) => {
    if (child.uri !== root.uri || child.name !== 'Url') return false;
    const attribute = (name: string): string => child.attributes.find((one) => one.name === name)?.value.trim() ?? '';
    return attribute('type').toLowerCase() === 'text/html' && /^https?:\/\/[^/\s]/i.test(attribute('template'));
  });
}
