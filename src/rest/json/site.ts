import { z } from 'zod';
import type { CategoriesQuery, SiteFieldsFragment } from '../../generated/operations/graphql.ts';
import { ADDON_TYPES, APPLICATIONS } from '../../package/enums.ts';
import { shape } from './shape.ts';

/** Slugs of the categories for everything that no other category is for. */
const MISC = ['other', 'miscellaneous'];

/** A category. */
export const category = shape<CategoriesQuery['categories'][number]>(
  {
    id: [z.int(), ({ databaseId }) => databaseId],
    name: [z.string(), ({ name, slug }) => name.value ?? slug],
    slug: [z.string(), ({ slug }) => slug],
    application: [z.enum(APPLICATIONS), ({ app }) => app.toLowerCase()],
    misc: [z.boolean(), ({ slug }) => MISC.includes(slug)],
    type: [z.enum(ADDON_TYPES), ({ type }) => type.toLowerCase()],
    weight: [z.int(), ({ weight }) => weight],
    // Categories have no descriptions here; front ends expect the key.
    description: [z.null(), () => null],
  },
  'Category',
);

/** The state of the service, which front ends read for each page. */
export const siteStatus = shape<SiteFieldsFragment>(
  {
    read_only: [z.boolean(), ({ isReadOnly }) => isReadOnly],
    notice: [z.string().nullable(), ({ notice }) => notice?.value ?? null],
  },
  'Site',
);
