/* The XML of legacy packages. Without document types, a document can neither define nor fetch entities. */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import type { ManifestFile } from './package-manifest.ts';

interface XmlAttribute {
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
export function parseXml(document: string, file: ManifestFile): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const place = () => ({ file, line: String(parser.line), column: String(parser.column + 1) });
  const refuse = (problem: string): never => {
    throw new PackageError(message('manifest.syntax', { ...place(), problem: printable(problem) }));
  };
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', (error) => refuse(error.message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', () => {
    throw new PackageError(message('manifest.xml_doctype', { file }));
  });
  parser.on('opentag', (tag) => {
    const element = toElement(tag);
    if (open.length === MAX_DEPTH) throw new PackageError(message('manifest.too_deep', { ...place(), max: MAX_DEPTH }));
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
  return root ?? refuse('document must contain a root element.');
}

function toElement(tag: SaxesTagNS): XmlElement {
  const attributes = Object.values(tag.attributes).map(({ uri, local, value }) => ({ uri, name: local, value }));
  return { uri: tag.uri, name: tag.local, attributes, children: [], text: '' };
}
