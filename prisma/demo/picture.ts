import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR = [8, 2, 0, 0, 0];

type Colour = readonly [red: number, green: number, blue: number];

/** A picture that fades from one colour at the top to another at the bottom, as PNG (ISO/IEC 15948). Sizes in pixels. */
export function gradient(width: number, height: number, top: Colour, bottom: Colour): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(TRUE_COLOUR, 8);
  const rows = Array.from({ length: height }, (_, y) => {
    const share = y / Math.max(1, height - 1);
    const colour = top.map((from, index) => Math.round(from + ((bottom[index] ?? 0) - from) * share));
    return Buffer.concat([Buffer.of(0), ...Array.from({ length: width }, () => Buffer.from(colour))]);
  });
  const pixels = deflateSync(Buffer.concat(rows));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
