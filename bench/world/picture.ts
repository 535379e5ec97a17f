import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TRUE_COLOUR_WITH_ALPHA = [8, 6, 0, 0, 0];

export type Colour = readonly [red: number, green: number, blue: number];

/** The colour of a pixel and its opacity, from 0 to 1. */
export type Paint = (x: number, y: number) => { colour: Colour; cover: number };

/** Paints a picture pixel by pixel, as PNG (ISO/IEC 15948). Sizes in pixels; the origin is the upper left corner. */
export function painted(width: number, height: number, paint: Paint): Buffer {
  const stride = width * 4 + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const { colour, cover } = paint(x, y);
      const at = y * stride + 1 + x * 4;
      rows[at] = colour[0];
      rows[at + 1] = colour[1];
      rows[at + 2] = colour[2];
      rows[at + 3] = Math.round(cover * 255);
    }
  }
  return encodePng(width, height, rows);
}

/** Encodes rows of pixels. Each row is a zero byte, then red, green, blue and opacity of each pixel. */
export function encodePng(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(TRUE_COLOUR_WITH_ALPHA, 8);
  const pixels = deflateSync(rows);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A vertical gradient. Sizes in pixels. */
export function gradient(width: number, height: number, top: Colour, bottom: Colour): Buffer {
  const rows = Array.from({ length: height }, (_, y) => ({
    colour: blend(top, bottom, y / Math.max(1, height - 1)),
    cover: 1,
  }));
  const nothing = { colour: top, cover: 0 };
  return painted(width, height, (_, y) => rows[y] ?? nothing);
}

/** Mixes two colours; `share` is the part of the second, from 0 to 1. */
export function blend(one: Colour, other: Colour, share: number): Colour {
  const part = (index: 0 | 1 | 2): number => Math.round(one[index] + (other[index] - one[index]) * share);
  return [part(0), part(1), part(2)];
}

/** Parses a colour of six hexadecimal digits. */
export function colourOf(hex: string): Colour {
  const code = Number.parseInt(hex, 16);
  return [(code >> 16) & 0xff, (code >> 8) & 0xff, code & 0xff];
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
