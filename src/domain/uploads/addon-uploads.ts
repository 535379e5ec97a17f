import { canSeeUploadStatus } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetClause, keysetConnection, pageLoader } from '../../graphql/connections.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Addon } from '../addons/addon.ts';
import { addonRights } from '../addons/find-addon.ts';
import { UploadConnection } from './account-uploads.ts';
import { countUploadsOfAddons, loadUploadsOfAddons } from './load-upload.ts';
import { Upload } from './upload.ts';

const uploads = pageLoader((addonIds, page) =>
  loadUploadsOfAddons(addonIds, keysetClause('u.id', 'DESC', page), page.inverted),
);

const uploadCounts = perRequest<number, number>(countUploadsOfAddons);

builder.objectField(Addon, 'uploads', (t) =>
  t.connection(
    {
      type: Upload,
      nullable: true,
      description:
        'Its uploads, newest first, failed ones included; without those of deleted versions. Null unless the viewer is an author or holds Addons:Edit.',
      resolve: async ({ id }, cursors, context) => {
        const { authors } = await addonRights(context).load(id);
        if (!canSeeUploadStatus(context.viewer, authors)) return null;
        const page = await keysetConnection(`Addon.uploads/${id}`, cursors, (keys) => uploads(context, id, keys));
        return { ...page, totalCount: () => uploadCounts(context).load(id) };
      },
    },
    UploadConnection,
  ),
);
