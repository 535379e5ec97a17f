/*
 * Pictures on their way into the store. Nothing of what somebody sends is ever served: it is decoded, set upright, made into
 * PNGs of the sizes that are needed and stored under their hashes. The rows that refer to them are the caller's to write,
 * at leisure: what no row refers to is collected a day later.
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

/** Files larger than this are no pictures of ours, nor of anybody whose catalogue is moved in. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** What a refused picture is called in the details of the error. */
const FIELD = 'file';

/** The refusal of a picture. @returns an error to be thrown. */
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

/** A picture in the store. */
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

/** The size that a picture must have, in pixels, where only one will do. */
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
 * Remembers what was made of a kept picture, for those who look for it by that. A row that is there already is renewed, so
 * that the collector lets it live until the caller's own row refers to the picture.
 */
async function rememberRenditions(
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
 * Stores the icon of an add-on in all its sizes. The result is what the row of the add-on needs.
 * @throws {InvalidInputError} on `file` for anything but a PNG or JPEG that stands still and can be decoded.
 * @throws {UnavailableError} when the disk is full or no picture process answers.
 */
export async function storeIcon(source: PictureSource): Promise<{ iconSha256: string }> {
  const { kept, renditions } = await storePicture(source, ICON);
  await rememberRenditions(kept.sha256, ICON, renditions);
  return { iconSha256: kept.sha256 };
}

/** What the row of a preview says of its pictures. Sizes are in pixels. */
export interface PreviewPictures {
  imageSha256: string;
  imageWidth: number;
  imageHeight: number;
  thumbnailSha256: string;
  thumbnailWidth: number;
  thumbnailHeight: number;
}

/** Stores a preview and its thumbnail. @throws like `storeIcon`. */
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

/** Stores the picture of an account. @throws like `storeIcon`. */
export async function storeAccountPicture(source: PictureSource): Promise<{ pictureSha256: string }> {
  const { kept } = await storePicture(source, ACCOUNT_PICTURE);
  return { pictureSha256: kept.sha256 };
}

/** Stores the header of a persona, with the preview and the icon that are made of it. @throws like `storeIcon`. */
export async function storePersonaHeader(
  source: PictureSource,
  exactly?: ExactSize,
): Promise<{ headerSha256: string }> {
  const { kept, renditions } = await storePicture(source, PERSONA_HEADER, exactly);
  await rememberRenditions(kept.sha256, PERSONA_HEADER, renditions);
  return { headerSha256: kept.sha256 };
}

/** Stores the footer of a persona. @throws like `storeIcon`. */
export async function storePersonaFooter(
  source: PictureSource,
  exactly?: ExactSize,
): Promise<{ footerSha256: string }> {
  const { kept } = await storePicture(source, PERSONA_FOOTER, exactly);
  return { footerSha256: kept.sha256 };
}
