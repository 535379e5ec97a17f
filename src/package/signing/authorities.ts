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

/**
 * Makes a development root (P-384, 20 years) and the one intermediate under it (P-384, 10 years, for code signing only).
 * Both are valid from an hour ago, so that a clock that runs behind a little accepts them.
 */
export async function createAuthorities(): Promise<NewAuthorities> {
  const now = new Date();
  const root = newKey();
  const intermediate = newKey();
  const rootName = distinguishedName({ ...ORGANIZATION, CN: 'Add-on development root' });
  const rootPublicKey = publicKeyOf(root.publicKey);
  const intermediatePublicKey = publicKeyOf(intermediate.publicKey);
  const rootKeyId = keyIdentifier(rootPublicKey);
  const common = {
    issuer: rootName,
    notBefore: new Date(now.getTime() - HOUR),
    algorithm: 'ecdsa-sha384' as const,
    sign: async (tbs: Buffer) => sign('sha384', tbs, root.privateKey),
  };
  const rootDer = await buildCertificate({
    ...common,
    serial: randomSerial().bytes,
    subject: rootName,
    notAfter: yearsAfter(now, 20),
    publicKey: rootPublicKey,
    extensions: authorityExtensions(rootKeyId, null, 1),
  });
  const intermediateDer = await buildCertificate({
    ...common,
    serial: randomSerial().bytes,
    subject: distinguishedName({ ...ORGANIZATION, OU: 'Production', CN: 'Add-on development intermediate' }),
    notAfter: yearsAfter(now, 10),
    publicKey: intermediatePublicKey,
    extensions: authorityExtensions(keyIdentifier(intermediatePublicKey), rootKeyId, 0),
  });
  return {
    rootCertificate: new X509Certificate(rootDer).toString(),
    rootKey: pemKey(root.privateKey),
    intermediateCertificate: new X509Certificate(intermediateDer).toString(),
    intermediateKey: pemKey(intermediate.privateKey),
  };
}
