import type { PictureFlaw } from './picture-protocol.ts';

/** Maximum number of pixels of a picture. */
export const MAX_PIXELS = 16_000_000;
/** Maximum width and height, that of the JPEG format. Decoding a PNG of millions of rows takes longer than the time limit. */
export const MAX_SIDE = 65_535;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** First bytes of other formats: GIF, BMP, TIFF of both byte orders, icon and cursor. */
const FOREIGN = [
  [0x47, 0x49, 0x46, 0x38],
  [0x42, 0x4d],
  [0x49, 0x49, 0x2a, 0x00],
  [0x4d, 0x4d, 0x00, 0x2a],
  [0x00, 0x00, 0x01, 0x00],
  [0x00, 0x00, 0x02, 0x00],
];

const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, at) => bytes[at] === byte);
const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** The flaw that the bytes of a picture show without decoding; null for a PNG or JPEG without animation. */
export function inspectPicture(bytes: Uint8Array): PictureFlaw | null {
  if (startsWith(bytes, JPEG)) return null;
  if (startsWith(bytes, PNG)) return inspectPng(bytes);
  return isForeign(bytes) ? 'foreign' : 'unknown';
}

/** The start of an SVG file: after a byte order mark, a declaration, comments and a document type, its first element. */
const SVG = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<(?:\?xml|!--|!doctype\s+svg)[^>]*>\s*)*<svg[\s>/]/i;
const SVG_HEAD_BYTES = 1024;

function isForeign(bytes: Uint8Array): boolean {
  if (FOREIGN.some((magic) => startsWith(bytes, magic))) return true;
  if (SVG.test(textAt(bytes, 0, SVG_HEAD_BYTES))) return true;
  // WebP; AVIF, HEIC and their relatives.
  return (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') || textAt(bytes, 4, 4) === 'ftyp';
}

/** A PNG is a header and chunks of length, type, data and checksum. `acTL` precedes the pixels of an animation. */
function inspectPng(bytes: Uint8Array): PictureFlaw | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || textAt(bytes, 12, 4) !== 'IHDR') return 'broken';
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) return 'broken';
  if (width * height > MAX_PIXELS) return 'huge';
  if (Math.max(width, height) > MAX_SIDE) return 'long';
  for (let at = PNG.length; at + 12 <= bytes.length; at += view.getUint32(at) + 12) {
    const type = textAt(bytes, at + 4, 4);
    if (type === 'acTL') return 'animated';
    if (type === 'IDAT') return null;
  }
  return 'broken';
}
