import { consumeLimit } from '../../infra/rate-limits.ts';
import { receiveFile, type UploadedFile } from '../../infra/staging/staging.ts';
import type { PictureKind } from './picture-kinds.ts';
import { makePicture, pictureError, type StoredPictures, storePicture } from './store-picture.ts';

/**
 * Receives an uploaded picture and stores its forms.
 * @throws what `storePicture` throws, {InvalidInputError} on `file` above the size limit, {ThrottledError} above the rate limit.
 */
export function receivePicture(
  accountId: number,
  file: Promise<UploadedFile>,
  kind: PictureKind,
): Promise<StoredPictures> {
  return withPicture(accountId, file, kind, (path) => storePicture(path, kind, kind.uploadSize));
}

/** Receives an uploaded picture and stores nothing. @throws what `receivePicture` throws. */
export async function judgePicture(accountId: number, file: Promise<UploadedFile>, kind: PictureKind): Promise<void> {
  await withPicture(accountId, file, kind, (path) => makePicture(path, kind, kind.uploadSize));
}

/** Runs `work` with the path of the received file, which is discarded afterwards. */
async function withPicture<Result>(
  accountId: number,
  file: Promise<UploadedFile>,
  kind: PictureKind,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  await consumeLimit('picture-minute', accountId);
  const { staged: already, open } = await file;
  const { bytes, refusal } = kind.limit;
  const refuse = () => pictureError(refusal);
  const staged = already ?? (await receiveFile(open(), { limitBytes: bytes, refusal: refuse }));
  try {
    if (staged.size > bytes) throw refuse();
    return await work(staged.path);
  } finally {
    await staged.discard();
  }
}
