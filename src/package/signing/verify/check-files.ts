import { DEFAULT_ZIP_LIMITS, type ZipArchive } from '../../zip/zip-archive.ts';
import { MalformedError } from './der-reader.ts';
import type { SignatureFileNames } from './find-signature-files.ts';

/** The attributes of one section; keys in lower case, values as written. */
type Attributes = Map<string, string>;

const MAX_LINE_BYTES = 72;
/** Far more than the longest name needs; keeps the work on a hostile file proportional to its size. */
const MAX_JOINED_BYTES = 8192;
/** The main section, one for every file of the largest package, and those of the COSE signature. */
const MAX_SECTIONS = DEFAULT_ZIP_LIMITS.entries + 3;

/** Splits into lines; continuation lines are joined to the line that they continue. An empty string ends a section. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split(/\r\n|\n/)) {
    if (line.length > MAX_LINE_BYTES) throw new MalformedError('a line is longer than 72 bytes');
    if (line.includes('\r')) throw new MalformedError('a line ends in a way that is not allowed');
    const previous = lines.length - 1;
    if (!line.startsWith(' ')) lines.push(line);
    else if (lines[previous] && lines[previous].length < MAX_JOINED_BYTES) lines[previous] += line.slice(1);
    else throw new MalformedError('a line is continued where that is not possible');
  }
  return lines;
}

function readAttribute(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new MalformedError('a line has no colon');
  const value = Buffer.from(line.slice(colon + 1), 'latin1');
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
    return [line.slice(0, colon).trim().toLowerCase(), withoutOuterSpaces(text)];
  } catch {
    throw new MalformedError('a line is not UTF-8');
  }
}

/** A pattern for the spaces at the end would try again at each of many spaces before it. */
function withoutOuterSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

/**
 * Reads a manifest or signature file whose first line is `firstLine`: the main section, then one per file. Throws a
 * MalformedError for what the JAR file specification or browsers do not allow.
 */
function readSections(bytes: Buffer, firstLine: string): Attributes[] {
  // One character per byte, so that lengths count bytes; the values are decoded after joining.
  const text = bytes.toString('latin1');
  if (!/^[^\r\n]*\r?\n/.test(text) || text.split(/\r?\n/, 1)[0] !== firstLine) {
    throw new MalformedError('its first line is wrong');
  }
  if (!/(?:\n\n|\r\n\r\n)$/.test(text)) throw new MalformedError('it does not end with a blank line');
  const sections: Attributes[] = [];
  let current: Attributes | null = null;
  for (const line of logicalLines(text)) {
    if (line === '') {
      current = null;
      continue;
    }
    if (!current) {
      current = new Map();
      sections.push(current);
      if (sections.length > MAX_SECTIONS) throw new MalformedError('it has more sections than a package has files');
    }
    const [key, value] = readAttribute(line);
    if (current.has(key)) throw new MalformedError(`an attribute appears twice (${key})`);
    current.set(key, value);
  }
  return sections;
}

function readDigest(attributes: Attributes, suffix: string): string {
  const digest = attributes.get(`sha256-digest${suffix}`);
  const twin = attributes.get(`sha-256-digest${suffix}`);
  if (digest === undefined) throw new MalformedError('a section has no SHA-256 digest');
  if (twin !== undefined && twin !== digest) throw new MalformedError('a section has two different digests');
  const bytes = Buffer.from(digest, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== digest) throw new MalformedError('a digest is not readable');
  return digest;
}

/** Reads manifest.mf or cose.manifest: the base64 SHA-256 of every listed file by name. */
export function readManifest(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  for (const attributes of readSections(bytes, 'Manifest-Version: 1.0').slice(1)) {
    const name = attributes.get('name');
    if (!name) throw new MalformedError('a section has no name');
    if (files.has(name)) throw new MalformedError(`${name} is listed twice`);
    if (attributes.has('magic')) throw new MalformedError(`the section of ${name} has a Magic attribute`);
    files.set(name, readDigest(attributes, ''));
  }
  return files;
}

/** Reads a signature file: the base64 SHA-256 of the manifest that it is for. */
export function readSignatureFile(bytes: Buffer): string {
  const [main] = readSections(bytes, 'Signature-Version: 1.0');
  return readDigest(main ?? new Map(), '-manifest');
}

/** Contents of the five signature files. */
export type SignatureContents = Record<keyof SignatureFileNames, Buffer>;

/** The base64 SHA-256 of the content of every file, by name, in an archive that was opened with `digests`. */
export function contentDigests(archive: ZipArchive): Map<string, string> {
  const digests = new Map<string, string>();
  for (const { name, directory, sha256 } of archive.entries) {
    if (directory) continue;
    if (!sha256) throw new Error('The archive was opened without digests.');
    digests.set(name, sha256.toString('base64'));
  }
  return digests;
}

/** How the files of an archive differ from a list of their digests; files in `unlisted` must not be on that list. */
function listProblems(listed: Map<string, string>, digests: Map<string, string>, unlisted: string[]): string[] {
  const problems: string[] = [];
  for (const [name, digest] of listed) {
    const actual = unlisted.includes(name) ? undefined : digests.get(name);
    if (actual === undefined) problems.push(`${name} was removed after signing`);
    else if (actual !== digest) problems.push(`${name} was changed after signing`);
  }
  for (const name of digests.keys()) {
    if (!listed.has(name) && !unlisted.includes(name)) problems.push(`${name} was added after signing`);
  }
  return problems;
}

/** Checks the chain of digests of the PKCS#7 signature: signature file, manifest, every file but these two and the block. */
export function manifestProblems(
  names: SignatureFileNames,
  contents: SignatureContents,
  digests: Map<string, string>,
): string[] {
  const listed = readManifest(contents.manifest);
  const problems = listProblems(listed, digests, [names.manifest, names.signatureFile, names.block]);
  if (readSignatureFile(contents.signatureFile) !== digests.get(names.manifest)) {
    problems.push(`${names.manifest} or ${names.signatureFile} was changed after signing`);
  }
  return problems;
}

/** Checks the list that the COSE signature covers: every file but the five signature files. */
export function coseManifestProblems(
  names: SignatureFileNames,
  contents: SignatureContents,
  digests: Map<string, string>,
): string[] {
  return listProblems(readManifest(contents.coseManifest), digests, Object.values(names));
}
