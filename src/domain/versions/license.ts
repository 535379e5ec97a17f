import { config } from '../../config.ts';
import { NotFoundError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { Localized } from '../../graphql/localized.ts';
import { isFound, perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { localized } from '../addons/localized-text.ts';
import type { LicenseDocument } from '../addons/version-document.ts';
import { localesOfVisibleUses } from './license-uses.ts';

const columns = { id: true, builtin: true, name: true, url: true } as const;

/** Licences by id, whoever asks: for what shows them to those who see it. */
const knownLicenses = perRequest<number, LicenseDocument>(async (ids) => {
  const rows = await db.license.findMany({ where: { id: { in: [...ids] } }, select: columns });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? new NotFoundError());
});

/** The built-in ones among these, and those of the developers’ own that something is offered under that the viewer may see. */
async function loadVisibleLicenses(ids: readonly number[], context: Context): Promise<(LicenseDocument | Error)[]> {
  const licenses = await knownLicenses(context).loadMany([...ids]);
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

/** The texts of licences by id: long, and part of no document. */
const licenseTexts = perRequest<number, unknown>(async (ids) => {
  const rows = await db.license.findMany({ where: { id: { in: [...ids] } }, select: { id: true, text: true } });
  const byId = new Map(rows.map(({ id, text }) => [id, text]));
  return ids.map((id) => byId.get(id) ?? {});
});

/** An id of a licence where fields of this type are resolved is loaded, if the viewer may see it; else it is an error. */
export const License = loadableNode<LicenseDocument>('License', loadVisibleLicenses);

builder.objectType(License, {
  description: 'A licence that versions are offered under.',
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    builtin: t.exposeString('builtin', { nullable: true, description: 'SPDX identifier of a built-in licence.' }),
    isCustom: t.boolean({
      description: 'Whether its text is the developer’s own.',
      resolve: ({ builtin }) => builtin === null,
    }),
    name: t.field({
      type: Localized,
      nullable: true,
      resolve: ({ name, defaultLocale = config.DEFAULT_LOCALE }) => localized(name, defaultLocale),
    }),
    text: t.field({
      type: Localized,
      nullable: true,
      resolve: async ({ id, text, defaultLocale = config.DEFAULT_LOCALE }, _args, context) =>
        localized(text === undefined ? await licenseTexts(context).load(id) : text, defaultLocale),
    }),
    url: t.exposeString('url', { nullable: true }),
  }),
});

/** Makes the rest of a request see what a mutation in it has changed. */
export function forgetLicense(context: Context, id: number): void {
  knownLicenses(context).clear(id);
  licenseTexts(context).clear(id);
  License.getDataloader(context).clear(id);
}

/** Where a licence belongs to an add-on or a version, its own texts fall back to the language of that. */
export function inLocaleOf<Found extends LicenseDocument | null>(license: Found, defaultLocale: string): Found {
  // Built-in ones belong to no add-on: they fall back to the language of the site.
  return license?.builtin === null ? { ...license, defaultLocale } : license;
}

/** The licence of an add-on that the viewer sees. */
async function licenseOf(
  context: Context,
  { licenseId, defaultLocale }: { licenseId: number | null; defaultLocale: string },
): Promise<LicenseDocument | null> {
  return licenseId === null ? null : inLocaleOf(await knownLicenses(context).load(licenseId), defaultLocale);
}

builder.objectField(Addon, 'license', (t) =>
  t.field({
    type: License,
    nullable: true,
    description: 'The licence that the next listed version gets.',
    resolve: (addon, _args, context) => licenseOf(context, addon),
  }),
);

builder.queryField('licenses', (t) =>
  t.field({
    type: [License],
    description: 'The built-in licences.',
    resolve: () => db.license.findMany({ where: { builtin: { not: null } }, select: columns, orderBy: { id: 'asc' } }),
  }),
);
