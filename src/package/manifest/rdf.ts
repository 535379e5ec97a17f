/*
 * The small part of RDF/XML that install manifests use: descriptions, their properties as elements or as attributes, and
 * descriptions as values, written inside the property or referred to by name.
 */
import { unreadableManifest } from './package-manifest.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** A parsed document; `vocabulary` is the namespace of the properties that are read from it. */
export interface RdfDocument {
  vocabulary: string;
  /** The descriptions by `about` and by `nodeID`: a hostile document may refer to thousands of them thousands of times. */
  bySubject: ReadonlyMap<string, XmlElement>;
  byNode: ReadonlyMap<string, XmlElement>;
  /** What was read from a description once, as many properties may have the same one for their value. */
  read: Map<XmlElement, Properties>;
}

/** The properties of one description by name. */
interface Properties {
  texts: ReadonlyMap<string, string[]>;
  elements: ReadonlyMap<string, XmlElement[]>;
}

/**
 * Parses an RDF/XML document.
 *
 * @throws PackageError when it is no XML that `parseXml` takes, or the root element is not `rdf:RDF`
 */
export function parseRdf(document: string, vocabulary: string): RdfDocument {
  const root = parseXml(document);
  if (root.uri !== RDF || root.name !== 'RDF') throw unreadableManifest();
  const descriptions = root.children.filter(isDescription);
  return {
    vocabulary,
    bySubject: firstBy(descriptions, 'about'),
    byNode: firstBy(descriptions, 'nodeID'),
    read: new Map(),
  };
}

/** The descriptions by one of their attributes; of several with one value the first counts. */
function firstBy(descriptions: readonly XmlElement[], attribute: string): Map<string, XmlElement> {
  const found = new Map<string, XmlElement>();
  for (const description of descriptions) {
    const value = rdfAttribute(description, attribute);
    if (value !== undefined && !found.has(value)) found.set(value, description);
  }
  return found;
}

/** The description of the given subject (`about`), if there is one. */
export function describedAs(rdf: RdfDocument, subject: string): XmlElement | undefined {
  return rdf.bySubject.get(subject);
}

/** All texts of a property of a description, trimmed and not empty: those in attributes, then those in elements. */
export function texts(rdf: RdfDocument, description: XmlElement, property: string): readonly string[] {
  return propertiesOf(rdf, description).texts.get(property) ?? [];
}

/** All descriptions that are values of a property; a reference to a description that is not there is passed over. */
export function values(rdf: RdfDocument, description: XmlElement, property: string): XmlElement[] {
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
