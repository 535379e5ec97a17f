import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { SubjectPublicKeyInfo } from '@peculiar/asn1-x509';
import type { Signer, SigningRequest } from '../../infra/signer/signer.ts';
import {
  buildCertificate,
  distinguishedName,
  endEntityExtensions,
  keyIdentifier,
  randomSerial,
  serialContent,
} from './certificates.ts';
import { issuerOf } from './issuer.ts';

/** How far the clocks of hosts may be apart: certificates are valid from this much before they are made, in ms. */
export const CLOCK_TOLERANCE_MS = 60_000;
const DEFAULT_DOMAIN = 'addons.internal';
const MAX_COMMON_NAME_BYTES = 64;

/** A certificate as the log keeps it, complete before the issuing key is used. */
export interface CertificateRecord {
  /** Lower-case hex, 128 bits. */
  serial: string;
  /** The issuer's name on one line, for example `C=ZZ, O=…, CN=…`. */
  issuer: string;
  /** SHA-256 of the issuer's certificate, hex. */
  issuerSha256: string;
  commonName: string;
  organizationalUnit: string;
  notBefore: Date;
  notAfter: Date;
  /** SHA-256 of the DER of the public key (SubjectPublicKeyInfo), hex. */
  publicKeySha256: string;
  /** One certificate serves both signatures of a file. */
  purpose: 'pkcs7-and-cose';
}

/** A certificate for one file together with its key, which is dropped after that file. */
interface EndEntity {
  record: CertificateRecord;
  serial: Buffer;
  certificate: Buffer;
  key: KeyObject;
}

/** The common name of the certificate of an add-on: its id, or the SHA-256 hex of ids over 64 bytes. */
export function commonNameOf(addonId: string): string {
  if (Buffer.byteLength(addonId) <= MAX_COMMON_NAME_BYTES) return addonId;
  return createHash('sha256').update(addonId).digest('hex');
}

/** A DNS name made of the two halves of the hash of the common name, each as long as a label may be. */
function dnsNameOf(commonName: string, domain: string): string {
  const hash = createHash('sha256').update(commonName).digest('hex');
  return `${hash.slice(0, 32)}.${hash.slice(32)}.${domain}`;
}

/**
 * Makes a fresh P-256 key and lets `signer` issue the certificate for it. `onCertificate` is awaited before the issuing
 * key is used, so no signature exists whose serial number is not in the log; when it throws, nothing is issued. Valid
 * from a minute before `now` until the chain ends: browsers ignore expiry here, other tools do not.
 */
export async function issueEndEntity(options: {
  addonId: string;
  organizationalUnit: string;
  signer: Signer;
  /** For signers with a policy of their own. */
  file?: SigningRequest['file'];
  onCertificate: (certificate: CertificateRecord) => Promise<void>;
  now: Date;
}): Promise<EndEntity> {
  const { signer, organizationalUnit, now } = options;
  const issuer = issuerOf(signer);
  const { privateKey, publicKey: publicKeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const serial = randomSerial();
  const commonName = commonNameOf(options.addonId);
  const record: CertificateRecord = {
    serial: serial.hex,
    issuer: issuer.nameText,
    issuerSha256: issuer.sha256,
    commonName,
    organizationalUnit,
    notBefore: new Date(Math.floor((now.getTime() - CLOCK_TOLERANCE_MS) / 1000) * 1000),
    notAfter: issuer.notAfter,
    publicKeySha256: createHash('sha256')
      .update(publicKeyObject.export({ type: 'spki', format: 'der' }))
      .digest('hex'),
    purpose: 'pkcs7-and-cose',
  };
  await options.onCertificate(record);
  const { notBefore, notAfter } = record;
  const certificate = await issueCertificate(
    {
      serial: serial.hex,
      guid: options.addonId,
      organizationalUnit,
      notBefore,
      notAfter,
      publicKey: publicKeyObject.export({ type: 'spki', format: 'der' }),
      file: options.file ?? null,
    },
    signer,
  );
  return { record, serial: serial.bytes, certificate, key: privateKey };
}

/** The certificate that a request describes, signed by `signer`, as DER. Equal requests have equal TBSCertificates. */
export function issueCertificate(request: SigningRequest, signer: Signer): Promise<Buffer> {
  const issuer = issuerOf(signer);
  const publicKey = AsnConvert.parse(request.publicKey, SubjectPublicKeyInfo);
  const commonName = commonNameOf(request.guid);
  const subject = { C: issuer.country, O: issuer.organization, OU: request.organizationalUnit, CN: commonName };
  return buildCertificate({
    serial: serialContent(request.serial),
    subject: distinguishedName(subject),
    issuer: issuer.name,
    notBefore: request.notBefore,
    notAfter: request.notAfter,
    publicKey,
    extensions: endEntityExtensions(
      keyIdentifier(publicKey),
      issuer.keyId,
      dnsNameOf(commonName, issuer.domain ?? DEFAULT_DOMAIN),
    ),
    algorithm: signer.algorithm,
    sign: (tbs) => signer.signTbs(tbs, request),
  });
}
