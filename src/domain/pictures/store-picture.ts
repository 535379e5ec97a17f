/*
 * Stores pictures. Uploaded bytes are never served: pictures are decoded, rotated upright and stored as PNGs in the required
 * sizes. Callers write the rows that refer to them; unreferenced blobs are collected after a day.
 */
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type InvalidInputError, refusedField } from '../../errors.ts';
import { blobs } from '../../infra/blob-store/blobs.ts';
import { db } from '../../infra/db.ts';
import { runPicture } from '../../infra/pictures/picture-processes.ts';
import type { MadePicture, PictureFlaw } from '../../infra/pictures/picture-protocol.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import { type Message, message } from '../../texts/messages.ts';
import { type PictureKind, type PictureSize, PREVIEW_KIND } from './picture-kinds.ts';

/** The bytes of a PNG or JPEG file, or the path of one on this machine. */
type PictureSource = Uint8Array | string;

/** Limit for imports too, which have no smaller one. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** The refusal of an uploaded picture. */
export const pictureError = (problem: Message): InvalidInputError => refusedField('file', problem);

function flawMessage(flaw: PictureFlaw, { codes }: PictureKind): Message {
  switch (flaw.kind) {
    case 'broken':
      return message('picture.damaged', { format: flaw.format });
    case 'foreign':
      return message(codes.foreign, { format: flaw.format });
    case 'huge':
    case 'long':
      return message(codes[flaw.kind], { width: flaw.width, height: flaw.height });
    default:
      return message(codes[flaw.kind]);
  }
}

interface StoredPicture extends PictureSize {
  sha256: string;
}

/** The kept form of a picture, with its renditions in the order of its kind. */
export interface StoredPictures extends StoredPicture {
  renditions: StoredPicture[];
}

async function storeBytes({ bytes, width, height }: MadePicture): Promise<StoredPicture> {
  const staged = await receiveFile(Readable.from([bytes]));
  await blobs.put(staged);
  return { sha256: staged.sha256, width, height };
}

/**
 * Makes all forms of a picture, which must have exactly the size if one is given, and stores nothing.
 * @throws {InvalidInputError} on `file` for anything but a readable, still PNG or JPEG.
 * @throws {UnavailableError} when no picture process is available.
 */
export async function makePicture(
  source: PictureSource,
  kind: PictureKind,
  exactly?: PictureSize,
): Promise<MadePicture[]> {
  const size = typeof source === 'string' ? (await stat(source)).size : source.length;
  if (size > MAX_FILE_BYTES) throw pictureError(message('picture.import_too_large'));
  const reply = await runPicture(source, [kind.kept, ...kind.renditions]);
  if (reply.kind === 'flawed') throw pictureError(flawMessage(reply.flaw, kind));
  const { width: foundWidth, height: foundHeight } = reply.size;
  if (exactly && (foundWidth !== exactly.width || foundHeight !== exactly.height)) {
    throw pictureError(message('picture.other_size', { ...exactly, foundWidth, foundHeight }));
  }
  return reply.pictures;
}

/**
 * Stores all forms of a picture.
 * @throws what `makePicture` throws, {UnavailableError} when the disk is full.
 */
export async function storePicture(
  source: PictureSource,
  kind: PictureKind,
  exactly?: PictureSize,
): Promise<StoredPictures> {
  const [kept, ...renditions] = await Promise.all((await makePicture(source, kind, exactly)).map(storeBytes));
  if (kept === undefined) throw new Error('a picture was made into nothing');
  // The row of a preview names its thumbnail.
  if (kind !== PREVIEW_KIND) await recordRenditions(kept.sha256, kind, renditions);
  return { ...kept, renditions };
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
  if (forms.length === 0) return;
  const names = forms.map(({ name }) => name);
  await db.$executeRaw`
    INSERT INTO picture_rendition (source_sha256, name, sha256)
    SELECT ${sourceSha256}, name, sha256
    FROM unnest(${names}::text[], ${made.map(({ sha256 }) => sha256)}::text[]) AS made(name, sha256)
    ON CONFLICT (source_sha256, name) DO UPDATE SET sha256 = excluded.sha256, stored = excluded.stored`;
}

/** The columns of `preview` for its stored picture and thumbnail. */
export function previewColumns({ renditions: [thumbnail], ...image }: StoredPictures) {
  const { sha256: thumbnailSha256, width: thumbnailWidth, height: thumbnailHeight } = thumbnail ?? image;
  const { sha256: imageSha256, width: imageWidth, height: imageHeight } = image;
  return { imageSha256, imageWidth, imageHeight, thumbnailSha256, thumbnailWidth, thumbnailHeight };
}
