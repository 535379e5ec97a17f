import { databaseId } from '../../graphql/global-id.ts';
import { pool, prepared } from '../../infra/db.ts';
import type { AddonType, Application } from '../../package/enums.ts';

const categorySlugs = prepared<{ slug: string }>(
  pool,
  'category-slug',
  `SELECT lower(slug) AS slug FROM category WHERE app = $1 AND type = ANY($2) AND (lower(slug) = $3 OR id = $4)
    ORDER BY id = $4 DESC LIMIT 1`,
);

/**
 * Finds a category of an application and one of the types, by slug in any case, or by database id in digits,
 * which takes precedence over a slug. Returns its slug in lower case, or null. One statement.
 */
export async function findCategorySlug(
  app: Application,
  types: readonly AddonType[],
  category: string,
): Promise<string | null> {
  const name = category.trim().toLowerCase();
  const [found] = await categorySlugs(app, types, name.includes('\0') ? '' : name, databaseId(name));
  return found?.slug ?? null;
}

/** The categories with these database ids. One statement. */
export const findCategories = prepared<{ app: string; type: string; slug: string }>(
  pool,
  'categories-by-id',
  'SELECT app, type, slug FROM category WHERE id = ANY($1)',
);
