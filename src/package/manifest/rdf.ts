/* The subset of RDF/XML that install manifests use: descriptions, their properties, and references between them. */
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** A parsed document. `vocabulary` is the namespace of its properties. */
export interface RdfDocument {
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
export function parseRdf(document: string, vocabulary: string): RdfDocument {
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
export function textsOf(rdf: RdfDocument, description: XmlElement, property: string): readonly string[] {
  return propertiesOf(rdf, description).texts.get(property) ?? [];
}

/** The descriptions that are values of a property, without dangling references. */
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
