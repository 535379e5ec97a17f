/* What the review of a version has come to, and what the viewer may do about it now. */
import { canEditAnyAddon, canReview, isAuthor } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { type AddonRights, addonRights } from '../addons/find-addon.ts';
import { NOT_A_VERSION, stagesSql } from '../addons/stages.ts';
import { Version } from '../versions/version.ts';
import { IS_NOTE } from './load-notes.ts';
import { threadOrNull } from './note-queries.ts';
import { REVIEW_ACTS, type ReviewAct } from './review-acts.ts';
import { ReviewNote } from './review-note.ts';

export const ReviewActEnum = enumOf<ReviewAct>('ReviewAct', 'What people do about a version in review.', {
  approve: 'Approves it, which starts signing.',
  reject: 'Rejects it.',
  'request-information': 'Requests information from its developers; it keeps waiting.',
  refer: 'Refers it to an administrator, who then decides about it.',
  reply: 'Writes in the thread, for authors and reviewers.',
  comment: 'Writes in the thread, for reviewers alone.',
});

interface ReviewState {
  id: number;
  addonId: number;
  channel: Channel;
  isWaiting: boolean;
  isReferred: boolean;
  /** Whether it is the newest version of its channel that takes notes. */
  isNewest: boolean;
}

const IS_REVIEWABLE = (version: string) =>
  `${version}.deleted_at IS NULL AND ${version}.stage NOT IN ${stagesSql(NOT_A_VERSION)}`;

const readStates = prepared<ReviewState>(
  lookupPool,
  'review-states',
  `SELECT v.id, v.addon_id AS "addonId", v.channel, q.version_id IS NOT NULL AS "isWaiting",
      coalesce(q.is_referred, false) AS "isReferred", v.id = (
        SELECT n.id FROM version n WHERE n.addon_id = v.addon_id AND n.channel = v.channel AND ${IS_REVIEWABLE('n')}
        ORDER BY n.created DESC, n.id DESC LIMIT 1
      ) AS "isNewest"
    FROM version v LEFT JOIN review_queue q ON q.version_id = v.id WHERE v.id = ANY($1) AND ${IS_REVIEWABLE('v')}`,
);

const reviewStates = perRequest<number, ReviewState | null>(async (ids) => {
  const byId = new Map((await readStates(ids)).map((state) => [state.id, state]));
  return ids.map((id) => byId.get(id) ?? null);
});

/** What a viewer may do about a version in this state (docs/decisions.md D116). */
function possibleActs(viewer: Viewer, addon: AddonRights, state: ReviewState): ReviewAct[] {
  const { channel, isWaiting, isReferred, isNewest } = state;
  const reviews = canReview(viewer, addon, channel);
  const decides = isReferred ? canEditAnyAddon(viewer) : reviews;
  const isPossible: Readonly<Record<ReviewAct, boolean>> = {
    ...{ approve: isWaiting && decides, reject: isWaiting && decides },
    ...{ 'request-information': isWaiting && reviews, refer: isWaiting && reviews },
    ...{ reply: isNewest && (reviews || isAuthor(viewer, addon.authors)), comment: isNewest && reviews },
  };
  return REVIEW_ACTS.filter((act) => isPossible[act]);
}

/** What the viewer may do about the review of a version; nothing about deleted ones. */
async function reviewActsOf(context: Context, versionId: number): Promise<ReviewAct[]> {
  const state = await reviewStates(context).load(versionId);
  if (state === null) return [];
  const addon = await addonRights(context).load(state.addonId);
  return addon.deletedAt === null ? possibleActs(context.viewer, addon, state) : [];
}

builder.objectField(Version, 'reviewActs', (t) =>
  t.field({
    type: [ReviewActEnum],
    description:
      'What the viewer may do about its review now; empty for viewers who are neither authors nor reviewers.',
    resolve: ({ id }, _args, context) => reviewActsOf(context, id),
  }),
);

const readNewest = prepared<{ versionId: number; id: number }>(
  lookupPool,
  'newest-review-notes',
  `SELECT r.version_id AS "versionId", max(r.id) AS id FROM activity r
    JOIN unnest($1::int[], $2::bool[]) AS w(version_id, sees) ON w.version_id = r.version_id
    WHERE ${IS_NOTE} AND (w.sees OR r.action <> 'comment') GROUP BY r.version_id`,
);

const newestNotes = perRequest<number, number | null>(async (versionIds, context) => {
  const threads = await Promise.all(versionIds.map((id) => threadOrNull(context, id)));
  const readable = threads.filter((thread) => thread !== null);
  const rows = await readNewest(
    readable.map(({ versionId }) => versionId),
    readable.map(({ seesComments }) => seesComments),
  );
  const byVersion = new Map(rows.map(({ versionId, id }) => [versionId, id]));
  return versionIds.map((id) => byVersion.get(id) ?? null);
});

builder.objectField(Version, 'newestNote', (t) =>
  t.field({
    type: ReviewNote,
    nullable: true,
    description:
      'The note in the thread of its review that was written last; null without one, and for viewers who may not read the thread. Acts of a review have it in `expected`.',
    resolve: ({ id }, _args, context) => newestNotes(context).load(id),
  }),
);
