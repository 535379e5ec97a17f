/** Tags of the elements that are written around others (X.690, section 8). */
export const tag = { integer: 0x02, sequence: 0x30, set: 0x31, context0: 0xa0 } as const;

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
export function element(elementTag: number, ...content: Uint8Array[]): Buffer {
  const bytes = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([elementTag]), lengthOf(bytes), ...content]);
}
