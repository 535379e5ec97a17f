import { Readable } from 'node:stream';
import type { UploadedFile } from '../infra/staging/uploaded-file.ts';

/** A drawn picture as an upload. */
export const picture = (png: Buffer): Promise<UploadedFile> =>
  Promise.resolve({ fileName: 'picture.png', mimeType: 'image/png', open: () => Readable.from([png]) });
