import { z } from 'zod';
import type { CollectionFieldsFragment, CollectionItemFieldsFragment } from '../../generated/operations/graphql.ts';
import { personShape } from './accounts.ts';
import { addonHit, addonShape } from './addons.ts';
import { shape } from './shape.ts';
import { dateTime, textKey } from './text.ts';

/** An add-on of a collection. */
export const collectionItem = shape<CollectionItemFieldsFragment>(
  {
    addon: [addonHit.schema, ({ addon: shown }, view) => addonShape.write(shown, view)],
    // Dropped from v4 on 2018-07-20 (contract, Versioning).
    downloads: [z.int().optional(), ({ downloads }, view) => (view.gates.collectionDownloads ? downloads : undefined)],
    notes: textKey(({ notes }) => notes),
  },
  'CollectionAddon',
);

/** A collection, with some of its items where an operation selects them. */
type CollectionFields = CollectionFieldsFragment & {
  items?: { nodes: readonly CollectionItemFieldsFragment[] } | undefined;
};

export const collectionShape = shape<CollectionFields>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    addon_count: [z.int(), ({ addonCount }) => addonCount],
    author: [personShape.schema, ({ author }, view) => personShape.write(author, view)],
    default_locale: [z.string(), ({ defaultLocale }) => defaultLocale],
    description: textKey(({ description }) => description),
    modified: [dateTime, ({ modified }) => modified],
    name: textKey(({ name }) => name),
    public: [z.boolean(), ({ isPublic }) => isPublic],
    slug: [z.string(), ({ slug }) => slug],
    url: [z.url(), ({ url }) => url],
    uuid: [z.string(), ({ uuid }) => uuid],
    addons: [
      z.array(collectionItem.schema).optional(),
      ({ items }, view) => items?.nodes.map((item) => collectionItem.write(item, view)),
    ],
  },
  'Collection',
);
