import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { NewAuthorities } from '../../infra/signer/signer.ts';
import {
  authorityExtensions,
  buildCertificate,
  distinguishedName,
  keyIdentifier,
  publicKeyOf,
  randomSerial,
} from './certificates.ts';

const ORGANIZATION = { C: 'ZZ', O: 'Add-on distribution (development)' };
const HOUR = 3_600_000;

function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

function pemKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function newKey(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-384' });
}

const ROOT_NAME = distinguishedName({ ...ORGANIZATION, CN: 'Add-on development root' });

/** What every certificate of the development root has. */
const issuedBy = (rootKey: KeyObject, now: Date) => ({
  issuer: ROOT_NAME,
  // So that a clock that runs behind a little accepts it.
  notBefore: new Date(now.getTime() - HOUR),
  algorithm: 'ecdsa-sha384' as const,
  sign: async (tbs: Buffer) => sign('sha384', tbs, rootKey),
  serial: randomSerial().bytes,
});

/** Makes a development root (P-384, 20 years) and an intermediate under it. Both are valid from an hour ago. */
export async function createAuthorities(): Promise<NewAuthorities> {
  const now = new Date();
  const root = newKey();
  const publicKey = publicKeyOf(root.publicKey);
  const certificate = await buildCertificate({
    ...issuedBy(root.privateKey, now),
    subject: ROOT_NAME,
    notAfter: yearsAfter(now, 20),
    publicKey,
    extensions: authorityExtensions(keyIdentifier(publicKey), null, 1),
  });
  return {
    rootCertificate: new X509Certificate(certificate).toString(),
    rootKey: pemKey(root.privateKey),
    ...(await createIntermediate(root.privateKey)),
  };
}

/** Makes an intermediate (P-384, 10 years, for code signing only) under the development root with this key. */
export async function createIntermediate(
  rootKey: KeyObject,
): Promise<Pick<NewAuthorities, 'intermediateCertificate' | 'intermediateKey'>> {
  const now = new Date();
  const { privateKey, publicKey: publicKeyObject } = newKey();
  const publicKey = publicKeyOf(publicKeyObject);
  const certificate = await buildCertificate({
    ...issuedBy(rootKey, now),
    subject: distinguishedName({ ...ORGANIZATION, OU: 'Production', CN: 'Add-on development intermediate' }),
    notAfter: yearsAfter(now, 10),
    publicKey,
    extensions: authorityExtensions(keyIdentifier(publicKey), keyIdentifier(publicKeyOf(rootKey)), 0),
  });
  return {
    intermediateCertificate: new X509Certificate(certificate).toString(),
    intermediateKey: pemKey(privateKey),
  };
}
