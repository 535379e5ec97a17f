import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { findVisibleAddon } from './find-addon.ts';

builder.queryField('addon', (t) =>
  t.prismaField({
    type: 'Addon',
    description: 'The add-on with this id, slug or guid.',
    args: { ref: t.arg.string({ required: true }) },
    resolve: async (query, _root, { ref }, { viewer }) => {
      const { id } = await findVisibleAddon(viewer, ref);
      return db.addon.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
