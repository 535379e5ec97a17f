import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { Localized } from '../../graphql/localized.ts';
import type { PreviewDocument } from './addon-document.ts';
import { previewImage, previewThumbnail } from './addresses.ts';
import { localized } from './localized-text.ts';

const PictureSize = builder.objectRef<{ width: number; height: number }>('PictureSize').implement({
  description: 'The size of a picture.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'In pixels.' }),
    height: t.exposeInt('height', { description: 'In pixels.' }),
  }),
});

export const Preview = builder.objectRef<PreviewDocument & { defaultLocale: string }>('Preview').implement({
  description: 'A screenshot of an add-on.',
  fields: (t) => ({
    id: t.id({ description: 'Global id.', resolve: ({ id }) => globalId('Preview', id) }),
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    caption: t.field({
      type: Localized,
      nullable: true,
      description: 'Plain text below the picture.',
      resolve: ({ caption, defaultLocale }) => localized(caption, defaultLocale),
    }),
    imageUrl: t.string({
      description: 'Address of the full picture.',
      resolve: ({ id, imageSha256 }) => previewImage(id, imageSha256),
    }),
    imageSize: t.field({
      type: PictureSize,
      description: 'Size of the full picture.',
      resolve: ({ imageWidth, imageHeight }) => ({ width: imageWidth, height: imageHeight }),
    }),
    thumbnailUrl: t.string({
      description: 'Address of the reduced picture.',
      resolve: ({ id, thumbnailSha256 }) => previewThumbnail(id, thumbnailSha256),
    }),
    thumbnailSize: t.field({
      type: PictureSize,
      description: 'Size of the reduced picture.',
      resolve: ({ thumbnailWidth, thumbnailHeight }) => ({ width: thumbnailWidth, height: thumbnailHeight }),
    }),
  }),
});
