import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import { refusedField } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';
import { pool, prepared } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { ADDON_TYPES, type AddonType, type Application } from '../../package/enums.ts';
import { canonicalLocale } from '../../texts/locales.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { Addon } from '../addons/addon.ts';
import type { AddonDocument } from '../addons/addon-document.ts';
import { AddonTypeEnum, ApplicationEnum } from '../addons/enums.ts';
import { findCategories, findCategorySlug } from '../addons/find-category.ts';
import { type DocumentKey, KEY_COLUMNS, KEY_JOIN, loadPublic } from '../addons/load-documents.ts';

/** Filters by their documented parameter names. */
interface FeaturedParams {
  app: Application;
  types?: readonly AddonType[] | null;
  /** Global id of a category of `app` and one of `types`. */
  category?: string | number | null;
  /** Slug or database id of such a category. */
  categorySlug?: string | null;
  locale?: string | null;
  first?: number | null;
  /** Types to exclude, even if `types` contains them. */
  except?: readonly AddonType[] | undefined;
}

const DEFAULT_SIZE = 25;
const MAX_SIZE = 50;
const PERIOD_MS = 600_000;

/**
 * The slug of the requested category, or null.
 * @throws {InvalidInputError} on `category` if the application and types do not have it.
 */
async function readCategory(filter: FeaturedParams): Promise<string | null> {
  const { app, types, category, categorySlug } = filter;
  if (category != null) return slugOf(filter, category);
  if (categorySlug == null) return null;
  const slug = await findCategorySlug(app, types?.length ? types : ADDON_TYPES, categorySlug);
  if (slug !== null) return slug;
  throw refusedField('category', message('featured.invalid_category', { value: printable(categorySlug) }));
}

async function slugOf({ app, types }: FeaturedParams, globalId: string | number): Promise<string> {
  const [found] = await findCategories([idOf('Category', globalId, 'category')]);
  const isOfType = (type: string) => types == null || types.length === 0 || types.some((each) => each === type);
  if (found !== undefined && found.app === app && isOfType(found.type)) return found.slug.toLowerCase();
  throw refusedField('category', message('featured.invalid_category', { value: printable(String(globalId)) }));
}

/** Entries for the requested language come first. Within both groups, a hash with the seed gives the order. */
const readFeatured = prepared<DocumentKey>(
  pool,
  'featured-addons',
  `SELECT ${KEY_COLUMNS} FROM (
      SELECT addon_id, bool_or($5::text IS NOT NULL AND locale IS NOT NULL) AS is_local FROM featured_entry
      WHERE app = $1 AND lower(category) IS NOT DISTINCT FROM $4
        AND ($5::text IS NULL OR locale IS NULL OR lower(locale) = $5)
      GROUP BY addon_id
    ) f JOIN addon a ON a.id = f.addon_id ${KEY_JOIN}
    WHERE ${IS_PUBLIC_ADDON} AND ($2::text[] IS NULL OR a.type = ANY($2)) AND NOT a.type = ANY($3)
    ORDER BY f.is_local DESC, md5($6 || a.id) LIMIT $7`,
);

/** A seed that all processes share and that changes every ten minutes. */
function currentSeed(now: number, ...filters: unknown[]): string {
  return JSON.stringify([Math.floor(now / PERIOD_MS), ...filters]);
}

/**
 * Featured add-ons in random order, which changes every ten minutes (contract, featured). With a language, add-ons featured
 * for it come before those featured for all languages; without one, all match. At most two statements, and one for a category.
 * @throws {InvalidInputError} keyed by the invalid parameter.
 */
export async function listFeatured(filter: FeaturedParams, now = Date.now()): Promise<AddonDocument[]> {
  const { app, except, first } = filter;
  const types = filter.types == null || filter.types.length === 0 ? null : [...new Set(filter.types)].sort();
  const category = await readCategory(filter);
  const code = comparableText(filter.locale ?? '').trim() || null;
  const locale = code === null ? null : (canonicalLocale(code) ?? code).toLowerCase();
  const seed = currentSeed(now, app, types, category, locale);
  const size = first ?? DEFAULT_SIZE;
  if (size < 1 || size > MAX_SIZE)
    throw refusedField('first', message('featured.invalid_size', { value: size, count: MAX_SIZE }));
  return loadPublic(await readFeatured(app, types, except ?? [], category, locale, seed, size));
}

builder.queryField('featuredAddons', (t) =>
  t.field({
    type: [Addon],
    description:
      'Featured public add-ons in a random order that changes every ten minutes. Those for locale come before those for all languages.',
    args: {
      app: t.arg({ type: ApplicationEnum, required: true, description: 'The application they are featured for.' }),
      types: t.arg({ type: [AddonTypeEnum], description: 'Only these types.' }),
      category: t.arg.id({
        description: 'Global id of a category of app and one of types: only add-ons featured in it.',
      }),
      categorySlug: t.arg.string({
        description: 'Slug of such a category in any case, or its database id in digits; instead of category.',
      }),
      locale: t.arg.string({
        description: 'Language code: add-ons featured for other languages only are left out. Default: no filter.',
      }),
      first: t.arg.int({
        description:
          'Maximum number of add-ons, from 1 to 50; other numbers are refused with BAD_USER_INPUT. Default: 25.',
      }),
    },
    resolve: (_root, filter, { hiddenTypes }) => listFeatured({ ...filter, except: hiddenTypes }),
  }),
);
