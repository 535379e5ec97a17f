/* The XML of legacy packages. Without document types, a document can neither define nor fetch entities. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { unreadableManifest } from './package-manifest.ts';

export interface XmlAttribute {
  /** Namespace; empty for an attribute without a prefix. */
  uri: string;
  name: string;
  value: string;
}

export interface XmlElement {
  uri: string;
  name: string;
  attributes: XmlAttribute[];
  children: XmlElement[];
  /** The concatenated character data of the element itself. */
  text: string;
}

const MAX_DEPTH = 64;

/**
 * Parses a namespace-aware XML document and returns its root element.
 * @throws PackageError when it is not well-formed, has a document type, or nests deeper than 64 levels
 */
export function parseXml(document: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const refuse = (): never => {
    throw unreadableManifest();
  };
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', (tag) => {
    const element = toElement(tag);
    if (open.length === MAX_DEPTH) refuse();
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(document).close();
  return root ?? refuse();
}

function toElement(tag: SaxesTagNS): XmlElement {
  const attributes = Object.values(tag.attributes).map(({ uri, local, value }) => ({ uri, name: local, value }));
  return { uri: tag.uri, name: tag.local, attributes, children: [], text: '' };
}
