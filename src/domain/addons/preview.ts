import { builder } from '../../graphql/builder.ts';
import { Localized } from '../../graphql/localized.ts';
import type { PreviewDocument } from './addon-document.ts';
import { previewImage, previewThumbnail } from './addresses.ts';

/** A preview with the locale that its add-on falls back to. */
export interface PreviewOf extends PreviewDocument {
  defaultLocale: string;
}

const PictureSize = builder.objectRef<{ width: number; height: number }>('PictureSize').implement({
  description: 'In pixels.',
  fields: (t) => ({ width: t.exposeInt('width'), height: t.exposeInt('height') }),
});

export const Preview = builder.objectRef<PreviewOf>('Preview').implement({
  description: 'A picture that shows what an add-on looks like.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id that REST uses.' }),
    caption: t.field({
      type: Localized,
      nullable: true,
      resolve: ({ caption, defaultLocale }) => (caption === null ? null : { texts: caption, defaultLocale }),
    }),
    imageUrl: t.string({ resolve: ({ id, imageSha256 }) => previewImage(id, imageSha256) }),
    imageSize: t.field({
      type: PictureSize,
      resolve: ({ imageWidth, imageHeight }) => ({ width: imageWidth, height: imageHeight }),
    }),
    thumbnailUrl: t.string({ resolve: ({ id, thumbnailSha256 }) => previewThumbnail(id, thumbnailSha256) }),
    thumbnailSize: t.field({
      type: PictureSize,
      resolve: ({ thumbnailWidth, thumbnailHeight }) => ({ width: thumbnailWidth, height: thumbnailHeight }),
    }),
  }),
});
