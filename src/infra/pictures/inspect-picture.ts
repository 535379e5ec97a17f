import type { PictureFlaw, PictureFormats } from './picture-protocol.ts';

/** Maximum number of pixels of a picture. */
export const MAX_PIXELS = 16_000_000;
/** Maximum width and height, that of the JPEG format. Decoding a PNG of millions of rows takes longer than the time limit. */
export const MAX_SIDE = 65_535;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** First bytes of other formats. TIFF has two byte orders. */
const FOREIGN: readonly (readonly [format: string, magic: readonly number[]])[] = [
  ['GIF', [0x47, 0x49, 0x46, 0x38]],
  ['BMP', [0x42, 0x4d]],
  ['TIFF', [0x49, 0x49, 0x2a, 0x00]],
  ['TIFF', [0x4d, 0x4d, 0x00, 0x2a]],
  ['ICO', [0x00, 0x00, 0x01, 0x00]],
  ['CUR', [0x00, 0x00, 0x02, 0x00]],
];

const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, at) => bytes[at] === byte);
const textAt = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** Formats that `any` has in addition to PNG and JPEG. */
const OTHERS: readonly (string | null)[] = ['GIF', 'WebP'];

/** The flaw that the bytes of a picture show without decoding; null for one of these formats. */
export function inspectPicture(bytes: Uint8Array, formats: PictureFormats): PictureFlaw | null {
  if (bytes.length === 0) return { kind: 'empty' };
  if (startsWith(bytes, JPEG)) return null;
  if (startsWith(bytes, PNG)) return inspectPng(bytes, formats);
  const format = foreignFormat(bytes);
  if (formats === 'any' && OTHERS.includes(format)) return null;
  return format === null ? { kind: 'unknown' } : { kind: 'foreign', format };
}

/** The flaw of a picture with damaged content. */
export const brokenPicture = (bytes: Uint8Array): PictureFlaw => ({
  kind: 'broken',
  format: startsWith(bytes, PNG) ? 'PNG' : (foreignFormat(bytes) ?? 'JPEG'),
});

/** The flaw of a picture of this size; null for an acceptable one. */
export function sizeFlaw({ width, height }: { width: number; height: number }): PictureFlaw | null {
  if (width * height > MAX_PIXELS) return { kind: 'huge', width, height };
  return Math.max(width, height) > MAX_SIDE ? { kind: 'long', width, height } : null;
}

/** The start of an SVG file: after a byte order mark, a declaration, comments and a document type, its first element. */
const SVG = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<(?:\?xml|!--|!doctype\s+svg)[^>]*>\s*)*<svg[\s>/]/i;
const SVG_HEAD_BYTES = 1024;

/** The name of another format; null for a file that is no picture. */
function foreignFormat(bytes: Uint8Array): string | null {
  const [format] = FOREIGN.find(([, magic]) => startsWith(bytes, magic)) ?? [];
  if (format !== undefined) return format;
  if (SVG.test(textAt(bytes, 0, SVG_HEAD_BYTES))) return 'SVG';
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return 'WebP';
  // The family of AVIF and HEIC names its member after `ftyp`.
  if (textAt(bytes, 4, 4) !== 'ftyp') return null;
  return textAt(bytes, 8, 4).startsWith('avi') ? 'AVIF' : 'HEIC';
}

/** Whether a picture is a PNG with an animation, of which decoders read the picture for programs that show no animations. */
export const isAnimatedPng = (bytes: Uint8Array): boolean => startsWith(bytes, PNG) && firstContent(bytes) === 'acTL';

/** A PNG is a header and chunks of length, type, data and checksum: `acTL` precedes the pixels of an animation, `IDAT` has pixels. */
function firstContent(bytes: Uint8Array): 'acTL' | 'IDAT' | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = PNG.length; at + 12 <= bytes.length; at += view.getUint32(at) + 12) {
    const type = textAt(bytes, at + 4, 4);
    if (type === 'acTL' || type === 'IDAT') return type;
  }
  return null;
}

function inspectPng(bytes: Uint8Array, formats: PictureFormats): PictureFlaw | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || textAt(bytes, 12, 4) !== 'IHDR') return brokenPicture(bytes);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) return brokenPicture(bytes);
  const flaw = sizeFlaw({ width, height });
  if (flaw !== null) return flaw;
  const content = firstContent(bytes);
  if (content === null) return brokenPicture(bytes);
  return content === 'acTL' && formats === 'still' ? { kind: 'animated' } : null;
}
