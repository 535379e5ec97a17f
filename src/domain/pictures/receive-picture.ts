import { consumePictureLimit } from '../../infra/rate-limits.ts';
import { receiveFile } from '../../infra/staging/staging.ts';
import type { UploadedFile } from '../../infra/staging/uploaded-file.ts';
import { pictureError } from './store-picture.ts';

/** Size limit of an uploaded picture and the message above it. */
export interface PictureLimit {
  bytes: number;
  refusal: string;
}

/** Icons, previews and account pictures (contract, Limits). people.md D93 fixes the text, 3MB included. */
export const PICTURE_LIMIT: PictureLimit = {
  bytes: 4 * 1024 * 1024,
  refusal: 'Please use images smaller than 3MB.',
};

export const PERSONA_PICTURE_LIMIT: PictureLimit = {
  bytes: 300 * 1024,
  refusal: 'Images cannot be larger than 300KB.',
};

/**
 * Receives a picture into staging and passes it to `use`; the staged file is deleted afterwards.
 * @throws {InvalidInputError} on `file` above the size limit, {ThrottledError} above the rate limit, {UnavailableError}.
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
