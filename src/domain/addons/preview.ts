import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { isFound, rowsInOrder } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { AddonDocument, PreviewDocument } from './addon-document.ts';
import { previewImageUrl, previewThumbnailUrl } from './addresses.ts';
import { loadVisibleAddons, NO_ADDON } from './find-addon.ts';
import { Localized } from './localized.ts';
import { localized } from './localized-text.ts';

const PictureSize = builder.objectRef<{ width: number; height: number }>('PictureSize').implement({
  description: 'The size of a picture.',
  fields: (t) => ({
    width: t.exposeInt('width', { description: 'In pixels.' }),
    height: t.exposeInt('height', { description: 'In pixels.' }),
  }),
});

type ShownPreview = PreviewDocument & { defaultLocale: string };

const addonsOfPreviews = prepared<{ addonId: number }>(
  lookupPool,
  'addons-of-previews',
  'SELECT DISTINCT addon_id AS "addonId" FROM preview WHERE id = ANY($1)',
);

/** The previews of add-ons that the viewer may see, in the order of the ids. Three statements at most. */
async function loadVisiblePreviews(ids: readonly number[], context: Context): Promise<(ShownPreview | Error)[]> {
  const addonIds = (await addonsOfPreviews(ids)).map(({ addonId }) => addonId);
  const addons = await loadVisibleAddons(addonIds.length === 0 ? [NO_ADDON] : addonIds, context);
  const shown = addons.filter((addon) => isFound(addon)).flatMap(previewsOf);
  return rowsInOrder(ids, shown);
}

/** The previews of an add-on in the order that its developers chose. */
export function previewsOf({ previews, defaultLocale }: AddonDocument): ShownPreview[] {
  return previews.map((preview) => ({ ...preview, defaultLocale }));
}

export const Preview = loadableNode<ShownPreview>('Preview', loadVisiblePreviews);

builder.objectType(Preview, {
  description: 'A screenshot of an add-on. Viewers who may see the add-on may see its previews.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    caption: t.field({
      type: Localized,
      nullable: true,
      description: 'Plain text below the picture.',
      resolve: ({ caption, defaultLocale }) => localized(caption, defaultLocale),
    }),
    imageUrl: t.string({
      description: 'Address of the full picture.',
      resolve: ({ id, imageSha256 }) => previewImageUrl(id, imageSha256),
    }),
    imageSize: t.field({
      type: PictureSize,
      description: 'Size of the full picture.',
      resolve: ({ imageWidth, imageHeight }) => ({ width: imageWidth, height: imageHeight }),
    }),
    thumbnailUrl: t.string({
      description: 'Address of the reduced picture.',
      resolve: ({ id, thumbnailSha256 }) => previewThumbnailUrl(id, thumbnailSha256),
    }),
    thumbnailSize: t.field({
      type: PictureSize,
      description: 'Size of the reduced picture.',
      resolve: ({ thumbnailWidth, thumbnailHeight }) => ({ width: thumbnailWidth, height: thumbnailHeight }),
    }),
  }),
});
