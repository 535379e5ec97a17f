import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { Localized } from '../../graphql/localized.ts';
import { db } from '../../infra/db.ts';
import { type AddonType, AddonTypeEnum, type Application, ApplicationEnum } from './enums.ts';
import { texts } from './localized-text.ts';

export const Category = builder.prismaNode('Category', {
  description: 'A category of one application and add-on type.',
  id: { field: 'id' },
  findUnique: (id) => ({ id: databaseId(id) }),
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    app: t.field({ type: ApplicationEnum, resolve: (category) => category.app as Application }),
    type: t.field({ type: AddonTypeEnum, resolve: (category) => category.type as AddonType }),
    slug: t.exposeString('slug'),
    name: t.field({
      type: Localized,
      resolve: ({ name }) => ({ texts: texts(name), defaultLocale: config.DEFAULT_LOCALE }),
    }),
    weight: t.exposeInt('weight'),
  }),
});

builder.queryField('categories', (t) =>
  t.prismaField({
    type: ['Category'],
    description: 'All categories, by application and type where given.',
    args: { app: t.arg({ type: ApplicationEnum }), type: t.arg({ type: AddonTypeEnum }) },
    resolve: (query, _root, { app, type }) =>
      db.category.findMany({
        ...query,
        where: { ...(app ? { app } : {}), ...(type ? { type } : {}) },
        orderBy: [{ app: 'asc' }, { type: 'asc' }, { weight: 'desc' }, { slug: 'asc' }],
      }),
  }),
);
