import { type KeyObject, sign } from 'node:crypto';

/** The CBOR values that a COSE signature needs. A `Buffer` is a byte string, a `string` is text. */
type CborValue = number | string | null | Buffer | CborValue[] | Map<number, CborValue> | CborTag;

/** A tagged value (RFC 8949, section 3.4). */
export class CborTag {
  readonly tag: number;
  readonly value: CborValue;

  constructor(tag: number, value: CborValue) {
    this.tag = tag;
    this.value = value;
  }
}

const majorType = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 };
const NULL = Buffer.from([0xf6]);

/** The initial bytes of an item: major type and the shortest form of its argument. */
function head(major: number, argument: number): Buffer {
  const type = major << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  if (argument < 0x100) return Buffer.from([type | 24, argument]);
  if (argument < 0x10000) return Buffer.from([type | 25, argument >> 8, argument & 0xff]);
  const bytes = Buffer.from([type | 26, 0, 0, 0, 0]);
  bytes.writeUInt32BE(argument, 1);
  return bytes;
}

/**
 * Encodes one value in the deterministic form of RFC 8949, section 4.2: shortest lengths, nothing indefinite. Maps keep
 * the order of their entries. Throws a RangeError for a number that is not a 32-bit integer.
 */
export function encodeCbor(value: CborValue): Buffer {
  if (value === null) return NULL;
  if (typeof value === 'number') {
    const argument = value < 0 ? -1 - value : value;
    if (!Number.isInteger(value) || argument > 0xffffffff) throw new RangeError(`Not a 32-bit integer: ${value}`);
    return head(value < 0 ? majorType.negative : majorType.unsigned, argument);
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'utf8');
    return Buffer.concat([head(majorType.text, text.length), text]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(majorType.bytes, value.length), value]);
  if (value instanceof CborTag) return Buffer.concat([head(majorType.tag, value.tag), encodeCbor(value.value)]);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
    return Buffer.concat([head(majorType.map, value.size), ...entries]);
  }
  return Buffer.concat([head(majorType.array, value.length), ...value.map(encodeCbor)]);
}

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
