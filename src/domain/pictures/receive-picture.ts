import { consumePictureLimit } from '../../infra/rate-limits.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import { pictureError } from './store-picture.ts';

/** The most that a picture may weigh which somebody sends, in bytes, and the words for more. */
export interface PictureLimit {
  bytes: number;
  refusal: string;
}

/** Icons, previews and pictures of accounts (contract, Limits). The number in the text is what clients know it by. */
export const PICTURE_LIMIT: PictureLimit = {
  bytes: 4 * 1024 * 1024,
  refusal: 'Please use images smaller than 3MB.',
};

export const PERSONA_PICTURE_LIMIT: PictureLimit = {
  bytes: 300 * 1024,
  refusal: 'Images cannot be larger than 300KB.',
};

/**
 * Takes in a picture that somebody sends, and lets `use` have its path in staging. It is gone afterwards.
 * @throws {InvalidInputError} on `file` when it is too large, {ThrottledError} when it is one too many, {UnavailableError}.
 */
export async function withReceivedPicture<Result>(
  accountId: number,
  file: Promise<UploadedFile>,
  limit: PictureLimit,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  await consumePictureLimit(accountId);
  const { staged: already, open } = await file;
  const refusal = () => pictureError(limit.refusal);
  const staged = already ?? (await receiveFile(open(), { limitBytes: limit.bytes, refusal }));
  try {
    if (staged.size > limit.bytes) throw refusal();
    return await use(staged.path);
  } finally {
    await staged.discard();
  }
}
