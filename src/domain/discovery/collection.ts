import { NotFoundError } from '../../errors.ts';
import type { Collection as CollectionRow } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { globalId } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { loadPublic } from '../addons/load-documents.ts';
import { findPublicByGuids } from './look-up-addons.ts';

export const Collection = builder.objectRef<CollectionRow>('Collection').implement({
  description: 'A named, ordered list of add-ons that replacements can refer to.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the collection in client caches. `node` does not look it up.',
      resolve: ({ id }) => globalId('Collection', id),
    }),
    path: t.exposeString('path', { description: 'The path behind /collections/, without slashes at its ends.' }),
    guids: t.exposeStringList('guids', { description: 'Guids of the add-ons, best first; they need not exist here.' }),
    addons: t.field({
      type: [Addon],
      description: 'The public add-ons among them, best first, at most 500.',
      extensions: { items: 500 },
      resolve: async ({ guids }) => loadPublic(await findPublicByGuids(guids, [])),
    }),
  }),
});

builder.queryField('collection', (t) =>
  t.field({
    type: Collection,
    nullable: true,
    description: 'A collection. Null with the error NOT_FOUND for an unknown path.',
    args: {
      path: t.arg.string({ required: true, description: 'The path behind /collections/, in any case.' }),
    },
    resolve: async (_root, { path }) => {
      const name = path.replace(/^\/+|\/+$/g, '');
      const found = name.includes('\0')
        ? []
        : await db.$queryRaw<
            CollectionRow[]
          >`SELECT id, path::text, guids FROM collection WHERE path = ${name}::citext`;
      if (found[0] === undefined) throw new NotFoundError();
      return found[0];
    },
  }),
);
