/* Small generated pictures, and pictures that must be refused. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

function header(width: number, height: number, { depth = 8, colour = 0 } = {}): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, 0], 8);
  return chunk('IHDR', data);
}

/** A grey PNG assembled chunk by chunk. `extra` chunks precede the pixels, which may be fewer than the header declares. */
export function rawPng(
  width: number,
  height: number,
  { extra = [] as Buffer[], rows = height, depth = 8 } = {},
): Buffer {
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil((width * depth) / 8)) * rows));
  const parts = [header(width, height, { depth }), ...extra, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([PNG_SIGNATURE, ...parts]);
}

/** A PNG of one colour. */
export function png(width: number, height: number, background = '#3366cc'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
}

/** A JPEG of one colour. */
export function jpeg(width: number, height: number, background = '#cc6633'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** A JPEG, red above blue, with an EXIF orientation of a quarter turn. */
export async function sidewaysJpeg(): Promise<Buffer> {
  const half = { width: 40, height: 10, channels: 3, background: '#0000ff' } as const;
  const blue = await sharp({ create: half }).png().toBuffer();
  return sharp({ create: { ...half, height: 20, background: '#ff0000' } })
    .composite([{ input: blue, left: 0, top: 10 }])
    .withExif({ IFD0: { Copyright: 'a copyright notice', Artist: 'a private name' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

const FORMAT = 'must be either PNG or JPG.';
const BROKEN = 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.';

const text = (words: string) => Buffer.from(words);
const animation = chunk('acTL', Buffer.from('0000000200000000', 'hex'));
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>';

/** A chunk of compressed text that inflates to 64 MB. */
const textBomb = () =>
  chunk('zTXt', Buffer.concat([text('Comment\0\0'), deflateSync(Buffer.alloc(64 * 1024 * 1024, 'a'))]));

function withoutEnd(bytes: Buffer, share: number): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * share));
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

const noise = {
  create: { width: 300, height: 200, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
} as const;

/** Pictures that are refused as an icon: name, bytes, and the end of the error message. */
export async function refusedPictures(): Promise<[string, Buffer, string][]> {
  const grain = sharp({ create: { ...noise.create, background: '#fff' } });
  const [photo, drawing] = [await grain.clone().jpeg().toBuffer(), await grain.clone().png().toBuffer()];
  return [
    ['nothing', Buffer.alloc(0), FORMAT],
    ['one byte', text('\x89'), FORMAT],
    ['a web page called PNG', text('<!DOCTYPE html><script>alert(1)</script>'), FORMAT],
    ['a web page after a space', text(' <html></html>'), FORMAT],
    ['an SVG', text(svg), FORMAT],
    ['an SVG with an XML declaration', text(`<?xml version="1.0"?>${svg}`), FORMAT],
    ['a document', text('%PDF-1.7\n'), FORMAT],
    ['an archive', text('PK\x03\x04'), FORMAT],
    ['PostScript', text('%!PS-Adobe-3.0'), FORMAT],
    ['a script for a drawing program', text('push graphic-context\nfill url(https://example.org/)'), FORMAT],
    [
      'a GIF',
      await sharp({ create: { ...noise.create, background: '#fff' } })
        .gif()
        .toBuffer(),
      FORMAT,
    ],
    ['a WebP', await grain.clone().webp().toBuffer(), FORMAT],
    ['an AVIF', await grain.clone().resize(16).avif({ effort: 0 }).toBuffer(), FORMAT],
    ['a TIFF', await grain.clone().tiff().toBuffer(), FORMAT],
    ['a bitmap', text('BM6\0\0\0'), FORMAT],
    ['an icon file', Buffer.from('000001000100', 'hex'), FORMAT],
    ['an animated PNG', rawPng(8, 8, { extra: [animation] }), 'cannot be animated.'],
    ['a PNG that ends after its signature', PNG_SIGNATURE, BROKEN],
    ['a PNG without pixels', Buffer.concat([PNG_SIGNATURE, header(8, 8), chunk('IEND', Buffer.alloc(0))]), BROKEN],
    ['a PNG of no width', rawPng(0, 8, { rows: 0 }), BROKEN],
    ['a PNG of no height', rawPng(8, 0), BROKEN],
    ['a PNG that lacks half its rows', rawPng(64, 64, { rows: 32 }), BROKEN],
    ['a PNG cut in half', withoutEnd(drawing, 0.5), BROKEN],
    ['a PNG with a bad checksum in its header', flipped(drawing, 29), BROKEN],
    ['a PNG whose pixels are not a deflate stream', flipped(rawPng(64, 64), 41), BROKEN],
    ['a PNG of an invalid bit depth', rawPng(8, 8, { depth: 3 }), BROKEN],
    ['a PNG whose chunk is longer than the file', flipped(rawPng(8, 8), 33), BROKEN],
    ['a PNG with a web page after its signature', Buffer.concat([PNG_SIGNATURE, text('<html>'.repeat(20))]), BROKEN],
    ['a PNG of 400 million pixels', rawPng(20_000, 20_000, { rows: 0 }), 'cannot have more than 16 million pixels.'],
    ['a PNG of 17 million pixels in full', rawPng(17_000, 1_000), 'cannot have more than 16 million pixels.'],
    [
      'a PNG of the largest size',
      rawPng(2 ** 31 - 1, 2 ** 31 - 1, { rows: 0 }),
      'cannot have more than 16 million pixels.',
    ],
    ['a PNG of 15 million rows', rawPng(1, 15_000_000), 'cannot have a side of more than 65535 pixels.'],
    ['a JPEG of 17 million pixels', await jpeg(17_000, 1_000), 'cannot have more than 16 million pixels.'],
    ['a JPEG of three bytes', Buffer.from('ffd8ff', 'hex'), BROKEN],
    ['a JPEG cut in half', withoutEnd(photo, 0.5), BROKEN],
    ['a JPEG cut in its header', photo.subarray(0, 40), BROKEN],
    [
      'a JPEG with a web page after its first bytes',
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), text('<html>'.repeat(20))]),
      BROKEN,
    ],
  ];
}

/** Unusual pictures that are accepted: name and bytes. */
export async function unusualPictures(): Promise<[string, Buffer][]> {
  const grain = sharp({ create: { ...noise.create, background: '#fff' } });
  return [
    ['CMYK', await grain.clone().toColourspace('cmyk').jpeg().toBuffer()],
    ['16 bits a channel', await grain.clone().toColourspace('rgb16').png().toBuffer()],
    ['one bit a pixel', rawPng(64, 64, { depth: 1 })],
    ['grey', await grain.clone().greyscale().jpeg().toBuffer()],
    ['a palette', await grain.clone().png({ palette: true, colours: 16 }).toBuffer()],
    ['progressive', await grain.clone().jpeg({ progressive: true }).toBuffer()],
    ['interlaced', await grain.clone().png({ progressive: true }).toBuffer()],
    ['a text that inflates to 64 MB', rawPng(64, 64, { extra: [textBomb()] })],
    ['a script after its end', Buffer.concat([rawPng(64, 64), text('<script>alert(1)</script>')])],
    ['one pixel', rawPng(1, 1)],
    ['a line', rawPng(4_000, 1)],
  ];
}

/** A picture of two frames, by default red and blue, and of 8 by 6 pixels. */
export async function animated(
  format: 'gif' | 'webp' | 'png',
  { width = 8, height = 6, colours = ['#f00', '#00f'] } = {},
): Promise<Buffer> {
  const frames = await Promise.all(colours.map((colour) => png(width, height, colour)));
  const [first = Buffer.alloc(0)] = frames;
  // After the header, which has 33 bytes with the signature.
  if (format === 'png') return Buffer.concat([first.subarray(0, 33), animation, first.subarray(33)]);
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** Bytes of the largest file of a package that is decoded. */
const LARGEST = 4 * 1024 * 1024;

/** GIF and WebP files that cost a decoder much for their size, or that are damaged: name, bytes, and what becomes of them. */
export async function hostileAnimations(): Promise<[string, Buffer, 'made' | 'broken' | 'huge' | 'long'][]> {
  const [gif, webp] = [await animated('gif'), await animated('webp')];
  // An image descriptor at the upper left: width and height are two bytes each, after four of the position.
  const frameAt = gif.indexOf(Buffer.from('2c00000000', 'hex'));
  const gifOf = (width: number, height: number) => {
    const copy = Buffer.from(gif);
    copy.writeUInt16LE(width, frameAt + 5);
    copy.writeUInt16LE(height, frameAt + 7);
    return copy;
  };
  const webpOf = (width: number, height: number) => {
    const copy = Buffer.from(webp);
    copy.writeUIntLE(width - 1, 24, 3);
    copy.writeUIntLE(height - 1, 27, 3);
    return copy;
  };
  const emptyFrame = Buffer.from('2c0000000001000100000200', 'hex');
  const many = Math.floor((LARGEST - frameAt) / emptyFrame.length);
  const red = sharp({ create: { width: 4_000, height: 4_000, channels: 3, background: '#f00' } });
  return [
    ['a GIF of 4,000 million pixels', gifOf(65_535, 65_535), 'huge'],
    ['a WebP of 268 million pixels', webpOf(16_383, 16_383), 'huge'],
    ['a WebP of 16 million columns', webpOf(2 ** 24, 200), 'broken'],
    [
      'a GIF of 300,000 frames without pixels',
      Buffer.concat([gif.subarray(0, frameAt), ...Array<Buffer>(many).fill(emptyFrame)]),
      'made',
    ],
    ['a GIF of 16 million pixels', await red.clone().gif().toBuffer(), 'made'],
    ['a WebP of 16 million pixels', await red.clone().webp({ lossless: true }).toBuffer(), 'made'],
    ['a GIF cut in its header', gif.subarray(0, 10), 'broken'],
    [
      'a GIF with a web page after its first bytes',
      Buffer.concat([text('GIF89a'), text('<html>'.repeat(20))]),
      'broken',
    ],
    ['a WebP cut in half', withoutEnd(webp, 0.5), 'broken'],
    ['a WebP cut in its header', webp.subarray(0, 20), 'broken'],
  ];
}
