import { type KeyObject, sign } from 'node:crypto';
import { CborTag, encodeCbor } from './cbor.ts';

const COSE_SIGN_TAG = 98;
const header = { algorithm: 1, certificates: 4 };
const ES256 = -7;

/**
 * Signs `payload` (the bytes of cose.manifest) as a detached, tagged COSE_Sign message with one ES256 signature (RFC 9052,
 * section 4). `certificate` is the DER of the P-256 end entity that `key` belongs to, `intermediates` the DER of the
 * authorities between it and the root. Returns the bytes of cose.sig.
 *
 * Browsers sign over `external_aad` = null where the RFC has an empty byte string; a message in the RFC's own form is
 * refused by them. The certificates travel in header 4 as plain DER for the same reason.
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
