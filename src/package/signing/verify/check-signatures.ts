import { createHash, verify } from 'node:crypto';
import { type CborItem, readCbor, type TaggedItem } from './cbor-reader.ts';
import { type ReadCertificate, readCertificate } from './certificate-reader.ts';
import { readCms } from './cms-reader.ts';
import { derTag, expectTag, MalformedError, readOid, readTime } from './der-reader.ts';

/** Who signed, with the other certificates that came along, and when if the signature says so. */
export interface CheckedSignature {
  endEntity: ReadCertificate;
  intermediates: ReadCertificate[];
  signedAt: Date | null;
}

const attributeId = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
} as const;
const DATA = '1.2.840.113549.1.7.1';

/** Signature algorithms of the PKCS#7 block by kind of key: ECDSA with SHA-256; RSA, named with or without the hash. */
const blockAlgorithms: Record<string, string[]> = {
  ec: ['1.2.840.10045.4.3.2'],
  rsa: ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1'],
};

/**
 * Checks the PKCS#7 block over the bytes of the signature file. Throws a MalformedError that says what is wrong; the
 * certificates are not judged here.
 */
export function checkBlock(block: Buffer, signatureFile: Buffer): CheckedSignature {
  const cms = readCms(block);
  const certificates = cms.certificates.map(readCertificate);
  const endEntity = certificates.find(
    ({ serial, issuerName }) => serial.equals(cms.signerSerial) && issuerName.equals(cms.signerIssuer),
  );
  if (!endEntity) throw new MalformedError('the certificate of the signer is not in it');
  if (readOid(cms.attributes.get(attributeId.contentType)) !== DATA) {
    throw new MalformedError('the signed content type is not data');
  }
  const digest = expectTag(cms.attributes.get(attributeId.messageDigest), derTag.octetString, 'the digest').content;
  if (!digest.equals(createHash('sha256').update(signatureFile).digest())) {
    throw new MalformedError('the signature file was changed after signing');
  }
  const key = endEntity.x509.publicKey;
  if (!blockAlgorithms[key.asymmetricKeyType ?? '']?.includes(cms.signatureAlgorithm)) {
    throw new MalformedError('its algorithm does not fit the key');
  }
  if (!verify('sha256', cms.signedBytes, key, cms.signature)) throw new MalformedError('the signature is not valid');
  const signingTime = cms.attributes.get(attributeId.signingTime);
  return {
    endEntity,
    intermediates: certificates.filter((certificate) => certificate !== endEntity),
    signedAt: signingTime ? readTime(signingTime) : null,
  };
}

const COSE_SIGN = 98;
const coseAlgorithms = new Map<CborItem | undefined, { hash: string; curve: string; bytes: number }>([
  [-7, { hash: 'sha256', curve: 'prime256v1', bytes: 32 }],
  [-35, { hash: 'sha384', curve: 'secp384r1', bytes: 48 }],
  [-36, { hash: 'sha512', curve: 'secp521r1', bytes: 66 }],
]);

function isTagged(item: CborItem): item is TaggedItem {
  return typeof item === 'object' && item !== null && 'tag' in item;
}

function asBytes(item: CborItem | undefined): Buffer {
  if (!Buffer.isBuffer(item)) throw new MalformedError('it does not have the expected parts');
  return item;
}

function asList(item: CborItem | undefined, length?: number): CborItem[] {
  if (!Array.isArray(item) || (length !== undefined && item.length !== length)) {
    throw new MalformedError('it does not have the expected parts');
  }
  return item;
}

/** A protected header: a byte string that holds a map with exactly the given keys. */
function readHeader(bytes: Buffer, keys: number[]): Map<CborItem, CborItem> {
  const header = readCbor(bytes);
  if (!(header instanceof Map) || header.size !== keys.length || !keys.every((key) => header.has(key))) {
    throw new MalformedError('a header does not have the expected keys');
  }
  return header;
}

function requireEmptyMap(item: CborItem | undefined): void {
  if (!(item instanceof Map) || item.size > 0) throw new MalformedError('it has headers that are not signed');
}

function byteString(bytes: Buffer): Buffer {
  const length = bytes.length;
  if (length < 24) return Buffer.concat([Buffer.from([0x40 | length]), bytes]);
  if (length < 0x100) return Buffer.concat([Buffer.from([0x58, length]), bytes]);
  if (length < 0x10000) return Buffer.concat([Buffer.from([0x59, length >> 8, length & 0xff]), bytes]);
  const head = Buffer.from([0x5a, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

/** Array of five, the text "Signature"; then come both headers, null in place of the external data, and the payload. */
const SIGNED_PREFIX = Buffer.concat([Buffer.from([0x85, 0x69]), Buffer.from('Signature')]);
const NULL = Buffer.from([0xf6]);

function checkCoseSignature(item: CborItem, body: Buffer, payload: Buffer): ReadCertificate {
  const [protectedHeader, unprotected, signature] = asList(item, 3);
  requireEmptyMap(unprotected);
  const headerBytes = asBytes(protectedHeader);
  const header = readHeader(headerBytes, [1, 4]);
  const endEntity = readCertificate(asBytes(header.get(4)));
  const key = endEntity.x509.publicKey;
  const algorithm = coseAlgorithms.get(header.get(1));
  if (!algorithm || key.asymmetricKeyDetails?.namedCurve !== algorithm.curve) {
    throw new MalformedError('its algorithm does not fit the key');
  }
  const parts = [SIGNED_PREFIX, byteString(body), byteString(headerBytes), NULL, byteString(payload)];
  const value = asBytes(signature);
  const isValid =
    value.length === 2 * algorithm.bytes &&
    verify(algorithm.hash, Buffer.concat(parts), { key, dsaEncoding: 'ieee-p1363' }, value);
  if (!isValid) throw new MalformedError('the signature does not fit META-INF/cose.manifest; one of them was changed');
  return endEntity;
}

/**
 * Checks cose.sig over the bytes of cose.manifest: a tagged COSE_Sign with a null payload and null external data, as
 * browsers verify it. Returns one result per signature. Throws a MalformedError that says what is wrong, also for more
 * signatures than there are algorithms.
 */
export function checkCose(message: Buffer, payload: Buffer): CheckedSignature[] {
  const tagged = readCbor(message);
  if (!isTagged(tagged) || tagged.tag !== COSE_SIGN) throw new MalformedError('it is not a COSE signature');
  const [protectedHeader, unprotected, content, signatures] = asList(tagged.value, 4);
  requireEmptyMap(unprotected);
  if (content !== null) throw new MalformedError('it is not detached');
  const body = asBytes(protectedHeader);
  const intermediates = asList(readHeader(body, [4]).get(4)).map((item) => readCertificate(asBytes(item)));
  const items = asList(signatures);
  if (items.length === 0) throw new MalformedError('it holds no signature');
  if (items.length > coseAlgorithms.size)
    throw new MalformedError('it holds more signatures than there are algorithms');
  return items.map((item) => ({
    endEntity: checkCoseSignature(item, body, payload),
    intermediates,
    signedAt: null,
  }));
}
