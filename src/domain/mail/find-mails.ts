import { canKeepMail } from '../../auth/operator-permissions.ts';
import { requirePermission } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { type KeysetPage, keysetClause } from '../../graphql/connections.ts';
import { rowsInOrder } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import { comparableText } from '../../infra/storable-text.ts';
import type { NotificationName } from '../../package/enums.ts';
import { message } from '../../texts/messages.ts';
import type { MailAddressing } from './compose-mail.ts';
import { queueDelivery } from './queue-mail.ts';

type MailState = 'queued' | 'sent' | 'failed';

/** A mail of the outbox. */
export interface MailRow extends MailAddressing {
  id: number;
  notification: NotificationName | null;
  text: string;
  html: string;
  state: MailState;
  attempts: number;
  lastError: string | null;
  sent: Date | null;
}

/** Which mails to list: those to an address, in any case, those in a state, and those with a failed attempt. */
interface MailFilter {
  to?: string | null;
  state?: MailState | null;
  isRetried?: true;
}

const COLUMNS = Prisma.sql`id, account_id AS "accountId", address, notification, subject, text, html, headers,
  version_id AS "versionId", state, attempts, last_error AS "lastError", created, sent`;

function matching({ to, state, isRetried }: MailFilter): Prisma.Sql {
  const address = to == null ? null : comparableText(to);
  return Prisma.sql`FROM outgoing_mail WHERE (${address}::text IS NULL OR lower(address) = lower(${address}::text))
    AND (${state ?? null}::text IS NULL OR state = ${state ?? null}::text)
    ${isRetried ? Prisma.sql`AND last_error IS NOT NULL` : Prisma.empty}`;
}

/** One page of the outbox, newest first. Callers check the permission. */
export const listMails = (filter: MailFilter, page: KeysetPage): Promise<MailRow[]> =>
  db.$queryRaw<MailRow[]>`SELECT ${COLUMNS} ${matching(filter)} ${keysetClause('id', 'DESC', page)}`;

/** Number of the mails of the outbox that match. */
export async function countMails(filter: MailFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${matching(filter)}`;
  return row?.count ?? 0;
}

/** The mails with these ids, in their order; an error for unknown ids and for viewers without `Admin:Mail`. */
export async function loadMails(ids: readonly number[], viewer: Viewer): Promise<(MailRow | Error)[]> {
  const rows = canKeepMail(viewer)
    ? await db.$queryRaw<MailRow[]>`SELECT ${COLUMNS} FROM outgoing_mail WHERE id = ANY (${[...ids]}::int[])`
    : [];
  return rowsInOrder(ids, rows);
}

/**
 * Makes a mail due now, with all attempts left. A mail that is on its way stays claimed.
 * @throws {NotAuthenticatedError}, {NotPermittedError} without `Admin:Mail`, {NotFoundError}, {InvalidInputError} for a mail
 * that was sent.
 */
export async function retryMail(viewer: Viewer, id: number): Promise<void> {
  requirePermission(viewer, 'Admin:Mail');
  const mail = await db.outgoingMail.findUnique({ where: { id }, select: { state: true } });
  if (mail === null) throw new NotFoundError();
  if ((await makeDue(Prisma.sql`id = ${id} AND state <> 'sent'`)) === 0) {
    throw new InvalidInputError(message('mail.sent'));
  }
}

/** Makes every dead letter due now. Returns their number. */
export const retryDeadLetters = (): Promise<number> => makeDue(Prisma.sql`state = 'failed'`);

function makeDue(which: Prisma.Sql): Promise<number> {
  return db.$transaction(async (tx) => {
    const count = await tx.$executeRaw`
      UPDATE outgoing_mail SET state = 'queued', attempts = 0, next_attempt = now() WHERE ${which}`;
    if (count > 0) await queueDelivery(tx);
    return count;
  });
}
