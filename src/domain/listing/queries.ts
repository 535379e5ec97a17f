import { canEditListing, refuse } from '../../auth/permissions.ts';
import { NotFoundError } from '../../errors.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { findAddonByBareGuid, requireVisible } from '../addons/find-addon.ts';

builder.queryField('editableAddon', (t) =>
  t.id({
    subGraphs: INTERNAL,
    description: 'Global id of an add-on whose listing the viewer may edit.',
    args: {
      ref: t.arg.string({
        required: true,
        description: 'Database id, slug or guid, in any case. A guid may lack its braces.',
      }),
    },
    resolve: async (_root, { ref }, context) => {
      const addon = await findAddonByBareGuid(context, ref);
      requireVisible(context.viewer, addon);
      if (addon.deletedAt !== null) throw new NotFoundError();
      if (!canEditListing(context.viewer, addon)) throw refuse(context.viewer);
      return globalId('Addon', addon.id);
    },
  }),
);
