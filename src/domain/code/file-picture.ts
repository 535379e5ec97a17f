import { Buffer } from 'node:buffer';
import { UnavailableError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { runPicture } from '../../infra/pictures/picture-processes.ts';
import { type PackageFile, PICTURE_BYTES } from '../../package/code/file-changes.ts';
import { CutResult, readKept } from './kept-results.ts';
import { type CodeArchive, pictureBytes } from './read-code.ts';

/** A picture of a package. */
interface FilePicture {
  width: number;
  height: number;
  isAnimated: boolean;
  copyWidth: number;
  copyHeight: number;
  /** In base64. */
  copy: string;
}

/** The width and height of copies, in pixels. */
const COPY = { name: 'copy', width: 640, height: 640, fit: 'inside' } as const;

/** Names of files that are decoded. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

/** The picture in a file of an archive; null for one that is no PNG, JPEG, GIF or WebP, or that cannot be decoded within the limits. */
export async function filePicture(archive: CodeArchive, file: PackageFile): Promise<FilePicture | null> {
  if (file.isText || !PICTURE.test(file.path) || file.size > PICTURE_BYTES) return null;
  return readKept<FilePicture | null>(['picture', file.sha256], async () => {
    const bytes = await pictureBytes(archive, file.path);
    const result = bytes && (await runPicture(bytes, [COPY], 'any').catch(withoutLateOnes));
    if (result === 'late') return new CutResult(null);
    if (result?.kind !== 'made' || result.pictures[0] === undefined) return null;
    const { bytes: copy, width, height } = result.pictures[0];
    const { size, isAnimated } = result;
    const base64 = Buffer.from(copy).toString('base64');
    return { ...size, isAnimated, copyWidth: width, copyHeight: height, copy: base64 };
  });
}

/** A picture that takes too long to decode is not shown, whatever the reason. */
function withoutLateOnes(error: unknown): 'late' {
  if (error instanceof UnavailableError) return 'late';
  throw error;
}

export const FilePictureType = builder.objectRef<FilePicture>('FilePicture').implement({
  description: 'The picture in a PNG, JPEG, GIF or WebP file.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'In pixels.' }),
    height: t.exposeInt('height', { description: 'In pixels.' }),
    isAnimated: t.exposeBoolean('isAnimated', {
      description: 'Whether it has several frames, of which the copy shows the first.',
    }),
    copyWidth: t.exposeInt('copyWidth', { description: 'Width of the copy, in pixels, at most 640.' }),
    copyHeight: t.exposeInt('copyHeight', { description: 'Height of the copy, in pixels, at most 640.' }),
    copy: t.exposeString('copy', {
      description: 'A PNG with the decoded pixels, not enlarged and without metadata, in base64.',
    }),
  }),
});
