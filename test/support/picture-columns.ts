import type { PictureKind, PictureSize } from '../../src/domain/pictures/picture-kinds.ts';

/*
 * Stores pictures and returns the columns of the rows that refer to them. Modules are imported on the first call, as a test sets
 * the environment before.
 */
type Kinds = typeof import('../../src/domain/pictures/picture-kinds.ts');
type Source = Uint8Array | string;

async function store(source: Source, kindOf: (kinds: Kinds) => PictureKind, exactly?: PictureSize) {
  const { storePicture } = await import('../../src/domain/pictures/store-picture.ts');
  return storePicture(source, kindOf(await import('../../src/domain/pictures/picture-kinds.ts')), exactly);
}

export const storeIcon = async (source: Source) => ({
  iconSha256: (await store(source, ({ ICON_KIND: ICON }) => ICON)).sha256,
});

export async function storePreview(source: Source) {
  const { previewColumns } = await import('../../src/domain/pictures/store-picture.ts');
  return previewColumns(await store(source, ({ PREVIEW_KIND: PREVIEW }) => PREVIEW));
}

export const storeAccountPicture = async (source: Source) => ({
  pictureSha256: (await store(source, ({ ACCOUNT_PICTURE }) => ACCOUNT_PICTURE)).sha256,
});

export const storePersonaHeader = async (source: Source, exactly?: PictureSize) => ({
  headerSha256: (await store(source, ({ PERSONA_HEADER }) => PERSONA_HEADER, exactly)).sha256,
});

export const storePersonaFooter = async (source: Source, exactly?: PictureSize) => ({
  footerSha256: (await store(source, ({ PERSONA_FOOTER }) => PERSONA_FOOTER, exactly)).sha256,
});
