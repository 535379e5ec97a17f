import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UploadedFile } from '../infra/staging/staging.ts';

/** The pictures of a folder by name, without `.png`. */
export interface OwnPictures {
  read(name: string): Buffer;
  upload(name: string): Promise<UploadedFile>;
}

/** The PNG files of a folder, by name without the ending. */
export function picturesIn(folder: string): OwnPictures {
  const pathOf = (name: string): string => join(folder, `${name}.png`);
  return {
    read: (name) => readFileSync(pathOf(name)),
    upload: (name) =>
      Promise.resolve({
        ...{ fileName: `${name}.png`, mimeType: 'image/png' },
        open: () => createReadStream(pathOf(name)),
      }),
  };
}
