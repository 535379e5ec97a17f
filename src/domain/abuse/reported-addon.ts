import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import { Addon } from '../addons/addon.ts';
import { NO_ADDON } from '../addons/find-addon.ts';
import { findVersionByNumber, NO_VERSION } from '../versions/find-version.ts';
import { Version } from '../versions/version.ts';

interface AddonName {
  id: number;
  slug: string | null;
}

const readNames = prepared<AddonName>(
  lookupPool,
  'reported-addons',
  'SELECT id, slug::text FROM addon WHERE id = ANY ($1::int[]) AND deleted_at IS NULL',
);

/** Add-ons that are not deleted; null for others. */
const addonNames = perRequest<number, AddonName | null>(async (ids) => {
  const found = new Map((await readNames(ids)).map((name) => [name.id, name]));
  return ids.map((id) => found.get(id) ?? null);
});

interface ReportedAddonShape {
  guid: string;
  addonId: number | null;
  /** Number of the version that the reporter named. */
  versionNumber: string | undefined;
}

/** The version that the reporter named, if the add-on has it and the viewer may see it. */
async function namedVersion(context: Context, { addonId, versionNumber }: ReportedAddonShape) {
  if (addonId === null || versionNumber === undefined) return null;
  const id = await findVersionByNumber(context, addonId, versionNumber);
  return Version.loadOrNull(context, id ?? NO_VERSION);
}

async function nameOf(context: Context, { addonId }: Pick<ReportedAddonShape, 'addonId'>): Promise<AddonName | null> {
  // For an unknown add-on too: the time does not reveal which add-ons were deleted.
  return addonNames(context).load(addonId ?? NO_ADDON);
}

export const ReportedAddon = builder.objectRef<ReportedAddonShape>('ReportedAddon').implement({
  description: 'The add-on of an abuse report. Reports may be about add-ons that the service does not distribute.',
  fields: (t) => ({
    guid: t.exposeString('guid', { description: 'The guid of the add-on.' }),
    databaseId: t.int({
      nullable: true,
      description: 'The id in REST; null for an unknown or deleted add-on.',
      resolve: async (reported, _args, context) => (await nameOf(context, reported))?.id,
    }),
    slug: t.string({
      nullable: true,
      description: 'The slug; null for an unknown or deleted add-on.',
      resolve: async (reported, _args, context) => (await nameOf(context, reported))?.slug,
    }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on; null if it is unknown or the viewer may not see it.',
      resolve: ({ addonId }, _args, context) => (addonId === null ? null : Addon.loadOrNull(context, addonId)),
    }),
    version: t.field({
      type: Version,
      nullable: true,
      description:
        'The version that the reporter named in `details`; null without one, and if the add-on does not have it or the viewer may not see it.',
      resolve: (reported, _args, context) => namedVersion(context, reported),
    }),
  }),
});
