/* Reads `install.rdf`, the manifest of packages from before WebExtensions. */

import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import type { AddonType } from '../enums.ts';
import type { ZipArchive, ZipEntry } from '../zip/zip-archive.ts';
import { type IsKnownVersion, legacyCompatibility } from './compatibility.ts';
import { isGuid, readVersion } from './identity.ts';
import { canonicalLocaleCode, cleanText } from './localized-text.ts';
import {
  DEFAULT_LOCALE_KEY,
  decodeManifest,
  LEGACY_MANIFEST,
  type ManifestTexts,
  oversizedManifest,
  type PackageManifest,
  unsupportedType,
} from './package-manifest.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

/* The subset of RDF/XML that install manifests use: descriptions, their properties, and references between them. */

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** A parsed document. `vocabulary` is the namespace of its properties. */
interface RdfDocument {
  vocabulary: string;
  /** Descriptions by `about` and by `nodeID`. Indexed, because a hostile document may have thousands of references. */
  bySubject: ReadonlyMap<string, XmlElement>;
  byNode: ReadonlyMap<string, XmlElement>;
  /** Cache: many properties may refer to the same description. */
  read: Map<XmlElement, Properties>;
}

/** The properties of one description by name. */
interface Properties {
  texts: ReadonlyMap<string, string[]>;
  elements: ReadonlyMap<string, XmlElement[]>;
}

/** Parses an RDF/XML document. @throws PackageError as `parseXml` does, and for a root element that is not `rdf:RDF` */
function parseRdf(document: string, vocabulary: string): RdfDocument {
  const root = parseXml(document, 'install.rdf');
  if (root.uri !== RDF || root.name !== 'RDF') throw new PackageError(message('manifest.rdf_root'));
  const descriptions = root.children.filter(isDescription);
  return {
    vocabulary,
    bySubject: firstBy(descriptions, 'about'),
    byNode: firstBy(descriptions, 'nodeID'),
    read: new Map(),
  };
}

/** Descriptions by an attribute; the first with a value counts. */
function firstBy(descriptions: readonly XmlElement[], attribute: string): Map<string, XmlElement> {
  const found = new Map<string, XmlElement>();
  for (const description of descriptions) {
    const value = rdfAttribute(description, attribute);
    if (value !== undefined && !found.has(value)) found.set(value, description);
  }
  return found;
}

/** The non-empty texts of a property, trimmed: those of attributes, then those of elements. */
function textsOf(rdf: RdfDocument, description: XmlElement, property: string): readonly string[] {
  return propertiesOf(rdf, description).texts.get(property) ?? [];
}

/** The descriptions that are values of a property, without dangling references. */
function values(rdf: RdfDocument, description: XmlElement, property: string): XmlElement[] {
  const elements = propertiesOf(rdf, description).elements.get(property) ?? [];
  return elements.flatMap((element) => {
    const inside = element.children.find(isDescription);
    if (inside) return [inside];
    if (rdfAttribute(element, 'parseType') === 'Resource') return [element];
    return referredTo(rdf, element) ?? [];
  });
}

function referredTo(rdf: RdfDocument, element: XmlElement): XmlElement | undefined {
  const node = rdfAttribute(element, 'nodeID');
  if (node !== undefined) return rdf.byNode.get(node);
  const resource = rdfAttribute(element, 'resource');
  return resource === undefined ? undefined : rdf.bySubject.get(resource);
}

function propertiesOf(rdf: RdfDocument, description: XmlElement): Properties {
  const known = rdf.read.get(description);
  if (known) return known;
  const isProperty = ({ uri }: { uri: string }): boolean => uri === rdf.vocabulary;
  const elements = Map.groupBy(description.children.filter(isProperty), ({ name }) => name);
  const written = [
    ...description.attributes.filter(isProperty).map(({ name, value }) => ({ name, text: value.trim() })),
    ...description.children.filter(isProperty).map(({ name, text }) => ({ name, text: text.trim() })),
  ].filter(({ text }) => text !== '');
  const byName = Map.groupBy(written, ({ name }) => name);
  const texts = new Map([...byName].map(([name, found]) => [name, found.map(({ text }) => text)]));
  rdf.read.set(description, { texts, elements });
  return { texts, elements };
}

function isDescription(element: XmlElement): boolean {
  return element.uri === RDF && element.name === 'Description';
}

/** Old documents write these attributes without the prefix. */
function rdfAttribute(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(
    (attribute) => attribute.name === name && (attribute.uri === RDF || attribute.uri === ''),
  )?.value;
}

/** Public names of the format. */
const VOCABULARY = 'http://www.mozilla.org/2004/em-rdf#';
const SUBJECT = 'urn:mozilla:install-manifest';

const MAX_MANIFEST_BYTES = 1024 * 1024;
const MAX_LOCALES = 300;
/** There are four applications, and packages name each once. */
const MAX_TARGETS = 300;
/** Packages with the other documented numbers (plug-in, multiple packages, experiments) are refused. */
const TYPES: Readonly<Record<string, AddonType>> = {
  '2': 'extension',
  '4': 'theme',
  '8': 'language',
  '64': 'dictionary',
};
const DICTIONARY_FILE = /^dictionaries\/([A-Za-z0-9_-]{2,35})\.dic$/;
const LOCALE_LINE = /^locale[ \t]+[^ \t\r\n]{1,200}[ \t]+([A-Za-z0-9_-]{2,35})[ \t]/m;
const LANGUAGE_PACK_GUID = /^langpack-([A-Za-z0-9_-]{2,35})@/i;

/** Facts from other files of the archive: the languages of a dictionary and of a language pack. */
export interface LegacyFiles {
  dictionary: string | null;
  chromeManifest: string;
}

/** Reads the package whose `install.rdf` is the given entry. @throws PackageError as `describeInstallRdf` does */
export async function readInstallRdf(
  archive: ZipArchive,
  entry: ZipEntry,
  isKnown?: IsKnownVersion,
): Promise<PackageManifest> {
  if (entry.size > MAX_MANIFEST_BYTES) throw oversizedManifest('install.rdf');
  const document = decodeManifest(await archive.read(entry, MAX_MANIFEST_BYTES), 'install.rdf');
  const files = {
    dictionary: archive.entries.map(({ name }) => DICTIONARY_FILE.exec(name)?.[1]).find(Boolean) ?? null,
    chromeManifest: await readChromeManifest(archive),
  };
  return describeInstallRdf(document, files, isKnown);
}

async function readChromeManifest(archive: ZipArchive): Promise<string> {
  const entry = archive.entries.find(({ name }) => name === 'chrome.manifest');
  if (entry === undefined || entry.size > MAX_MANIFEST_BYTES) return '';
  return (await archive.read(entry, MAX_MANIFEST_BYTES)).toString('latin1');
}

/**
 * Reads the package facts from the text of an `install.rdf`.
 * @throws PackageError when it cannot be read, has no usable version, or is of a refused type
 */
export function describeInstallRdf(document: string, files: LegacyFiles, isKnown?: IsKnownVersion): PackageManifest {
  const rdf = parseRdf(document, VOCABULARY);
  const root = rdf.bySubject.get(SUBJECT);
  if (root === undefined) throw new PackageError(message('manifest.rdf_subject'));
  const first = (property: string): string | null => textsOf(rdf, root, property)[0] ?? null;
  const id = first('id');
  const guid = id !== null && isGuid(id) ? id : null;
  const targets = values(rdf, root, 'targetApplication').slice(0, MAX_TARGETS);
  const type = addonType(first('type'), first('internalName'), files);
  return {
    ...LEGACY_MANIFEST,
    format: 'install-rdf',
    guid,
    version: readVersion(first('version')),
    type,
    name: localizedTexts(rdf, root, 'name'),
    summary: localizedTexts(rdf, root, 'description'),
    homepage: localizedTexts(rdf, root, 'homepageURL', /^https?:\/\/\S+$/i),
    compatibility: legacyCompatibility(
      targets.map((target) => readTarget(rdf, target)),
      isKnown,
    ),
    strictCompatibility: first('strictCompatibility') === 'true' || type === 'language',
    restartRequired: first('bootstrap') !== 'true' && type !== 'dictionary',
    targetLocale: targetLocale(type, guid ?? '', files),
    e10s: multiprocess(first('multiprocessCompatible')),
  };
}

/** Early packages have no `em:type`; their files decide. */
function addonType(number: string | null, internalName: string | null, files: LegacyFiles): AddonType {
  if (number === null) {
    if (files.dictionary !== null) return 'dictionary';
    return internalName === null ? 'extension' : 'theme';
  }
  const type = Object.hasOwn(TYPES, number) ? TYPES[number] : undefined;
  if (type === undefined) throw unsupportedType();
  return type;
}

function readTarget(rdf: RdfDocument, target: XmlElement): { id: string; min: string; max: string } {
  const first = (property: string): string => textsOf(rdf, target, property)[0] ?? '';
  return { id: first('id'), min: first('minVersion'), max: first('maxVersion') };
}

/** The manifest's own text has the key `DEFAULT_LOCALE_KEY`, translations have their locales. */
function localizedTexts(rdf: RdfDocument, root: XmlElement, property: string, form = /./): ManifestTexts {
  const found: ManifestTexts = {};
  const add = (description: XmlElement, locales: readonly (string | null)[]): void => {
    const text = cleanText(textsOf(rdf, description, property)[0] ?? '');
    if (!form.test(text)) return;
    for (const locale of locales) if (locale !== null) found[locale] ??= text;
  };
  add(root, [DEFAULT_LOCALE_KEY]);
  for (const localized of values(rdf, root, 'localized').slice(0, MAX_LOCALES)) {
    add(localized, textsOf(rdf, localized, 'locale').slice(0, MAX_LOCALES).map(canonicalLocaleCode));
  }
  return found;
}

function targetLocale(type: AddonType, guid: string, files: LegacyFiles): string | null {
  if (type === 'dictionary') return files.dictionary === null ? null : canonicalLocaleCode(files.dictionary);
  if (type !== 'language') return null;
  const code = LOCALE_LINE.exec(files.chromeManifest)?.[1] ?? LANGUAGE_PACK_GUID.exec(guid)?.[1];
  return code === undefined ? null : canonicalLocaleCode(code);
}

function multiprocess(flag: string | null): PackageManifest['e10s'] {
  if (flag === 'true') return 'compatible';
  return flag === 'false' ? 'incompatible' : 'unknown';
}
