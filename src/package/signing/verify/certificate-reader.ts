import { X509Certificate } from 'node:crypto';
import {
  type DerElement,
  derTag,
  expectTag,
  MalformedError,
  membersOf,
  readElements,
  readOid,
  readSequence,
} from './der-reader.ts';

/** A certificate with the parts that Node's own class does not show. */
export interface ReadCertificate {
  x509: X509Certificate;
  der: Buffer;
  /** Content bytes of the serial number. */
  serial: Buffer;
  /** The whole DER of the issuer's name. */
  issuerName: Buffer;
  commonNames: string[];
  organizationalUnits: string[];
  signatureAlgorithm: string;
  extensions: Map<string, { critical: boolean; value: Buffer }>;
}

/** Object identifiers of the certificate extensions that verification looks at. */
export const extensionId = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

function nameValues(name: DerElement, wanted: string): string[] {
  return membersOf(name, derTag.sequence, 'a name')
    .flatMap((level) => membersOf(level, derTag.set, 'a part of a name'))
    .map((attribute) => membersOf(attribute, derTag.sequence, 'an attribute of a name'))
    .flatMap(([type, value]) => (readOid(type) === wanted && value ? [value.content.toString('utf8')] : []));
}

function readExtensions(element: DerElement | undefined): ReadCertificate['extensions'] {
  const extensions: ReadCertificate['extensions'] = new Map();
  if (!element) return extensions;
  const [list] = membersOf(element, derTag.context3, 'the extensions');
  for (const item of membersOf(list, derTag.sequence, 'the extensions')) {
    const [type, ...rest] = membersOf(item, derTag.sequence, 'an extension');
    const id = readOid(type);
    if (extensions.has(id)) throw new MalformedError('a certificate has an extension twice');
    const critical = rest.length > 1 && expectTag(rest[0], derTag.boolean, 'an extension').content[0] === 0xff;
    extensions.set(id, { critical, value: expectTag(rest.at(-1), derTag.octetString, 'an extension').content });
  }
  return extensions;
}

/** Reads a DER certificate (RFC 5280, section 4.1). Throws a MalformedError for bytes that are not one. */
export function readCertificate(der: Buffer): ReadCertificate {
  const [tbs, outerAlgorithm] = readSequence(der, 'a certificate');
  const [version, serial, algorithm, issuer, , subject, , ...rest] = membersOf(tbs, derTag.sequence, 'a certificate');
  if (expectTag(version, derTag.context0, 'the version').content.at(-1) !== 2) {
    throw new MalformedError('a certificate is not of version 3');
  }
  const [oid] = membersOf(algorithm, derTag.sequence, 'the signature algorithm');
  if (!algorithm || !outerAlgorithm?.bytes.equals(algorithm.bytes)) {
    throw new MalformedError('a certificate names two signature algorithms');
  }
  const issuerName = expectTag(issuer, derTag.sequence, 'the issuer');
  const subjectName = expectTag(subject, derTag.sequence, 'the subject');
  let x509: X509Certificate;
  try {
    x509 = new X509Certificate(der);
  } catch {
    throw new MalformedError('a certificate is not readable');
  }
  return {
    x509,
    der,
    serial: expectTag(serial, derTag.integer, 'the serial number').content,
    issuerName: issuerName.bytes,
    commonNames: nameValues(subjectName, '2.5.4.3'),
    organizationalUnits: nameValues(subjectName, '2.5.4.11'),
    signatureAlgorithm: readOid(oid),
    extensions: readExtensions(rest.find((element) => element.tag === derTag.context3)),
  };
}

/** A distinguished name as Node prints it, on one line. */
export const oneLine = (name: string): string => name.split('\n').join(', ');

/** The bits of the key usage extension as a number, digitalSignature being 0x80; null without the extension. */
export function keyUsageBits(certificate: ReadCertificate): number | null {
  const found = certificate.extensions.get(extensionId.keyUsage);
  if (!found) return null;
  const [unused, first = 0, second = 0] = expectTag(elementOf(found.value), derTag.bitString, 'the key usage').content;
  return unused === undefined ? 0 : first | (second << 8);
}

/** The one DER element that an extension's value holds. */
export function elementOf(value: Buffer): DerElement {
  const [element, ...rest] = readElements(value);
  if (!element || rest.length > 0) throw new MalformedError('an extension is not readable');
  return element;
}
