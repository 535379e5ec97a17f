import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { databaseId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import type { AddonType, Application } from '../../package/enums.ts';
import { AddonTypeEnum, ApplicationEnum } from './enums.ts';
import { Localized } from './localized.ts';
import { storedTexts } from './localized-text.ts';

export const Category = builder.prismaNode('Category', {
  description: 'A category of one application and add-on type.',
  id: { field: 'id', description: 'Global id.' },
  findUnique: (id) => ({ id: databaseId(id) }),
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    app: t.field({
      type: ApplicationEnum,
      description: 'The application that the category belongs to.',
      resolve: (category) => category.app as Application,
    }),
    type: t.field({
      type: AddonTypeEnum,
      description: 'The type of the add-ons in the category.',
      resolve: (category) => category.type as AddonType,
    }),
    slug: t.exposeString('slug', { description: 'Short name in addresses; unique per application and type.' }),
    name: t.field({
      type: Localized,
      description: 'The displayed name.',
      resolve: ({ name }) => ({ texts: storedTexts(name), defaultLocale: config.DEFAULT_LOCALE }),
    }),
    weight: t.exposeInt('weight', { description: 'Heavier categories come first in lists.' }),
  }),
});

builder.queryField('categories', (t) =>
  t.prismaField({
    type: ['Category'],
    description: 'All categories, by application, type, descending weight and slug.',
    args: {
      app: t.arg({ type: ApplicationEnum, description: 'Only categories of this application.' }),
      type: t.arg({ type: AddonTypeEnum, description: 'Only categories of this add-on type.' }),
    },
    extensions: { items: 100 },
    resolve: (query, _root, { app, type }) =>
      db.category.findMany({
        ...query,
        where: { ...(app ? { app } : {}), ...(type ? { type } : {}) },
        orderBy: [{ app: 'asc' }, { type: 'asc' }, { weight: 'desc' }, { slug: 'asc' }],
      }),
  }),
);
