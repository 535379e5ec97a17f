import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { findAddonRights } from '../addons/find-addon.ts';
import { listedIn, type VersionFilter } from './list-versions.ts';

const VersionFilterEnum = builder.enumType('VersionFilter', {
  description: 'Which versions a list shows beyond the public ones; each needs rights on the add-on.',
  values: {
    ALL_WITHOUT_UNLISTED: { value: 'all_without_unlisted' },
    ALL_WITH_UNLISTED: { value: 'all_with_unlisted' },
    ALL_WITH_DELETED: { value: 'all_with_deleted' },
  } as const,
});

builder.prismaObjectField(Addon, 'currentVersion', (t) => t.relation('currentVersion', { nullable: true }));

builder.prismaObjectField(Addon, 'versions', (t) =>
  t.prismaConnection(
    {
      type: 'Version',
      cursor: 'id',
      description: 'Newest first.',
      args: { filter: t.arg({ type: VersionFilterEnum }) },
      totalCount: async (addon, { filter }, { viewer }) => {
        const rights = await findAddonRights(String(addon.id));
        return db.version.count({ where: listedIn(viewer, rights, (filter ?? null) as VersionFilter | null) });
      },
      resolve: async (query, addon, { filter }, { viewer }) => {
        const rights = await findAddonRights(String(addon.id));
        const where = listedIn(viewer, rights, (filter ?? null) as VersionFilter | null);
        return db.version.findMany({ ...query, where, orderBy: [{ created: 'desc' }, { id: 'desc' }] });
      },
    },
    { name: 'VersionConnection' },
    { name: 'VersionEdge' },
  ),
);
