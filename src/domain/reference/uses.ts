import { requirePermission } from '../../auth/permissions.ts';
import type { Category as CategoryRow, License as LicenseRow } from '../../generated/prisma/client.ts';
import { builder } from '../../graphql/builder.ts';
import { db } from '../../infra/db.ts';
import { Category } from '../addons/category.ts';
import { ApplicationEnum } from '../addons/enums.ts';
import { License } from '../versions/license.ts';

/* How often reference data is used: what is used cannot be deleted. */

interface Uses {
  addons: number;
  others: number;
}

const NONE: Uses = { addons: 0, others: 0 };

const CategoryUse = builder.objectRef<Uses & { category: CategoryRow }>('CategoryUse').implement({
  description: 'A category, and how often it is used.',
  fields: (t) => ({
    category: t.expose('category', { type: Category, description: 'The category.' }),
    addons: t.exposeInt('addons', { description: 'Add-ons in it, also those that are not public.' }),
    featuredEntries: t.exposeInt('others', { description: 'Places in it where add-ons are featured.' }),
  }),
});

const LicenseUse = builder.objectRef<Uses & { license: LicenseRow }>('BuiltinLicenseUse').implement({
  description: 'A built-in licence, and how often it is used.',
  fields: (t) => ({
    license: t.field({ type: License, description: 'The licence.', resolve: ({ license }) => license }),
    addons: t.exposeInt('addons', { description: 'Add-ons whose next versions get it.' }),
    versions: t.exposeInt('others', { description: 'Versions that were published under it.' }),
  }),
});

builder.queryField('categoryUses', (t) =>
  t.field({
    type: [CategoryUse],
    nullable: true,
    description: 'The categories of an application with their uses, in their order. Requires Admin:Catalogue.',
    args: { app: t.arg({ type: ApplicationEnum, required: true, description: 'The application.' }) },
    extensions: { items: 100 },
    resolve: async (_root, { app }, { viewer }) => {
      requirePermission(viewer, 'Admin:Catalogue');
      const categories = await db.category.findMany({
        where: { app },
        orderBy: [{ type: 'asc' }, { weight: 'desc' }, { slug: 'asc' }],
      });
      const rows = await db.$queryRaw<(Uses & { id: number })[]>`
        SELECT category.id, (SELECT count(*)::int FROM addon_category WHERE category_id = category.id) AS addons,
          (SELECT count(*)::int FROM featured_entry entry JOIN addon ON addon.id = entry.addon_id
            WHERE entry.app = category.app AND entry.category = category.slug AND addon.type = category.type) AS others
        FROM category WHERE app = ${app}`;
      const uses = new Map(rows.map((row) => [row.id, row]));
      return categories.map((category) => ({ ...(uses.get(category.id) ?? NONE), category }));
    },
  }),
);

builder.queryField('licenseUses', (t) =>
  t.field({
    type: [LicenseUse],
    nullable: true,
    description: 'The built-in licences with their uses, in their order. Requires Admin:Catalogue.',
    extensions: { items: 50 },
    resolve: async (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Catalogue');
      const licenses = await db.license.findMany({ where: { builtin: { not: null } }, orderBy: { id: 'asc' } });
      const rows = await db.$queryRaw<(Uses & { id: number })[]>`
        SELECT license.id, (SELECT count(*)::int FROM addon WHERE license_id = license.id) AS addons,
          (SELECT count(*)::int FROM version WHERE license_id = license.id) AS others
        FROM license WHERE builtin IS NOT NULL`;
      const uses = new Map(rows.map((row) => [row.id, row]));
      return licenses.map((license) => ({ ...(uses.get(license.id) ?? NONE), license }));
    },
  }),
);
