import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { idOf } from '../../graphql/global-id.ts';
import { db } from '../../infra/db.ts';
import { networkOf } from '../../infra/network.ts';
import { consumeLimit } from '../../infra/rate-limits.ts';
import { isGuid } from '../../package/manifest/identity.ts';
import { type AccountRef, accountKey } from '../accounts/account-ref.ts';
import { recordActivity } from '../activity/record-activity.ts';
import type { AddonRef } from '../addons/addon-ref.ts';
import { findAddonRights } from '../addons/find-addon.ts';
import type { ReportRow } from './abuse-report.ts';
import { type ReportKind, type ReportTarget, readAbuseReport } from './read-report.ts';

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
  const found = 'addon' in target ? await reportedAddon(context, target.addon) : await reportedAccount(target.account);
  const reporterId = context.viewer.kind === 'account' ? context.viewer.accountId : null;
  return db.$transaction(async (tx) => {
    const report = await tx.abuseReport.create({ data: { ...found, ...texts, reporterId, ipAddress: context.ip } });
    await recordActivity(tx, { action: 'abuse-reported', accountId: reporterId, details: { reportId: report.id } });
    return report;
  });
}

type Target = { addonGuid: string; addonId: number | null } | { accountId: number };

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
