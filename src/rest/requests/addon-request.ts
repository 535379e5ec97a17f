import { z } from 'zod';
import { listingFields } from '../../domain/listing/fields.ts';
import { APPLICATION_NAMES, applicationName, applicationOf } from './names.ts';
import { alphabetical, declaredKeys, type RequestKey } from './read-request.ts';

const slugs = z.array(z.string());

const named = (lists: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(lists).flatMap(([name, list]) => list.map((slug) => ({ app: applicationOf(name), slug })));

const listOfDesktop = slugs.transform((list) => named({ desktop_browser: list }));
const listsByName = z.looseObject({}).pipe(z.record(applicationName, slugs)).transform(named);

/** Categories by application, or a list of those of the desktop browser. */
const categories: RequestKey = {
  field: 'namedCategories',
  aliases: ['categories'],
  schema: z.union([z.partialRecord(z.enum(APPLICATION_NAMES), slugs), slugs]).meta({
    description:
      'All category slugs by application, or a list of those of desktop_browser. They replace the present ones.',
  }),
  schemaFor: (value) => (Array.isArray(value) ? listOfDesktop : listsByName),
  reportsFirst: true,
};

/** The keys of an Add-on request, without `version`. */
export const ADDON_REQUEST = alphabetical({
  ...declaredKeys(listingFields),
  categories,
  default_locale: {
    field: 'defaultLocale',
    schema: z.string().meta({ description: 'Language of the fallback texts.' }),
  },
  slug: {
    field: 'slug',
    schema: z.string().meta({ description: 'At most 30 letters, digits, hyphens and underscores; not digits alone.' }),
  },
  tags: {
    field: 'tags',
    schema: slugs.meta({ description: 'All tags, at most 20. They replace the present ones.' }),
  },
});
