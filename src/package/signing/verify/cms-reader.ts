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

/** The parts of a detached CMS signature with one signer. */
interface ReadCms {
  /** DER of every certificate that travels in the signature. */
  certificates: Buffer[];
  /** The whole DER of the issuer's name and the content bytes of the serial number that name the signer. */
  signerIssuer: Buffer;
  signerSerial: Buffer;
  /** Value of each signed attribute by object identifier. */
  attributes: Map<string, DerElement>;
  /** The signed attributes in the form that is signed: with the tag of a SET. */
  signedBytes: Buffer;
  signatureAlgorithm: string;
  signature: Buffer;
}

const id = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

function readAttributes(signedAttributes: DerElement): Map<string, DerElement> {
  const attributes = new Map<string, DerElement>();
  for (const element of readElements(signedAttributes.content)) {
    const [type, values] = membersOf(element, derTag.sequence, 'a signed attribute');
    const [value, ...others] = membersOf(values, derTag.set, 'the value of a signed attribute');
    const oid = readOid(type);
    if (!value || others.length > 0 || attributes.has(oid))
      throw new MalformedError('a signed attribute is not single');
    attributes.set(oid, value);
  }
  return attributes;
}

function readSigner(signerInfos: DerElement | undefined): Omit<ReadCms, 'certificates'> {
  const [signer, ...others] = membersOf(signerInfos, derTag.set, 'the signer');
  if (others.length > 0) throw new MalformedError('it has more than one signer');
  const parts = membersOf(signer, derTag.sequence, 'the signer');
  const [version, sid, digestAlgorithm, attributes, signatureAlgorithm, signature, ...rest] = parts;
  expectTag(version, derTag.integer, 'the version');
  if (rest.length > 0) throw new MalformedError('it has attributes that are not signed');
  const [issuer, serial] = membersOf(sid, derTag.sequence, "the signer's issuer and serial number");
  const [digest] = membersOf(digestAlgorithm, derTag.sequence, 'the digest algorithm');
  if (readOid(digest) !== id.sha256) throw new MalformedError('it does not use SHA-256');
  const signed = expectTag(attributes, derTag.context0, 'the list of signed attributes');
  const [algorithm] = membersOf(signatureAlgorithm, derTag.sequence, 'the signature algorithm');
  return {
    signerIssuer: expectTag(issuer, derTag.sequence, "the signer's issuer").bytes,
    signerSerial: expectTag(serial, derTag.integer, "the signer's serial number").content,
    attributes: readAttributes(signed),
    signedBytes: Buffer.concat([Buffer.from([derTag.set]), signed.bytes.subarray(1)]),
    signatureAlgorithm: readOid(algorithm),
    signature: expectTag(signature, derTag.octetString, 'the signature').content,
  };
}

/**
 * Reads a detached SignedData with exactly one signer, who is named by issuer and serial number and signed SHA-256
 * attributes (RFC 5652, section 5). Throws a MalformedError for any other shape.
 */
export function readCms(bytes: Buffer): ReadCms {
  const [type, content] = readSequence(bytes, 'the signature');
  if (readOid(type) !== id.signedData) throw new MalformedError('it is not a signature');
  const [signedData] = membersOf(content, derTag.context0, 'the signature');
  const [version, digests, encapsulated, certificates, signers, ...rest] = membersOf(
    signedData,
    derTag.sequence,
    'the signature',
  );
  expectTag(version, derTag.integer, 'the version');
  expectTag(digests, derTag.set, 'the digest algorithms');
  if (rest.length > 0) throw new MalformedError('it has parts that are not used here');
  const [contentType, ...embedded] = membersOf(encapsulated, derTag.sequence, 'the content type');
  if (readOid(contentType) !== id.data) throw new MalformedError('its content type is not data');
  if (embedded.length > 0) throw new MalformedError('it is not detached');
  const list = membersOf(certificates, derTag.context0, 'the list of certificates');
  return { certificates: list.map((element) => element.bytes), ...readSigner(signers) };
}
