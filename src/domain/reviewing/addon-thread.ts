/* The threads of all versions of an add-on as one. */
import { canReadReviewerComments, canReadReviewNotes } from '../../auth/review-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { keysetConnection, pageLoader } from '../../graphql/connections.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';
import type { Channel } from '../../package/enums.ts';
import { Addon } from '../addons/addon.ts';
import { type AddonRights, addonRights } from '../addons/find-addon.ts';
import { IS_NOTE, NOTE_COLUMNS, type NoteRow, shownTo } from './load-notes.ts';
import { ReviewNoteConnection } from './note-queries.ts';
import { ReviewNote } from './review-note.ts';

const CHANNELS: readonly Channel[] = ['listed', 'unlisted'];

/** All versions of a channel: readers of the referral of one of them do not read the threads of the others. */
const allOf = (channel: Channel) => ({ channel, isInReferral: false });

/** The channels of an add-on whose threads the viewer reads; none of a deleted one. */
export const readableChannels = (viewer: Viewer, addon: AddonRights): Channel[] =>
  addon.deletedAt === null ? CHANNELS.filter((channel) => canReadReviewNotes(viewer, addon, allOf(channel))) : [];

type ThreadRow = NoteRow & { parentId: number; sees: boolean };

/**
 * SQL: notes of the add-on `of.addon_id`. $1 to $3 are add-ons, their readable channels and whether the viewer sees the comments
 * between the reviewers of each.
 */
const OF_ADDON = `FROM activity r JOIN version v ON v.id = r.version_id
  JOIN unnest($1::int[], $2::text[], $3::bool[]) AS w(addon_id, channel, sees)
    ON w.addon_id = of.addon_id AND w.channel = v.channel
  WHERE r.addon_id = of.addon_id AND ${IS_NOTE} AND (w.sees OR r.action <> 'comment') AND v.deleted_at IS NULL`;

const position = (id: string) =>
  `(SELECT p.created, p.id FROM activity p WHERE p.id = ${id} AND p.addon_id = of.addon_id)`;

const selectNotes = (name: string, direction: 'ASC' | 'DESC') =>
  prepared<ThreadRow>(
    lookupPool,
    name,
    `SELECT of.addon_id AS "parentId", n.* FROM (SELECT DISTINCT unnest($1::int[]) AS addon_id) of
     CROSS JOIN LATERAL (
       SELECT ${NOTE_COLUMNS}, w.sees ${OF_ADDON}
         AND ($4::int IS NULL OR (r.created, r.id) < ${position('$4')})
         AND ($5::int IS NULL OR (r.created, r.id) > ${position('$5')})
       ORDER BY r.created ${direction}, r.id ${direction} LIMIT $6) n`,
  );

const [newestFirst, oldestFirst] = [selectNotes('addon-notes', 'DESC'), selectNotes('addon-notes-reversed', 'ASC')];

/** The arguments $1 to $3 of `OF_ADDON`. */
async function readableOf(context: Context, addonIds: readonly number[]) {
  const addons = await Promise.all(addonIds.map((id) => addonRights(context).load(id)));
  const rows = addons.flatMap((addon) =>
    readableChannels(context.viewer, addon).map((channel) => ({ addon, channel })),
  );
  return [
    rows.map(({ addon }) => addon.id),
    rows.map(({ channel }) => channel),
    rows.map(({ addon, channel }) => canReadReviewerComments(context.viewer, addon, allOf(channel))),
  ] as const;
}

const notes = pageLoader<ThreadRow>(async (addonIds, { after, before, limit, inverted }, context) => {
  const read = inverted ? oldestFirst : newestFirst;
  const rows = await read(...(await readableOf(context, addonIds)), after, before, limit);
  return rows.map(({ sees, parentId, ...note }) => ({ ...shownTo(note, sees), parentId, sees }));
});

const countNotes = prepared<{ addonId: number; count: number }>(
  lookupPool,
  'count-addon-notes',
  `SELECT of.addon_id AS "addonId", (SELECT count(*)::int ${OF_ADDON}) AS count
   FROM (SELECT DISTINCT unnest($1::int[]) AS addon_id) of`,
);

const noteCounts = perRequest<number, number>(async (addonIds, context) => {
  const rows = await countNotes(...(await readableOf(context, addonIds)));
  const byAddon = new Map(rows.map(({ addonId, count }) => [addonId, count]));
  return addonIds.map((id) => byAddon.get(id) ?? 0);
});

builder.objectField(Addon, 'thread', (t) =>
  t.connection(
    {
      type: ReviewNote,
      nullable: true,
      description:
        'The threads of all its versions that are not deleted as one, newest first. Null for viewers who are neither authors of the add-on nor reviewers; reviewers of one channel read that of its versions.',
      resolve: async ({ id }, cursors, context) => {
        if (readableChannels(context.viewer, await addonRights(context).load(id)).length === 0) return null;
        const page = await keysetConnection(`Addon.thread/${id}`, cursors, (keys) => notes(context, id, keys));
        const countAll = () => noteCounts(context).load(id);
        return { ...page, countAll };
      },
    },
    ReviewNoteConnection,
  ),
);
