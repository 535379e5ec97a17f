import { createHash, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_codeSigning,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import type { SignatureAlgorithm } from '../../infra/signer/signer.ts';

const algorithmIds: Record<SignatureAlgorithm, string> = {
  'ecdsa-sha256': '1.2.840.10045.4.3.2',
  'ecdsa-sha384': '1.2.840.10045.4.3.3',
  'rsa-sha256': '1.2.840.113549.1.1.11',
};

const attributeIds = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' };

/** The parts of a subject name that this format uses, in the order in which they are written. */
interface SubjectParts {
  C?: string;
  O?: string;
  OU?: string;
  CN: string;
}

/** What goes into a certificate; `sign` returns the signature over the DER of the TBSCertificate. */
interface CertificateContent {
  serial: Buffer;
  subject: Name;
  issuer: Name;
  notBefore: Date;
  notAfter: Date;
  publicKey: SubjectPublicKeyInfo;
  extensions: Extension[];
  algorithm: SignatureAlgorithm;
  sign: (tbs: Buffer) => Promise<Buffer>;
}

/** Copies bytes into the plain ArrayBuffer that the ASN.1 classes take. */
export function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** A distinguished name with one attribute per level; the country is a PrintableString, all else UTF-8 (RFC 5280, 4.1.2.4). */
export function distinguishedName(parts: SubjectParts): Name {
  const levels = (['C', 'O', 'OU', 'CN'] as const).flatMap((key) => {
    const text = parts[key];
    if (text === undefined) return [];
    const value = new AttributeValue(key === 'C' ? { printableString: text } : { utf8String: text });
    return [new RelativeDistinguishedName([new AttributeTypeAndValue({ type: attributeIds[key], value })])];
  });
  return new Name(levels);
}

/** The text of one attribute of a name, or undefined when the name does not have it. */
export function nameAttribute(name: Name, key: keyof typeof attributeIds): string | undefined {
  return name
    .flat()
    .find((attribute) => attribute.type === attributeIds[key])
    ?.value.toString();
}

/** A positive serial number of 128 random bits, as the content of a DER INTEGER, and as lower-case hex for the log. */
export function randomSerial(): { bytes: Buffer; hex: string } {
  const random = randomBytes(16);
  // A leading zero byte would not be minimal DER, so it is drawn again.
  while (random[0] === 0) randomBytes(1).copy(random);
  const hex = random.toString('hex');
  return { bytes: serialContent(hex), hex };
}

/** A serial number of the log as the content of a DER INTEGER. */
export function serialContent(hex: string): Buffer {
  const bytes = Buffer.from(hex, 'hex');
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

/** The SubjectPublicKeyInfo of a public key, or of the public half of a private one. */
export function publicKeyOf(key: KeyObject): SubjectPublicKeyInfo {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo);
}

/** The key identifier of RFC 5280, 4.2.1.2 method 1: SHA-1 of the public key bits (an identifier, not a signature). */
export function keyIdentifier(publicKey: SubjectPublicKeyInfo): Buffer {
  return createHash('sha1').update(Buffer.from(publicKey.subjectPublicKey)).digest();
}

function extension(id: string, critical: boolean, value: object): Extension {
  return new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function keyIdentifiers(own: Buffer, issuer: Buffer | null): Extension[] {
  const subject = extension(id_ce_subjectKeyIdentifier, false, new SubjectKeyIdentifier(own));
  if (!issuer) return [subject];
  const authority = new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(issuer) });
  return [subject, extension(id_ce_authorityKeyIdentifier, false, authority)];
}

/** The extensions of an authority; `issuerKeyId` is null for a root, which also gets no extended key usage. */
export function authorityExtensions(keyId: Buffer, issuerKeyId: Buffer | null, pathLength: number): Extension[] {
  const usage = new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign);
  return [
    extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: true, pathLenConstraint: pathLength })),
    extension(id_ce_keyUsage, true, usage),
    ...(issuerKeyId ? [extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_codeSigning]))] : []),
    ...keyIdentifiers(keyId, issuerKeyId),
  ];
}

/** The extensions of a certificate for one signed file; `dnsName` is there for authorities with name constraints. */
export function endEntityExtensions(keyId: Buffer, issuerKeyId: Buffer, dnsName: string): Extension[] {
  return [
    extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: false })),
    extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.digitalSignature)),
    extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_codeSigning])),
    extension(id_ce_subjectAltName, false, new SubjectAlternativeName([new GeneralName({ dNSName: dnsName })])),
    ...keyIdentifiers(keyId, issuerKeyId),
  ];
}

/** The AlgorithmIdentifier of a signature: RSA carries a NULL parameter, ECDSA none (RFC 4055, RFC 5758). */
export function algorithmIdentifier(algorithm: SignatureAlgorithm): AlgorithmIdentifier {
  const id = algorithmIds[algorithm];
  return new AlgorithmIdentifier(algorithm === 'rsa-sha256' ? { algorithm: id, parameters: null } : { algorithm: id });
}

/** Builds and signs an X.509 v3 certificate (RFC 5280, section 4.1). Returns its DER; throws what `sign` throws. */
export async function buildCertificate(content: CertificateContent): Promise<Buffer> {
  const algorithm = algorithmIdentifier(content.algorithm);
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: arrayBuffer(content.serial),
    signature: algorithm,
    issuer: content.issuer,
    validity: new Validity({ notBefore: content.notBefore, notAfter: content.notAfter }),
    subject: content.subject,
    subjectPublicKeyInfo: content.publicKey,
    extensions: new Extensions(content.extensions),
  });
  const tbs = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const signature = await content.sign(tbs);
  const certificate = new Certificate({
    tbsCertificate,
    tbsCertificateRaw: arrayBuffer(tbs),
    signatureAlgorithm: algorithm,
    signatureValue: arrayBuffer(signature),
  });
  return Buffer.from(AsnConvert.serialize(certificate));
}
