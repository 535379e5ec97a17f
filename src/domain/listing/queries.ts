import { canEditListing, refuse } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { AddonRefInput } from '../addons/addon-ref.ts';
import { findAddonRights, requireVisible } from '../addons/find-addon.ts';

builder.queryField('editableAddon', (t) =>
  t.id({
    subGraphs: INTERNAL,
    description: 'Global id of an add-on whose listing the viewer may edit.',
    args: {
      by: t.arg({ type: AddonRefInput, required: true, description: 'What names the add-on.' }),
    },
    resolve: async (_root, { by }, context) => {
      const addon = await findAddonRights(context, by);
      requireVisible(context.viewer, addon);
      if (addon.deletedAt !== null) throw new NotFoundError();
      if (!canEditListing(context.viewer, addon)) throw refuse(context.viewer);
      return globalId('Addon', addon.id);
    },
  }),
);
