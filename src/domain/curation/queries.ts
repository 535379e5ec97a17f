import { OPERATOR_ID } from '../../auth/credential-account.ts';
import { requirePermission } from '../../auth/permissions.ts';
import { builder } from '../../graphql/builder.ts';
import { countedFields, keysetConnection } from '../../graphql/connections.ts';
import { globalId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { loadPublic } from '../addons/load-documents.ts';
import { Collection } from '../collections/collection.ts';
import { findPublicByGuids } from '../discovery/recommendations.ts';
import { type FeaturedRow, listCollections, listFeaturedEntries, readRecommendationFallback } from './list-curated.ts';

const FeaturedEntry = builder.objectRef<FeaturedRow>('FeaturedEntry').implement({
  description: 'A place where an add-on is featured.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the entry in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('FeaturedEntry', id),
    }),
    addonId: t.id({
      description: 'Global id of the add-on, which the curator need not see.',
      resolve: ({ addonId }) => globalId('Addon', addonId),
    }),
    addonGuid: t.exposeString('guid', { description: 'Its id in the manifest.' }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null for viewers who may not see it.',
      resolve: ({ addonId }, _args, context) => Addon.loadOrNull(context, addonId),
    }),
    app: t.expose('app', { type: ApplicationEnum, description: 'The application it is featured for.' }),
    locale: t.exposeString('locale', { nullable: true, description: 'The language; null for all.' }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'Slug of the category; null outside of categories.',
    }),
  }),
});

builder.queryField('featuredEntries', (t) =>
  t.connection(
    {
      type: FeaturedEntry,
      description: 'The places where add-ons are featured, in the order of their entry. Requires Admin:Curation.',
      resolve: async (_root, args, { viewer }) => {
        requirePermission(viewer, 'Admin:Curation');
        return {
          ...(await keysetConnection('featuredEntries', args, listFeaturedEntries)),
          totalCount: () => db.featuredEntry.count(),
        };
      },
    },
    {
      name: 'FeaturedEntryConnection',
      description: 'One page of the featured entries.',
      fields: (t) => countedFields(t),
    },
    { name: 'FeaturedEntryEdge', description: 'A featured entry and its cursor.' },
  ),
);

builder.queryField('collections', (t) =>
  t.connection(
    {
      type: Collection,
      description: 'The collections of the operator, in the order of their entry. Requires Admin:Curation.',
      resolve: async (_root, args, { viewer }) => {
        requirePermission(viewer, 'Admin:Curation');
        const { edges, pageInfo } = await keysetConnection('collections', args, listCollections);
        return {
          edges: edges.map(({ cursor, node: { id } }) => ({ cursor, node: id })),
          pageInfo,
          totalCount: () => db.collection.count({ where: { accountId: OPERATOR_ID } }),
        };
      },
    },
    { name: 'CollectionConnection', description: 'One page of the collections.', fields: (t) => countedFields(t) },
    { name: 'CollectionEdge', description: 'A collection and its cursor.' },
  ),
);

builder.queryField('recommendationFallback', (t) =>
  t.stringList({
    nullable: true,
    description: 'Guids of the curated recommendations, best first, as curators wrote them. Requires Admin:Curation.',
    resolve: (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Curation');
      return readRecommendationFallback();
    },
  }),
);

builder.queryField('recommendationFallbackAddons', (t) =>
  t.field({
    type: [Addon],
    nullable: true,
    description: 'The public add-ons of `recommendationFallback`, best first, at most 500. Requires Admin:Curation.',
    extensions: { items: 500 },
    resolve: async (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Curation');
      return loadPublic(await findPublicByGuids(await readRecommendationFallback(), []));
    },
  }),
);
