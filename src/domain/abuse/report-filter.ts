/* Conditions for abuse reports: the filter of their lists and counts. */
import { refusedField } from '../../errors.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import { message } from '../../texts/messages.ts';
import { type AccountRef, AccountRefInput, accountKey } from '../accounts/account-ref.ts';
import { type AddonRef, AddonRefInput } from '../addons/addon-ref.ts';
import { addonChoices } from '../ratings/moderated-addon.ts';
import { AbuseReportStateEnum } from './abuse-report.ts';
import { accountChoice, type ReportPart } from './named-accounts.ts';
import { isDecidableBy, showsReporterTo } from './report-facts.ts';

const AbuseReportTargetEnum = enumOf('AbuseReportTarget', 'What reports are about.', {
  addon: 'Add-ons of this service.',
  unknown_addon: 'Add-ons that this service did not have when they were reported.',
  account: 'Accounts.',
  collection: 'Collections.',
  rating: 'Ratings, and replies to them.',
});

export const AbuseReportFilter = builder.inputType('AbuseReportFilter', {
  description: 'Conditions for abuse reports; a report must match all of them.',
  fields: (t) => ({
    state: t.field({ type: AbuseReportStateEnum, description: 'The state of the report.' }),
    addon: t.field({ type: AddonRefInput, description: 'The reported add-on.' }),
    addonNamed: t.string({
      description:
        'The reported add-on, as `moderatedAddon` chooses it; no report matches a text that names none or several.',
    }),
    account: t.field({ type: AccountRefInput, description: 'The reported account.' }),
    accountNamed: t.string({
      description:
        'The reported account, as `moderatedAccount` chooses it; no report matches a text that names none or several.',
    }),
    reporter: t.field({
      type: AccountRefInput,
      description: 'Who has sent the report. Only reports that show it to the viewer match.',
    }),
    reporterNamed: t.string({
      description:
        'Who has sent the report, as `moderatedAccount` chooses it; no report matches a text that names none or several.',
    }),
    collection: t.id({ description: 'Global id of the reported collection.' }),
    rating: t.id({ description: 'Global id of the reported rating or reply.' }),
    decidedBy: t.field({ type: AccountRefInput, description: 'The moderator who made the present decision.' }),
    target: t.field({ type: AbuseReportTargetEnum, description: 'What they are about.' }),
    olderThanHours: t.int({ description: 'Only reports that were sent longer ago than this, in hours.' }),
    isDecidable: t.boolean({
      description:
        'Only reports that the viewer decides about, or only the others: those about the viewer, an add-on of the viewer or a rating of such an add-on.',
    }),
  }),
});

export type ReportFilter = typeof AbuseReportFilter.$inferInput;

const TARGETS = {
  addon: Prisma.sql`r.addon_id IS NOT NULL`,
  unknown_addon: Prisma.sql`r.addon_guid IS NOT NULL AND r.addon_id IS NULL`,
  account: Prisma.sql`r.account_id IS NOT NULL AND r.collection_path IS NULL AND r.rating_id IS NULL`,
  collection: Prisma.sql`r.collection_path IS NOT NULL`,
  rating: Prisma.sql`r.rating_id IS NOT NULL`,
};

/** Longer than any report waits; PostgreSQL refuses times long before our era. */
const MAX_HOURS = 1_000_000;

const EVERY = Prisma.sql`true`;

/** SQL: the report `r` is about an add-on. A report about a guid may be older than the add-on. */
function isAboutAddon({ id, databaseId, slug, guid }: AddonRef): Prisma.Sql {
  if (id != null) return Prisma.sql`r.addon_id = ${idOf('Addon', id, 'addon')}`;
  if (databaseId != null) return Prisma.sql`r.addon_id = ${databaseId}`;
  if (guid == null)
    return Prisma.sql`r.addon_id IN (SELECT id FROM addon WHERE slug = ${comparableText(slug ?? '')}::citext)`;
  return Prisma.sql`(lower(r.addon_guid) = lower(${comparableText(guid)})
    OR r.addon_id IN (SELECT id FROM addon WHERE guid = ${comparableText(guid)}::citext))`;
}

/** SQL: the report `r` is about the add-on that a text names, or about one with the text as its guid, which the service need not have. */
export async function isAboutNamed(context: Context, typed: string): Promise<Prisma.Sql> {
  const { chosen, text } = await addonChoices(context).load(typed);
  const isUnknown = Prisma.sql`lower(r.addon_guid) = lower(${text})`;
  if (chosen === null) return isUnknown;
  return Prisma.sql`(r.addon_id = ${chosen.id} OR ${isUnknown}
    OR lower(r.addon_guid) = (SELECT lower(a.guid::text) FROM addon a WHERE a.id = ${chosen.id}))`;
}

/** SQL: the column of `r` has the id of an account. */
function isAccount(column: 'account_id' | 'decided_by' | 'reporter_id', by: AccountRef, field: string): Prisma.Sql {
  const key = accountKey(by, field);
  const id = Prisma.raw(`r.${column}`);
  if ('id' in key) return Prisma.sql`${id} = ${key.id}`;
  return Prisma.sql`${id} IN (SELECT id FROM account WHERE username = ${comparableText(key.username)}::citext)`;
}

/** SQL: the column of `r` has the id of the account that a text names. */
async function isNamed(context: Context, part: ReportPart, text: string): Promise<Prisma.Sql> {
  const { chosen } = await accountChoice(context, part, text);
  const column = Prisma.raw(part === 'reported' ? 'r.account_id' : 'r.reporter_id');
  return chosen === null ? Prisma.sql`false` : Prisma.sql`${column} = ${chosen}`;
}

function isOlderThan(hours: number): Prisma.Sql {
  if (hours < 0) throw refusedField('olderThanHours', message('field.negative'));
  return Prisma.sql`r.created < now() - make_interval(hours => ${Math.min(hours, MAX_HOURS)}::int)`;
}

/** SQL: the report `r` matches the filter. Reports that do not show their sender match no condition about it. */
export async function isMatching(context: Context, filter: ReportFilter): Promise<Prisma.Sql> {
  const { viewer } = context;
  const { state, addon, addonNamed, account, accountNamed, reporter, reporterNamed, decidedBy } = filter;
  const { collection, rating, target, olderThanHours, isDecidable } = filter;
  const conditions = [
    ...(state == null ? [] : [Prisma.sql`r.state = ${state}`]),
    ...(addon == null ? [] : [isAboutAddon(addon)]),
    ...(addonNamed == null ? [] : [await isAboutNamed(context, addonNamed)]),
    ...(account == null ? [] : [isAccount('account_id', account, 'account')]),
    ...(accountNamed == null ? [] : [await isNamed(context, 'reported', accountNamed)]),
    ...(reporter == null ? [] : [isAccount('reporter_id', reporter, 'reporter')]),
    ...(reporterNamed == null ? [] : [await isNamed(context, 'reporter', reporterNamed)]),
    ...(reporter == null && reporterNamed == null ? [] : [showsReporterTo(viewer)]),
    ...(decidedBy == null ? [] : [isAccount('decided_by', decidedBy, 'decidedBy')]),
    ...(collection == null ? [] : [Prisma.sql`r.collection_id = ${idOf('Collection', collection, 'collection')}`]),
    ...(rating == null ? [] : [Prisma.sql`r.rating_id = ${idOf('Rating', rating, 'rating')}`]),
    ...(target == null ? [] : [TARGETS[target]]),
    ...(olderThanHours == null ? [] : [isOlderThan(olderThanHours)]),
    ...(isDecidable == null ? [] : [Prisma.sql`${isDecidableBy(viewer)} = ${isDecidable}`]),
  ];
  return Prisma.join([EVERY, ...conditions], ' AND ');
}
