import { createHash, type KeyObject, sign } from 'node:crypto';
import {
  Attribute,
  CMSVersion,
  IssuerAndSerialNumber,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  id_signingTime,
  MessageDigest,
  SignerIdentifier,
  SignerInfo,
  SigningTime,
} from '@peculiar/asn1-cms';
import {
  AsnArray,
  AsnConvert,
  AsnObjectIdentifierConverter,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, type Name } from '@peculiar/asn1-x509';
import { algorithmIdentifier, arrayBuffer } from './certificates.ts';

/** Tags of the elements that are written around others (X.690, section 8). */
const tag = { integer: 0x02, sequence: 0x30, set: 0x31, context0: 0xa0 } as const;

/** The length of a content in its shortest form (X.690, section 10.1). */
function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes]);
  if (bytes < 0x100) return Buffer.from([0x81, bytes]);
  if (bytes < 0x10000) return Buffer.from([0x82, bytes >> 8, bytes & 0xff]);
  const long = Buffer.from([0x84, 0, 0, 0, 0]);
  long.writeUInt32BE(bytes, 1);
  if (bytes < 0x1000000) return Buffer.concat([Buffer.from([0x83]), long.subarray(2)]);
  return long;
}

/** One element in DER: its tag and length before the parts of its content, which are in DER already. */
function element(elementTag: number, ...content: Uint8Array[]): Buffer {
  const bytes = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([elementTag]), lengthOf(bytes), ...content]);
}

const sha256Algorithm = new AlgorithmIdentifier({ algorithm: '2.16.840.1.101.3.4.2.1' });

/** The signed attributes as the SET OF that the signature covers; inside SignerInfo they carry another tag. */
class AttributeSet extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(AttributeSet);

const identifier = (id: string): Buffer => Buffer.from(AsnObjectIdentifierConverter.toASN(id).toBER(false));
const VERSION_1 = element(tag.integer, Buffer.from([CMSVersion.v1]));
const SHA256_ALGORITHM = Buffer.from(AsnConvert.serialize(sha256Algorithm));
const DATA = identifier(id_data);
const SIGNED_DATA = identifier(id_signedData);

function attribute(type: string, value: ArrayBuffer): Attribute {
  return new Attribute({ attrType: type, attrValues: [value] });
}

/** contentType, messageDigest and signingTime in DER order, which is the order of their encodings (X.690, 11.6). */
function signedAttributes(content: Buffer, signingTime: Date): Attribute[] {
  const digest = createHash('sha256').update(content).digest();
  const attributes = [
    attribute(id_contentType, arrayBuffer(DATA)),
    attribute(id_signingTime, AsnConvert.serialize(new SigningTime(signingTime))),
    attribute(id_messageDigest, AsnConvert.serialize(new MessageDigest(digest))),
  ];
  const encoded = attributes.map((item) => ({ item, der: Buffer.from(AsnConvert.serialize(item)) }));
  return encoded.sort((a, b) => Buffer.compare(a.der, b.der)).map(({ item }) => item);
}

/**
 * Signs `content` (the bytes of the signature file) as a detached CMS SignedData with one SignerInfo (RFC 5652, section
 * 5): SHA-256, signer named by issuer and serial number. `certificate` is the DER of the end entity that `key` (P-256)
 * belongs to, `serial` the content bytes of its serial number. Returns the DER of the signature block file.
 */
export function signCms(options: {
  content: Buffer;
  certificate: Buffer;
  intermediates: Buffer[];
  issuer: Name;
  serial: Buffer;
  key: KeyObject;
  signingTime: Date;
}): Buffer {
  const attributes = signedAttributes(options.content, options.signingTime);
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(new AttributeSet(attributes))), options.key);
  const signerInfo = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({
      issuerAndSerialNumber: new IssuerAndSerialNumber({
        issuer: options.issuer,
        serialNumber: arrayBuffer(options.serial),
      }),
    }),
    digestAlgorithm: sha256Algorithm,
    signedAttrs: attributes,
    signatureAlgorithm: algorithmIdentifier('ecdsa-sha256'),
    signature: new OctetString(signature),
  });
  return signedData([options.certificate, ...options.intermediates], Buffer.from(AsnConvert.serialize(signerInfo)));
}

/**
 * A ContentInfo with the SignedData of one signer. The frame is written by hand: a certificate keeps its own bytes, as
 * reading and writing it again could change an operator's unusual encoding, and would take longer than the signature.
 */
function signedData(certificates: Buffer[], signerInfo: Buffer): Buffer {
  const content = element(
    tag.sequence,
    VERSION_1,
    element(tag.set, SHA256_ALGORITHM),
    element(tag.sequence, DATA),
    element(tag.context0, ...certificates),
    element(tag.set, signerInfo),
  );
  return element(tag.sequence, SIGNED_DATA, element(tag.context0, content));
}
