/*
 * Stores pictures. Uploaded bytes are never served: pictures are decoded, rotated upright and stored as PNGs in the required
 * sizes. Callers write the rows that refer to them; unreferenced blobs are collected after a day.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type InvalidInputError, refusedField } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { db } from '../../infra/db.ts';
import { runPicture } from '../../infra/pictures/picture-processes.ts';
import type { MadePicture, PictureFlaw } from '../../infra/pictures/picture-protocol.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import { ACCOUNT_PICTURE, ICON, PERSONA_FOOTER, PERSONA_HEADER, type PictureKind, PREVIEW } from './picture-kinds.ts';

/** The bytes of a PNG or JPEG file, or the path of one on this machine. */
export type PictureSource = Uint8Array | string;

/** Limit for imports too, which have no smaller one. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

const FIELD = 'file';

export function pictureError(message: string): InvalidInputError {
  return refusedField(FIELD, message);
}

const BROKEN = 'Upload a valid image. The file you uploaded was either not an image or a corrupted image.';

function flawError(flaw: PictureFlaw, kind: PictureKind): InvalidInputError {
  const { noun } = kind;
  if (flaw === 'animated') return pictureError(`${noun} cannot be animated.`);
  if (flaw === 'huge') return pictureError(`${noun} cannot have more than 16 million pixels.`);
  if (flaw === 'broken' || (flaw === 'unknown' && kind === ACCOUNT_PICTURE)) return pictureError(BROKEN);
  return pictureError(`${noun} must be either PNG or JPG.`);
}

interface StoredPicture {
  sha256: string;
  width: number;
  height: number;
}

async function storeBytes({ bytes, width, height }: MadePicture): Promise<StoredPicture> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (!(await blobs.touch(sha256))) await blobs.put(await receiveFile(Readable.from([bytes])));
  return { sha256, width, height };
}

/** In pixels. */
export interface ExactSize {
  width: number;
  height: number;
}

async function storePicture(
  source: PictureSource,
  kind: PictureKind,
  exactly?: ExactSize,
): Promise<{ kept: StoredPicture; renditions: StoredPicture[] }> {
  const size = typeof source === 'string' ? (await stat(source)).size : source.length;
  if (size > MAX_FILE_BYTES) throw pictureError('Please use images smaller than 32MB.');
  const reply = await runPicture(source, [kind.kept, ...kind.renditions]);
  if (reply.kind === 'flawed') throw flawError(reply.flaw, kind);
  if (exactly && (reply.size.width !== exactly.width || reply.size.height !== exactly.height)) {
    throw pictureError(`Image must be exactly ${exactly.width} pixels wide and ${exactly.height} pixels tall.`);
  }
  const [kept, ...renditions] = await Promise.all(reply.pictures.map(storeBytes));
  if (kept === undefined) throw new Error('a picture was made into nothing');
  return { kept, renditions };
}

/**
 * Records the renditions of a picture. Existing rows are renewed, so that the collector keeps the blobs until the caller's
 * row refers to them.
 */
async function recordRenditions(
  sourceSha256: string,
  { renditions: forms }: PictureKind,
  made: readonly StoredPicture[],
): Promise<void> {
  const names = forms.map(({ name }) => name);
  await db.$executeRaw`
    INSERT INTO picture_rendition (source_sha256, name, sha256)
    SELECT ${sourceSha256}, name, sha256
    FROM unnest(${names}::text[], ${made.map(({ sha256 }) => sha256)}::text[]) AS made(name, sha256)
    ON CONFLICT (source_sha256, name) DO UPDATE SET sha256 = excluded.sha256, stored = excluded.stored`;
}

/**
 * Stores the icon of an add-on in all sizes. Returns columns of `addon`.
 * @throws {InvalidInputError} on `file` for anything but a readable, still PNG or JPEG.
 * @throws {UnavailableError} when the disk is full or no picture process is available.
 */
export async function storeIcon(source: PictureSource): Promise<{ iconSha256: string }> {
  const { kept, renditions } = await storePicture(source, ICON);
  await recordRenditions(kept.sha256, ICON, renditions);
  return { iconSha256: kept.sha256 };
}

/** Columns of `preview`. Sizes are in pixels. */
export interface PreviewPictures {
  imageSha256: string;
  imageWidth: number;
  imageHeight: number;
  thumbnailSha256: string;
  thumbnailWidth: number;
  thumbnailHeight: number;
}

/** Stores a preview and its thumbnail. @throws as `storeIcon` does. */
export async function storePreview(source: PictureSource): Promise<PreviewPictures> {
  const { kept, renditions } = await storePicture(source, PREVIEW);
  const thumbnail = renditions[0] ?? kept;
  return {
    imageSha256: kept.sha256,
    imageWidth: kept.width,
    imageHeight: kept.height,
    thumbnailSha256: thumbnail.sha256,
    thumbnailWidth: thumbnail.width,
    thumbnailHeight: thumbnail.height,
  };
}

/** Stores the picture of an account. @throws as `storeIcon` does. */
export async function storeAccountPicture(source: PictureSource): Promise<{ pictureSha256: string }> {
  const { kept } = await storePicture(source, ACCOUNT_PICTURE);
  return { pictureSha256: kept.sha256 };
}

/** Stores the header of a persona and its renditions. @throws as `storeIcon` does. */
export async function storePersonaHeader(
  source: PictureSource,
  exactly?: ExactSize,
): Promise<{ headerSha256: string }> {
  const { kept, renditions } = await storePicture(source, PERSONA_HEADER, exactly);
  await recordRenditions(kept.sha256, PERSONA_HEADER, renditions);
  return { headerSha256: kept.sha256 };
}

/** Stores the footer of a persona. @throws as `storeIcon` does. */
export async function storePersonaFooter(
  source: PictureSource,
  exactly?: ExactSize,
): Promise<{ footerSha256: string }> {
  const { kept } = await storePicture(source, PERSONA_FOOTER, exactly);
  return { footerSha256: kept.sha256 };
}
