import { canUploadVersion } from '../../auth/permissions.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { addonRights } from '../addons/find-addon.ts';
import type { UploadState } from './load-upload.ts';

interface Known {
  id: number;
  guid: string;
  authors: { accountId: number }[];
}

/** The id of the add-on with each guid, in any case, if the viewer may submit versions of it; else null. */
const submittableAddons = perRequest<string, number | null>(async (guids, { viewer }) => {
  const known = await db.$queryRaw<Known[]>`
    SELECT a.id, a.guid::text, (
      SELECT coalesce(json_agg(json_build_object('accountId', w.account_id)), '[]') FROM addon_author w WHERE w.addon_id = a.id
    ) AS authors
    FROM addon a WHERE a.guid = ANY(${[...guids]}::citext[]) AND a.deleted_at IS NULL`;
  const byGuid = new Map(known.map((addon) => [addon.guid.toLowerCase(), addon]));
  return guids.map((guid) => {
    const addon = byGuid.get(guid.toLowerCase());
    return addon !== undefined && canUploadVersion(viewer, addon.authors) ? addon.id : null;
  });
});

/** The add-on that an upload will be a version of, if the viewer may submit it. */
export async function targetOfUpload(
  context: Context,
  { targetAddonId, guid }: Pick<UploadState, 'targetAddonId' | 'guid'>,
): Promise<number | null> {
  if (targetAddonId !== null) {
    const { authors } = await addonRights(context).load(targetAddonId);
    if (canUploadVersion(context.viewer, authors)) return targetAddonId;
  }
  return guid === null ? null : submittableAddons(context).load(guid);
}
