import { type KeyObject, sign } from 'node:crypto';
import { CborTag, encodeCbor } from './cbor.ts';

const COSE_SIGN_TAG = 98;
const header = { algorithm: 1, certificates: 4 };
const ES256 = -7;

/**
 * Signs `payload` (the bytes of cose.manifest) as a detached, tagged COSE_Sign message with one ES256 signature (RFC 9052,
 * section 4). `certificate` is the DER of the P-256 end entity of `key`, `intermediates` those between it and the root.
 * As browsers require, and unlike the RFC, `external_aad` is null and the certificates are plain DER in header 4.
 */
export function signCose(options: {
  payload: Buffer;
  certificate: Buffer;
  intermediates: Buffer[];
  key: KeyObject;
}): Buffer {
  const body = encodeCbor(new Map([[header.certificates, options.intermediates]]));
  const signer = encodeCbor(
    new Map<number, number | Buffer>([
      [header.algorithm, ES256],
      [header.certificates, options.certificate],
    ]),
  );
  const toBeSigned = encodeCbor(['Signature', body, signer, null, options.payload]);
  const signature = sign('sha256', toBeSigned, { key: options.key, dsaEncoding: 'ieee-p1363' });
  return encodeCbor(new CborTag(COSE_SIGN_TAG, [body, new Map(), null, [[signer, new Map(), signature]]]));
}
