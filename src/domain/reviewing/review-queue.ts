import { canReview } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { type KeysetPage, keysetClause, keysetConnection } from '../../graphql/connections.ts';
import { db, Prisma } from '../../infra/db.ts';
import { ADDON_TYPES } from '../../package/words.ts';
import { Addon } from '../addons/addon.ts';
import { Version } from '../versions/version.ts';

interface WaitingVersion {
  id: number;
  addonId: number;
  waitingSince: Date;
}

/** Versions `v` of add-ons `a` that wait for a decision the viewer may take. */
function waitingFor(viewer: Viewer): Prisma.Sql {
  const types = ADDON_TYPES.filter((type) => canReview(viewer, { type }, 'listed'));
  const seesUnlisted = canReview(viewer, { type: 'extension' }, 'unlisted');
  return Prisma.sql`FROM version v JOIN addon a ON a.id = v.addon_id
    WHERE v.stage = 'awaiting_review' AND v.deleted_at IS NULL AND a.deleted_at IS NULL
      AND CASE v.channel WHEN 'unlisted' THEN ${seesUnlisted}::bool ELSE a.type = ANY(${types}::text[]) END`;
}

/** Imported versions have no activity, so they wait since their creation. */
const waitingVersions = (viewer: Viewer, page: KeysetPage) => db.$queryRaw<WaitingVersion[]>`
  SELECT v.id, v.addon_id AS "addonId", coalesce((
      SELECT max(r.created) FROM activity r WHERE r.version_id = v.id AND r.action = 'review-requested'
    ), v.created) AS "waitingSince"
  ${waitingFor(viewer)} ${keysetClause('v.id', 'ASC', page)}`;

async function countWaiting(viewer: Viewer): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${waitingFor(viewer)}`;
  return row?.count ?? 0;
}

const ReviewQueueItem = builder.objectRef<WaitingVersion>('ReviewQueueItem').implement({
  description: 'A version that waits for a decision of a reviewer.',
  fields: (t) => ({
    version: t.field({ type: Version, description: 'The version to decide about.', resolve: ({ id }) => id }),
    addon: t.field({ type: Addon, description: 'The add-on of the version.', resolve: ({ addonId }) => addonId }),
    waitingSince: t.expose('waitingSince', { type: 'DateTime', description: 'When the version entered the queue.' }),
  }),
});

builder.queryField('reviewQueue', (t) =>
  t.connection(
    {
      type: ReviewQueueItem,
      description:
        'Versions that the viewer may approve or reject, oldest first. Empty for viewers without reviewer permissions.',
      resolve: async (_root, cursors, { viewer }) => ({
        ...(await keysetConnection(cursors, (page) => waitingVersions(viewer, page))),
        totalCount: () => countWaiting(viewer),
      }),
    },
    {
      name: 'ReviewQueueConnection',
      description: 'One page of the review queue.',
      fields: (connection) => ({ totalCount: connection.int({ resolve: ({ totalCount }) => totalCount() }) }),
    },
    { name: 'ReviewQueueEdge', description: 'A waiting version and its cursor.' },
  ),
);
