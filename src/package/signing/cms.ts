import { createHash, type KeyObject, sign } from 'node:crypto';
import {
  Attribute,
  type CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  id_signingTime,
  MessageDigest,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
  SigningTime,
} from '@peculiar/asn1-cms';
import {
  AsnArray,
  AsnConvert,
  AsnObjectIdentifierConverter,
  AsnPropTypes,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, type Name } from '@peculiar/asn1-x509';
import { algorithmIdentifier, arrayBuffer } from './certificates.ts';

const sha256Algorithm = new AlgorithmIdentifier({ algorithm: '2.16.840.1.101.3.4.2.1' });

/** The signed attributes as the SET OF that the signature covers; inside SignerInfo they carry another tag. */
class AttributeSet extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(AttributeSet);

/** Certificates as their own bytes. Parsing and writing them again could change an operator's unusual encoding. */
class CertificateBytesSet extends AsnArray<ArrayBuffer> {}
AsnType({ type: AsnTypeTypes.Set, itemType: AsnPropTypes.Any })(CertificateBytesSet);

function attribute(type: string, value: ArrayBuffer): Attribute {
  return new Attribute({ attrType: type, attrValues: [value] });
}

/** contentType, messageDigest and signingTime in DER order, which is the order of their encodings (X.690, 11.6). */
function signedAttributes(content: Buffer, signingTime: Date): Attribute[] {
  const digest = createHash('sha256').update(content).digest();
  const attributes = [
    attribute(id_contentType, AsnObjectIdentifierConverter.toASN(id_data).toBER(false)),
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
  const certificates = new CertificateBytesSet([options.certificate, ...options.intermediates].map(arrayBuffer));
  const signedData = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([sha256Algorithm]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_data }),
    // The serialiser goes by the class of the value, so the set of raw certificates may stand here.
    certificates: certificates as unknown as CertificateSet,
    signerInfos: new SignerInfos([signerInfo]),
  });
  const info = new ContentInfo({ contentType: id_signedData, content: AsnConvert.serialize(signedData) });
  return Buffer.from(AsnConvert.serialize(info));
}
