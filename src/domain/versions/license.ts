import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { isFound, perRequest, rowsInOrder } from '../../graphql/per-request.ts';
import { db, lookupPool, prepared } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { addonRights, requireVisible } from '../addons/find-addon.ts';
import { Localized } from '../addons/localized.ts';
import { localized } from '../addons/localized-text.ts';
import type { LicenseDocument } from '../addons/version-document.ts';
import { requireVisibleVersion, versionFacts } from './find-version.ts';

const columns = { id: true, builtin: true, name: true, url: true } as const;

/** Licences by id, without access checks: callers check access to the add-on or version. */
const licensesById = perRequest<number, LicenseDocument>(async (ids) => {
  const rows = await db.license.findMany({ where: { id: { in: [...ids] } }, select: columns });
  return rowsInOrder(ids, rows);
});

/** An add-on, or a version of it, that shows a licence. */
interface LicenseUse {
  licenseId: number;
  addonId: number;
  versionId: number | null;
  defaultLocale: string;
}

const readUses = prepared<LicenseUse>(
  lookupPool,
  'license-uses',
  `SELECT license_id AS "licenseId", id AS "addonId", NULL::int AS "versionId", default_locale AS "defaultLocale"
    FROM addon WHERE license_id = ANY($1)
    UNION ALL SELECT v.license_id, v.addon_id, v.id, a.default_locale
    FROM version v JOIN addon a ON a.id = v.addon_id WHERE v.license_id = ANY($1)`,
);

async function isVisible({ addonId, versionId }: LicenseUse, context: Context): Promise<boolean> {
  try {
    const [addon, version] = await Promise.all([
      addonRights(context).load(addonId),
      versionId === null ? null : versionFacts(context).load(versionId),
    ]);
    if (version === null) requireVisible(context.viewer, addon);
    else requireVisibleVersion(context.viewer, addon, version);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns, by licence id, the default language of a visible add-on or version that uses the licence. Licences that the viewer
 * may not see are absent. Always three statements.
 */
async function localesOfVisibleUses(ids: readonly number[], context: Context): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await readUses(ids);
  const visible = await Promise.all(rows.map((use) => isVisible(use, context)));
  return new Map(rows.filter((_use, index) => visible[index]).map((use) => [use.licenseId, use.defaultLocale]));
}

/** The built-in licences among these, and custom ones that are used by an add-on or version which the viewer may see. */
async function loadVisibleLicenses(ids: readonly number[], context: Context): Promise<(LicenseDocument | Error)[]> {
  const licenses = await licensesById(context).loadMany([...ids]);
  const own = licenses.filter(isFound).filter(({ builtin }) => builtin === null);
  const locales = await localesOfVisibleUses(
    own.map(({ id }) => id),
    context,
  );
  return licenses.map((license) => {
    if (license instanceof Error || license.builtin !== null) return license;
    const defaultLocale = locales.get(license.id);
    return defaultLocale === undefined ? new NotFoundError() : { ...license, defaultLocale };
  });
}

/** Licence texts by id. Documents do not contain them, because they are long. */
const licenseTexts = perRequest<number, unknown>(async (ids) => {
  const rows = await db.license.findMany({ where: { id: { in: [...ids] } }, select: { id: true, text: true } });
  const byId = new Map(rows.map(({ id, text }) => [id, text]));
  return ids.map((id) => byId.get(id) ?? {});
});

/** Resolvers of this type may return an id: it is loaded, or an error for viewers without access. */
export const License = loadableNode<LicenseDocument>('License', loadVisibleLicenses);

builder.objectType(License, {
  description: 'A licence that versions are offered under. Viewers see built-in licences and those of visible add-ons.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    builtin: t.exposeString('builtin', {
      nullable: true,
      description: 'SPDX identifier, or all-rights-reserved; null for a custom licence.',
    }),
    isCustom: t.boolean({
      description: 'Whether the developers wrote the text themselves.',
      resolve: ({ builtin }) => builtin === null,
    }),
    name: t.field({
      type: Localized,
      nullable: true,
      description: 'The displayed name; null without one.',
      resolve: ({ name, defaultLocale = config.DEFAULT_LOCALE }) => localized(name, defaultLocale),
    }),
    text: t.field({
      type: Localized,
      nullable: true,
      description: 'The terms, with HTML; null for a licence that only has an address.',
      resolve: async ({ id, text, defaultLocale = config.DEFAULT_LOCALE }, _args, context) =>
        localized(text === undefined ? await licenseTexts(context).load(id) : text, defaultLocale, 'html'),
    }),
    url: t.exposeString('url', { nullable: true, description: 'Address of the terms; null without one.' }),
  }),
});

/** Sets the fallback language of custom texts to that of the add-on. Built-in licences use the default of the site. */
export function inLocaleOf<Found extends LicenseDocument | null>(license: Found, defaultLocale: string): Found {
  return license?.builtin === null ? { ...license, defaultLocale } : license;
}

async function licenseOf(
  context: Context,
  { licenseId, defaultLocale }: { licenseId: number | null; defaultLocale: string },
): Promise<LicenseDocument | null> {
  return licenseId === null ? null : inLocaleOf(await licensesById(context).load(licenseId), defaultLocale);
}

builder.objectField(Addon, 'license', (t) =>
  t.field({
    type: License,
    nullable: true,
    description: 'The licence of the next listed version; null when none was chosen.',
    resolve: (addon, _args, context) => licenseOf(context, addon),
  }),
);

builder.queryField('licenses', (t) =>
  t.field({
    type: [License],
    description: 'The built-in licences, by database id.',
    extensions: { items: 50 },
    resolve: () => db.license.findMany({ where: { builtin: { not: null } }, select: columns, orderBy: { id: 'asc' } }),
  }),
);
