import { isReviewer } from '../../auth/review-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { builder } from '../../graphql/builder.ts';
import { type KeysetPage, keysetConnection } from '../../graphql/connections.ts';
import { idOf } from '../../graphql/global-id.ts';
import { givenFields } from '../../graphql/mutation.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { AccountRefInput, accountKey } from '../accounts/account-ref.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { NOTE_COLUMNS, type NoteRow } from './load-notes.ts';
import { inspectableVersions } from './load-review-facts.ts';
import type { NoteAction } from './note-actions.ts';
import { ReviewActionEnum, ReviewNote } from './review-note.ts';

/** What reviewers and the service do in reviews; the condition of the index `activity_review_log`. */
const LOGGED = Prisma.sql`r.action IN ('approved', 'rejected', 'more-information-requested', 'super-review-requested', 'comment')`;

interface LogFilter {
  reviewer?: { id: number } | { username: string };
  actions?: readonly NoteAction[];
  addon?: AddonRef;
  /** Days in UTC, the last one included. */
  from?: string;
  to?: string;
}

const ReviewLogFilter = builder.inputType('ReviewLogFilter', {
  description: 'Selects entries of the review log; absent conditions select everything.',
  fields: (t) => ({
    reviewer: t.field({ type: AccountRefInput, description: 'Who acted.' }),
    actions: t.field({ type: [ReviewActionEnum], description: 'What was done.' }),
    addon: t.field({ type: AddonRefInput, description: 'The add-on.' }),
    from: t.field({ type: 'Date', description: 'The first day, in UTC.' }),
    to: t.field({ type: 'Date', description: 'The last day, in UTC.' }),
  }),
});

function filterOf(given: typeof ReviewLogFilter.$inferInput | null | undefined): LogFilter {
  const { reviewer, ...same } = givenFields(given ?? {});
  return { ...same, ...(reviewer && { reviewer: accountKey(reviewer) }) };
}

const CONDITIONS: { [Name in keyof LogFilter]-?: (value: NonNullable<LogFilter[Name]>) => Prisma.Sql } = {
  reviewer: (key) =>
    'id' in key
      ? Prisma.sql`r.account_id = ${key.id}::int`
      : Prisma.sql`r.account_id = (SELECT id FROM account WHERE username = ${comparableText(key.username)}::citext)`,
  actions: (actions) => Prisma.sql`r.action = ANY(${[...actions]}::text[])`,
  addon: (by) => Prisma.sql`r.addon_id = (SELECT id FROM addon WHERE ${addonIs(by)})`,
  from: (day) => Prisma.sql`r.created >= ${day}::date::timestamp AT TIME ZONE 'UTC'`,
  to: (day) => Prisma.sql`r.created < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'`,
};

function addonIs({ id, databaseId, slug, guid }: AddonRef): Prisma.Sql {
  if (id != null) return Prisma.sql`id = ${idOf('Addon', id)}::int`;
  if (databaseId != null) return Prisma.sql`id = ${databaseId}::int`;
  return slug != null
    ? Prisma.sql`slug = ${comparableText(slug)}::citext`
    : Prisma.sql`guid = ${comparableText(guid ?? '')}::citext`;
}

/** A page of the log, newest first unless inverted. */
function readLog(
  viewer: Viewer,
  filter: LogFilter,
  { after, before, limit, inverted }: KeysetPage,
): Promise<NoteRow[]> {
  const conditions = Object.entries(filter).map(([name, value]) =>
    (CONDITIONS[name as keyof LogFilter] as (value: unknown) => Prisma.Sql)(value),
  );
  const place = (id: number) => Prisma.sql`(SELECT p.created, p.id FROM activity p WHERE p.id = ${id})`;
  const order = Prisma.raw(inverted ? 'ASC' : 'DESC');
  return db.$queryRaw<NoteRow[]>`
    SELECT ${Prisma.raw(NOTE_COLUMNS)} FROM activity r JOIN version v ON v.id = r.version_id JOIN addon a ON a.id = v.addon_id
    WHERE ${LOGGED} AND ${inspectableVersions(viewer)} AND ${Prisma.join([Prisma.sql`true`, ...conditions], ' AND ')}
      ${after === null ? Prisma.empty : Prisma.sql`AND (r.created, r.id) < ${place(after)}`}
      ${before === null ? Prisma.empty : Prisma.sql`AND (r.created, r.id) > ${place(before)}`}
    ORDER BY r.created ${order}, r.id ${order} LIMIT ${limit}`;
}

builder.queryField('reviewLog', (t) =>
  t.connection(
    {
      type: ReviewNote,
      description:
        'Decisions, requests, referrals and comments about versions that the viewer may review, newest first. Empty for viewers without reviewer permissions.',
      args: { filter: t.arg({ type: ReviewLogFilter, description: 'Selects entries.' }) },
      resolve: (_root, { filter: given, ...cursors }, { viewer }) => {
        const filter = filterOf(given);
        return keysetConnection('reviewLog', cursors, async (page) =>
          isReviewer(viewer) ? readLog(viewer, filter, page) : [],
        );
      },
    },
    { name: 'ReviewLogConnection', description: 'One page of the review log.' },
    { name: 'ReviewLogEdge', description: 'An entry and its cursor.' },
  ),
);
