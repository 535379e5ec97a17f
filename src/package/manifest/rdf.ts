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
  descriptions: XmlElement[];
}

/**
 * Parses an RDF/XML document.
 *
 * @throws PackageError when it is no XML that `parseXml` takes, or the root element is not `rdf:RDF`
 */
export function parseRdf(document: string, vocabulary: string): RdfDocument {
  const root = parseXml(document);
  if (root.uri !== RDF || root.name !== 'RDF') throw unreadableManifest();
  return { vocabulary, descriptions: root.children.filter(isDescription) };
}

/** The description of the given subject (`about`), if there is one. */
export function describedAs(rdf: RdfDocument, subject: string): XmlElement | undefined {
  return rdf.descriptions.find((description) => rdfAttribute(description, 'about') === subject);
}

/** All texts of a property of a description, trimmed and not empty, in the order of the document. */
export function texts(rdf: RdfDocument, description: XmlElement, property: string): string[] {
  const inAttributes = description.attributes.filter(({ uri, name }) => uri === rdf.vocabulary && name === property);
  const inElements = propertyElements(rdf, description, property);
  const found = [...inAttributes.map(({ value }) => value), ...inElements.map((element) => element.text)];
  return found.map((text) => text.trim()).filter((text) => text !== '');
}

/** All descriptions that are values of a property; a reference to a description that is not there is passed over. */
export function values(rdf: RdfDocument, description: XmlElement, property: string): XmlElement[] {
  return propertyElements(rdf, description, property).flatMap((element) => {
    const inside = element.children.find(isDescription);
    if (inside) return [inside];
    if (rdfAttribute(element, 'parseType') === 'Resource') return [element];
    return referredTo(rdf, element) ?? [];
  });
}

function referredTo(rdf: RdfDocument, element: XmlElement): XmlElement | undefined {
  const node = rdfAttribute(element, 'nodeID');
  if (node !== undefined) return rdf.descriptions.find((description) => rdfAttribute(description, 'nodeID') === node);
  const resource = rdfAttribute(element, 'resource');
  return resource === undefined ? undefined : describedAs(rdf, resource);
}

function propertyElements(rdf: RdfDocument, description: XmlElement, property: string): XmlElement[] {
  return description.children.filter(({ uri, name }) => uri === rdf.vocabulary && name === property);
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
