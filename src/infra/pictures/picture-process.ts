/* Entry point of a picture process. Decoders are native code; their crashes and leaks are confined to it. */
import sharp, { type Sharp } from 'sharp';
import { serveRequests } from '../process-pool/serve-requests.ts';
import { brokenPicture, inspectPicture, isAnimatedPng, MAX_PIXELS, sizeFlaw } from './inspect-picture.ts';
import type { MadePicture, PictureForm, PictureReply, PictureRequest } from './picture-protocol.ts';

const DECODE_SECONDS = 5;

sharp.cache(false);

/** A new pipeline from the source: one frame, upright, sRGB. */
function decode(bytes: Uint8Array): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PIXELS, pages: 1, sequentialRead: true })
    .timeout({ seconds: DECODE_SECONDS })
    .autoOrient()
    .toColourspace('srgb');
}

function shape(picture: Sharp, { width, height, fit }: PictureForm): Sharp {
  if (fit === 'inside') return picture.resize({ width, height, fit, withoutEnlargement: true });
  if (fit === 'cover-right') return picture.resize({ width, height, fit: 'cover', position: 'right top' });
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return picture.ensureAlpha().resize({ width, height, fit, background });
}

async function make(bytes: Uint8Array, form: PictureForm): Promise<MadePicture> {
  const png = shape(decode(bytes), form).png({ compressionLevel: 6, adaptiveFiltering: true });
  const { data, info } = await png.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

async function work({ bytes, forms, formats }: PictureRequest): Promise<PictureReply> {
  const flaw = inspectPicture(bytes, formats);
  if (flaw !== null) return { kind: 'flawed', flaw };
  try {
    // Reads the header alone, of a GIF those of all frames; no frame is decoded.
    const { autoOrient: size, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
    const excess = sizeFlaw(size);
    if (excess !== null) return { kind: 'flawed', flaw: excess };
    const pictures: MadePicture[] = [];
    // The other forms are made from the first, so that a client that uploads the first again gets equal ones.
    for (const form of forms) pictures.push(await make(pictures[0]?.bytes ?? bytes, form));
    return { kind: 'made', size, isAnimated: pages > 1 || isAnimatedPng(bytes), pictures };
  } catch (error) {
    if (/\btimeout\b/i.test(String(error))) return { kind: 'late' };
    return { kind: 'flawed', flaw: brokenPicture(bytes) };
  }
}

serveRequests(work);
