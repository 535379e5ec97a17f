/* Reads OpenSearch descriptions: a search engine in one XML file, without an id, a version or a signature. */
import { type FileHandle, open } from 'node:fs/promises';
import { cleanText } from './localized-text.ts';
import {
  DEFAULT_LOCALE_KEY,
  decodeManifest,
  type LocalizedText,
  type PackageManifest,
  unreadableManifest,
} from './package-manifest.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

const MAX_DESCRIPTION_BYTES = 1024 * 1024;

/** Root elements that browsers take for a search engine, by namespace. They are public names of the format. */
const ROOTS: ReadonlyMap<string, string> = new Map([
  ['http://a9.com/-/spec/opensearch/1.1/', 'OpenSearchDescription'],
  ['http://a9.com/-/spec/opensearch/1.0/', 'OpenSearchDescription'],
  ['http://a9.com/-/spec/opensearchdescription/1.1/', 'OpenSearchDescription'],
  ['http://a9.com/-/spec/opensearchdescription/1.0/', 'OpenSearchDescription'],
  ['http://www.mozilla.org/2006/browser/search/', 'SearchPlugin'],
]);

/**
 * Reads the OpenSearch description at `path`, 1 MiB at most.
 *
 * @throws PackageError as `describeOpenSearch` does
 */
export async function readOpenSearch(path: string): Promise<PackageManifest> {
  await using file = await open(path, 'r');
  return describeOpenSearch(decodeManifest(await readAtMost(file, MAX_DESCRIPTION_BYTES)));
}

/**
 * Tells what an OpenSearch description says: a short name, a description, and where to search.
 *
 * @throws PackageError when it cannot be read, has no short name, or no result page on the web
 */
export function describeOpenSearch(document: string): PackageManifest {
  const root = parseXml(document);
  if (ROOTS.get(root.uri) !== root.name) throw unreadableManifest();
  const name = textOf(root, 'ShortName');
  if (Object.keys(name).length === 0 || !hasResultPage(root)) throw unreadableManifest();
  return {
    format: 'opensearch',
    manifestVersion: null,
    guid: null,
    version: null,
    type: 'search',
    name,
    summary: textOf(root, 'Description'),
    homepage: {},
    defaultLocale: null,
    compatibility: {},
    strictCompatibility: false,
    permissions: [],
    restartRequired: false,
    isExperiment: false,
    targetLocale: null,
    e10s: 'unknown',
  };
}

function textOf(root: XmlElement, name: string): LocalizedText {
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

async function readAtMost(file: FileHandle, limit: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > limit) throw unreadableManifest();
  return file.readFile();
}
