import { canModerate } from '../../auth/operator-permissions.ts';
import { NotFoundError } from '../../errors.ts';
import type { AbuseReport as ReportColumns } from '../../generated/prisma/client.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db, lookupPool, prepared } from '../../infra/db.ts';
import { Account } from '../accounts/account.ts';
import { AccountSummary, accountSummary } from '../accounts/account-summary.ts';
import { canSeeAccount } from '../accounts/public-account.ts';
import { Collection } from '../collections/collection.ts';
import { getsLetters } from '../mail/reachable-accounts.ts';
import { Rating } from '../ratings/rating.ts';
import { isDecider, seesReporter } from './report-facts.ts';
import { ReportedAddon } from './reported-addon.ts';

/** What has become of what a report is about. */
const ReportTargetStateEnum = enumOf('AbuseReportTargetState', 'The state of what an abuse report is about.', {
  available: 'An add-on, a collection or a rating that every visitor sees, or an account that can sign in.',
  not_public:
    'An add-on that is incomplete, waits for review or was rejected; a private collection; a rating that waits for a moderator.',
  disabled_by_developers: 'An add-on that its developers have disabled.',
  disabled: 'Disabled by the operator.',
  deleted: 'Deleted.',
  unknown: 'An add-on that this service does not have.',
});

type ReportTargetState = (typeof ReportTargetStateEnum)['$inferType'];

interface FoundState {
  id: number;
  state: ReportTargetState;
}

const readAddons = prepared<FoundState>(
  lookupPool,
  'reported-addon-states',
  `SELECT id, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN status = 'disabled' THEN 'disabled'
     WHEN is_disabled_by_developer THEN 'disabled_by_developers' WHEN status = 'public' THEN 'available'
     ELSE 'not_public' END AS state
   FROM addon WHERE id = ANY ($1::int[])`,
);

const readAccounts = prepared<FoundState>(
  lookupPool,
  'reported-account-states',
  `SELECT id, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' WHEN disabled_at IS NOT NULL THEN 'disabled'
     ELSE 'available' END AS state
   FROM account WHERE id = ANY ($1::int[])`,
);

const readCollections = prepared<FoundState>(
  lookupPool,
  'reported-collection-states',
  `SELECT id, CASE WHEN is_public THEN 'available' ELSE 'not_public' END AS state FROM collection WHERE id = ANY ($1::int[])`,
);

// A reply is deleted with its rating, and on hold with it.
const readRatings = prepared<FoundState>(
  lookupPool,
  'reported-rating-states',
  `SELECT r.id, CASE WHEN r.deleted_at IS NOT NULL OR p.deleted_at IS NOT NULL THEN 'deleted'
     WHEN r.held_at IS NOT NULL OR p.held_at IS NOT NULL THEN 'not_public' ELSE 'available' END AS state
   FROM rating r LEFT JOIN rating p ON p.id = r.reply_to WHERE r.id = ANY ($1::int[])`,
);

const statesWith = (read: typeof readAddons) =>
  perRequest<number, ReportTargetState>(async (ids) => {
    const found = new Map((await read(ids)).map(({ id, state }) => [id, state]));
    return ids.map((id) => found.get(id) ?? 'deleted');
  });

const addonStates = statesWith(readAddons);
const accountStates = statesWith(readAccounts);
const collectionStates = statesWith(readCollections);
const ratingStates = statesWith(readRatings);

/** The state of the target of a report. That about a collection or rating names its account, too. */
async function targetState(
  context: Context,
  { addonId, accountId, collectionId, collectionPath, ratingId }: ReportRow,
): Promise<ReportTargetState> {
  if (ratingId !== null) return ratingStates(context).load(ratingId);
  if (collectionPath !== null) return collectionId === null ? 'deleted' : collectionStates(context).load(collectionId);
  if (accountId !== null) return accountStates(context).load(accountId);
  return addonId === null ? 'unknown' : addonStates(context).load(addonId);
}

/** A report as it is stored. */
export type ReportRow = ReportColumns;

/** The states of a report. */
export const AbuseReportStateEnum = enumOf('AbuseReportState', 'The decision about an abuse report.', {
  open: 'Waits for a decision.',
  valid: 'Justified.',
  dismissed: 'Not justified.',
  duplicate: 'Another report covers the case.',
});

export type AbuseReportState = (typeof AbuseReportStateEnum)['$inferType'];

const ReportedCollection = builder.objectRef<{ id: number | null; path: string }>('ReportedCollection').implement({
  description: 'The collection of an abuse report.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Username of its account and slug, when it was reported.' }),
    databaseId: t.int({
      nullable: true,
      description: 'The id in REST; null for a deleted collection.',
      resolve: ({ id }) => id,
    }),
    collection: t.field({
      type: Collection,
      nullable: true,
      description: 'The collection; null if it is deleted or the viewer may not see it.',
      resolve: ({ id }, _args, context) => (id === null ? null : Collection.loadOrNull(context, id)),
    }),
  }),
});

export const ReportedRating = builder.objectRef<{ id: number }>('ReportedRating').implement({
  description: 'The rating or reply of an abuse report.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'The id in REST.' }),
    rating: t.field({
      type: Rating,
      nullable: true,
      description: 'The rating; null if the viewer may not see it, as most viewers of a deleted one.',
      resolve: ({ id }, _args, context) => Rating.loadOrNull(context, id),
    }),
  }),
});

async function loadReports(ids: readonly number[], { viewer }: Context): Promise<(ReportRow | Error)[]> {
  const rows = canModerate(viewer) ? await db.abuseReport.findMany({ where: { id: { in: [...ids] } } }) : [];
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id) ?? new NotFoundError());
}

/** A report. Resolvers return its row, or an id, which only moderators can load. */
export const AbuseReport = loadableNode<ReportRow>('AbuseReport', loadReports);

/** A field that only moderators see; null for the reporter. */
const forModerators =
  <Value>(read: (report: ReportRow) => Value) =>
  (report: ReportRow, _args: unknown, { viewer }: Context): Value | null =>
    canModerate(viewer) ? read(report) : null;

const ReportRightEnum = enumOf('AbuseReportRight', 'Something that a viewer may do about an abuse report.', {
  decide:
    'Decide about it and reply to its reporter: moderators, unless it is about them, an add-on of theirs or a rating of such an add-on.',
});

/** Whether a reply would be sent. Moderators whom the report is about do not learn it. */
const isReplyPossible = async (report: ReportRow, context: Context): Promise<boolean> =>
  report.reporterId !== null && (await isDecider(context, report)) && (await getsLetters(context, report.reporterId));

const summaryOf = async (context: Context, accountId: number | null) =>
  accountId === null ? null : accountSummary(context, accountId);

AbuseReport.implement({
  description:
    'A report about an add-on, an account, a collection or a rating. Visible to holders of AbuseReports:Edit.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    reporter: t.field({
      type: AccountSummary,
      nullable: true,
      description:
        'Who reported; null for an anonymous reporter, and for moderators whom the report of another is about.',
      resolve: async (report, _args, context) =>
        (await seesReporter(context, report)) ? summaryOf(context, report.reporterId) : null,
    }),
    addon: t.field({
      type: ReportedAddon,
      nullable: true,
      description: 'The reported add-on; null in a report about an account.',
      resolve: ({ addonGuid, addonId, details }) =>
        addonGuid === null
          ? null
          : { guid: addonGuid, addonId, versionNumber: (details as Record<string, string>).addon_version },
    }),
    collection: t.field({
      type: ReportedCollection,
      nullable: true,
      description: 'The reported collection; null in a report about something else.',
      resolve: ({ collectionId, collectionPath }) =>
        collectionPath === null ? null : { id: collectionId, path: collectionPath },
    }),
    rating: t.field({
      type: ReportedRating,
      nullable: true,
      description: 'The reported rating; null in a report about something else.',
      resolve: ({ ratingId }) => (ratingId === null ? null : { id: ratingId }),
    }),
    user: t.field({
      type: AccountSummary,
      nullable: true,
      description:
        'The reported account, or that of the reported collection or rating; null in a report about an add-on.',
      resolve: ({ accountId }, _args, context) => summaryOf(context, accountId),
    }),
    account: t.prismaField({
      type: Account,
      nullable: true,
      description:
        'The reported account; null in a report about an add-on, and when the viewer may not see the account.',
      resolve: async (query, { accountId }, _args, context) =>
        accountId !== null && (await canSeeAccount(context, accountId))
          ? db.account.findUnique({ ...query, where: { id: accountId } })
          : null,
    }),
    targetState: t.field({
      type: ReportTargetStateEnum,
      nullable: true,
      description: 'What has become of what was reported; null for viewers without AbuseReports:Edit.',
      resolve: (report, _args, context) => (canModerate(context.viewer) ? targetState(context, report) : null),
    }),
    message: t.exposeString('message', { description: 'Plain text by the reporter.' }),
    details: t.expose('details', {
      type: 'JSON',
      description:
        "Further facts from the reporter's program, an object of texts: reason, addon_version, app, lang and others.",
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was reported.' }),
    state: t.field({
      type: AbuseReportStateEnum,
      description: 'The decision about the report.',
      resolve: ({ state }) => state as AbuseReportState,
    }),
    decidedBy: t.field({
      type: AccountSummary,
      nullable: true,
      description: 'Who decided; null while the report is open, and for viewers without AbuseReports:Edit.',
      resolve: ({ decidedBy }, _args, context) => (canModerate(context.viewer) ? summaryOf(context, decidedBy) : null),
    }),
    decided: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided; null while the report is open, and for viewers without AbuseReports:Edit.',
      resolve: forModerators(({ decided }) => decided),
    }),
    note: t.string({
      nullable: true,
      description: 'Note of the moderator; null for viewers without AbuseReports:Edit.',
      resolve: forModerators(({ note }) => note),
    }),
    reporterAddress: t.string({
      nullable: true,
      description:
        'IP address of the reporter; null for viewers without AbuseReports:Edit, and for moderators whom the report of another is about.',
      resolve: async (report, _args, context) =>
        canModerate(context.viewer) && (await seesReporter(context, report)) ? report.ipAddress : null,
    }),
    viewerRights: t.field({
      type: [ReportRightEnum],
      description: 'What the viewer may do about it, for front ends that offer only that.',
      resolve: async (report, _args, context) => ((await isDecider(context, report)) ? ['decide' as const] : []),
    }),
    isReplyPossible: t.boolean({
      description:
        'Whether the viewer decides about it and its reporter has an account that gets mails, so that replyToAbuseReport sends one.',
      resolve: (report, _args, context) => isReplyPossible(report, context),
    }),
  }),
});
