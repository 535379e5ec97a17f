import { z } from 'zod';
import { NotAuthenticatedError, NotFoundError, NotPermittedError, refusedFields } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { accountReference, addonReference, collectionReference, ratingReference } from '../../graphql/references.ts';
import { db } from '../../infra/db.ts';
import { networkOf } from '../../infra/network.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { storableText } from '../../infra/storable-text.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { type Message, message } from '../../texts/messages.ts';
import { type AccountRef, accountKey } from '../accounts/account-ref.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { findAddonRights } from '../addons/find-addon.ts';
import { type CollectionRef, findCollection } from '../collections/find-collection.ts';
import { findRating } from '../ratings/write-rating.ts';
import type { ReportRow } from './abuse-report.ts';

/** What a report is about; also the name of the value that names it. */
type ReportKind = 'addon' | 'user' | 'collection' | 'rating';

/** What is reported. */
type ReportTarget =
  | { addon: AddonRef }
  | { account: AccountRef }
  | { collection: CollectionRef }
  | { rating: { id: string } };

/** The checked values of a report. */
interface ReportValues {
  target: ReportTarget;
  message: string;
  /** What the reporter's program sent in addition, by name. */
  details: Record<string, string>;
}

const MAX_MESSAGE = 10_000;

/** Maximum lengths of the values that programs of reporters send in addition, in characters. Longer ones are cut. */
const DETAILS: Readonly<Record<string, number>> = {
  reason: 255,
  location: 255,
  lang: 35,
  app: 50,
  appversion: 50,
  operating_system: 50,
  operating_system_version: 50,
  report_entry_point: 50,
  addon_name: 255,
  addon_summary: 1000,
  addon_version: 255,
  addon_signature: 50,
  addon_install_method: 50,
  addon_install_origin: 1000,
  addon_install_source: 50,
  addon_install_source_url: 1000,
  install_date: 50,
};

const BLANK = message('field.blank');

/** The options of a check whose refusal is `problem`; later checks of the value do not run. */
const refusal = (problem: Message) => ({ params: { ...problem }, abort: true });

const text = z
  .string()
  .trim()
  .refine((text) => text !== '', refusal(BLANK));
const reportText = text
  .refine((text) => !text.includes('\0'), refusal(message('field.nul_characters')))
  .refine(
    (text) => [...text].length <= MAX_MESSAGE,
    refusal(message('abuse.message_too_long', { count: MAX_MESSAGE })),
  );
/** An id may be a JSON number. */
const targetName = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), text);

function problemOf(issue: z.core.$ZodIssue): Message {
  if (issue.code === 'custom') return issue.params as Message & typeof issue.params;
  if (issue.input === undefined) return message('field.required');
  return message(issue.input === null ? 'field.null' : 'field.not_text');
}

/**
 * Reads the values of a report (docs/decisions.md D109). Additional values of other types are ignored. Without `target`, the value of
 * the name `kind` is the target.
 * @throws {InvalidInputError} with the messages of all values at fault.
 */
function readAbuseReport(kind: ReportKind, values: ReadonlyMap<string, unknown>, target?: ReportTarget): ReportValues {
  const naming: Partial<Record<ReportKind, typeof targetName>> = target === undefined ? { [kind]: targetName } : {};
  const schema = z.object({ ...naming, message: reportText });
  const { data, error } = schema.safeParse(Object.fromEntries(values), { reportInput: true });
  const blank = target !== undefined && isBlank(target) ? Object.keys(target) : [];
  const refused = error?.issues.map((issue): [string, Message] => [String(issue.path[0]), problemOf(issue)]) ?? [];
  const problems = new Map([...blank.map((name): [string, Message] => [name, BLANK]), ...refused]);
  if (data === undefined || problems.size > 0) throw refusedFields(problems);
  const named = target ?? targetNamed(kind, String(data[kind]).toWellFormed());
  return { target: named, message: data.message.toWellFormed(), details: detailsOf(values) };
}

/** Whether a text names the target and is blank. */
const isBlank = (target: ReportTarget): boolean =>
  Object.values(target)
    .flatMap((named: object) => Object.values(named))
    .some((name) => typeof name === 'string' && name.trim() === '');

function targetNamed(kind: ReportKind, name: string): ReportTarget {
  if (kind === 'addon') return { addon: addonReference(name) };
  if (kind === 'user') return { account: accountReference(name) };
  return kind === 'collection' ? { collection: collectionReference(name) } : { rating: ratingReference(name) };
}

function detailsOf(values: ReadonlyMap<string, unknown>): Record<string, string> {
  const kept = Object.entries(DETAILS).flatMap(([name, length]): [string, string][] => {
    const value = values.get(name);
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const text = storableText(String(value)).trim();
    return text === '' ? [] : [[name, [...text.slice(0, 2 * length)].slice(0, length).join('')]];
  });
  return Object.fromEntries(kept);
}

/** The requests whose report is counted already. */
const counted = new WeakSet<Context>();

/** Counts a report by the account, else by the address, of a request. @throws {ThrottledError} above the limit (docs/decisions.md D111). */
function countReport({ viewer, ip }: Context): Promise<void> {
  const key = viewer.kind === 'account' ? `account-${viewer.accountId}` : networkOf(ip ?? '');
  return consumeLimit('abuse-report-day', key);
}

/**
 * Counts the one report of a request before its body is read; `submitReport` does not count it again.
 * @throws {ThrottledError} above the limit.
 */
export async function checkReportLimit(context: Context): Promise<void> {
  await countReport(context);
  counted.add(context);
}

/**
 * Stores an abuse report of the viewer, who may be anonymous (docs/decisions.md D109, D110). `values` are those that the client sent;
 * they name the target unless it is passed.
 * @throws {ThrottledError} above the limit, {InvalidInputError} with the messages of all values at fault, {NotFoundError} for
 * an unknown target. An add-on whose guid is unknown can be reported.
 */
export async function submitReport(
  context: Context,
  kind: ReportKind,
  values: ReadonlyMap<string, unknown>,
  named?: ReportTarget,
): Promise<ReportRow> {
  if (!counted.delete(context)) await countReport(context);
  const { target, ...texts } = readAbuseReport(kind, values, named);
  const found = await targetOf(context, target);
  const reporterId = context.viewer.kind === 'account' ? context.viewer.accountId : null;
  return db.$transaction(async (tx) => {
    const report = await tx.abuseReport.create({ data: { ...found, ...texts, reporterId, ipAddress: context.ip } });
    await recordActivity(tx, { action: 'abuse-reported', accountId: reporterId, details: { reportId: report.id } });
    return report;
  });
}

type Target =
  | { addonGuid: string; addonId: number | null }
  | { accountId: number }
  | { accountId: number; collectionId: number; collectionPath: string }
  | { accountId: number; ratingId: number };

function targetOf(context: Context, target: ReportTarget): Promise<Target> {
  if ('addon' in target) return reportedAddon(context, target.addon);
  if ('account' in target) return reportedAccount(target.account);
  if ('rating' in target) return reportedRating(context, target.rating.id);
  return reportedCollection(context, target.collection);
}

/** What a reporter may not read is unknown. */
function hidden(error: unknown): never {
  if (error instanceof NotAuthenticatedError || error instanceof NotPermittedError) throw new NotFoundError();
  throw error;
}

/** A rating or reply that the reporter sees, with its writer, about whom moderators decide. */
async function reportedRating(context: Context, id: string): Promise<Target> {
  const { id: ratingId, accountId } = await findRating(context, idOf('Rating', id)).catch(hidden);
  return { accountId, ratingId };
}

/** A collection that the reporter sees, with its account, about which moderators decide. */
async function reportedCollection({ viewer }: Context, by: CollectionRef): Promise<Target> {
  const { id, accountId, username, slug } = await findCollection(viewer, by).catch(hidden);
  return { accountId, collectionId: id, collectionPath: `${username}/${slug}` };
}

/**
 * An add-on in any state. A deleted one is found by its guid only, which stays as the reporter wrote it: the response is that about an
 * unknown guid.
 */
async function reportedAddon(context: Context, named: AddonRef): Promise<Target> {
  const by = named.id == null ? named : { databaseId: idOf('Addon', named.id, 'addon') };
  const rights = await findAddonRights(context, by).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    return null;
  });
  if (rights === null || rights.deletedAt !== null) {
    const { guid } = named;
    if (guid != null && isGuid(guid)) return { addonGuid: guid, addonId: rights?.id ?? null };
    throw new NotFoundError();
  }
  const { guid } = await db.addon.findUniqueOrThrow({ where: { id: rights.id }, select: { guid: true } });
  return { addonGuid: guid, addonId: rights.id };
}

async function reportedAccount(by: AccountRef): Promise<Target> {
  const where = accountKey(by, 'account');
  if ('username' in where && where.username.includes('\0')) throw new NotFoundError();
  const account = await db.account.findUnique({ where, select: { id: true, deletedAt: true } });
  if (account === null || account.deletedAt !== null) throw new NotFoundError();
  return { accountId: account.id };
}
