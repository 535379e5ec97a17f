import { consumeLimit } from '../../infra/rate-limits.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import type { PictureKind } from './picture-kinds.ts';
import { pictureError, type StoredPictures, storePicture } from './store-picture.ts';

/**
 * Receives an uploaded picture and stores its forms.
 * @throws what `storePicture` throws, {InvalidInputError} on `file` above the size limit, {ThrottledError} above the rate limit.
 */
export async function receivePicture(
  accountId: number,
  file: Promise<UploadedFile>,
  kind: PictureKind,
): Promise<StoredPictures> {
  await consumeLimit('picture-minute', accountId);
  const { staged: already, open } = await file;
  const { bytes, refusal } = kind.limit;
  const refuse = () => pictureError(refusal);
  const staged = already ?? (await receiveFile(open(), { limitBytes: bytes, refusal: refuse }));
  try {
    if (staged.size > bytes) throw refuse();
    return await storePicture(staged.path, kind, kind.uploadSize);
  } finally {
    await staged.discard();
  }
}
