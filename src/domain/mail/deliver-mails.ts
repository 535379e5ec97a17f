/*
 * The job that sends the mails of the outbox. Jobs of its queue run one after the other. A mail is claimed in the database
 * before it is sent and marked after the server has accepted it. A worker that dies in between leaves a claim that runs out,
 * after which the mail is sent again with the same Message-ID.
 */
import { setTimeout } from 'node:timers/promises';
import { config } from '../../config.ts';
import { isDatabaseOutage } from '../../infra/database-errors.ts';
import { db, Prisma } from '../../infra/db.ts';
import type { log } from '../../infra/log.ts';
import { DeliveryError, type MailServer, openMailServer } from '../../infra/mail-server.ts';
import { settleAll } from '../../infra/settle-all.ts';
import { storableText } from '../../infra/storable-text.ts';
import { deliverMailsTask, enqueue } from '../../jobs/tasks.ts';
import { type MailAddressing, mailHeaders } from './compose-mail.ts';
import { isSendable, mailSender } from './mail-settings.ts';
import { getsMail, SWITCHABLE } from './notification-types.ts';

/** Mails on their way at the same time. */
const CONNECTIONS = 4;
/** A claim is renewed while its mail is on its way. */
const LEASE_SECONDS = 20;
const RENEW_MS = 5_000;
/** A job that ran for much longer would count as overdue. `reconcileMails` enqueues the next one. */
const MAX_RUN_MS = 300_000;
/** Attempts before a mail becomes a dead letter: about a day and a half. */
export const MAX_ATTEMPTS = 12;
/** Between a failed attempt and the next one. */
export const RETRY_SECONDS = { first: 5, most: 43_200 };
const MAX_ERROR = 500;

/** Seconds between a failed attempt, counted from 1, and the next one: three times as long as before, at most twelve hours. */
const retryDelay = (attempt: number): number => Math.min(RETRY_SECONDS.first * 3 ** (attempt - 1), RETRY_SECONDS.most);

interface ClaimedMail extends MailAddressing {
  id: number;
  text: string;
  html: string;
  attempts: number;
  /** The account's address now; null when the account gets no such mail any more. */
  recipient: string | null;
}

interface Tools {
  stopping: AbortSignal;
  log: typeof log;
}

/** Whether account `a` still gets the mails of `m.notification`. */
const STILL_GETS_MAIL = Prisma.join(
  [
    Prisma.sql`CASE m.notification`,
    ...SWITCHABLE.map((name) => Prisma.sql`WHEN ${name} THEN ${getsMail(name)}`),
    Prisma.sql`ELSE ${getsMail(null)} END`,
  ],
  ' ',
);

/** Claims the mail that has been due longest, mailings last, or the waiting mail `id`. Null when there is none. */
async function claimMail(id: number | null): Promise<ClaimedMail | null> {
  const [mail] = await db.$queryRaw<ClaimedMail[]>`
    UPDATE outgoing_mail m SET attempts = attempts + 1, claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE m.id = (
      SELECT due.id FROM outgoing_mail due
      WHERE due.state = 'queued' AND (due.claimed_until IS NULL OR due.claimed_until < now())
        AND CASE WHEN ${id}::int IS NULL THEN due.next_attempt <= now() ELSE due.id = ${id}::int END
      ORDER BY due.is_bulk, due.next_attempt, due.id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING m.id, m.account_id AS "accountId", m.address, m.notification, m.subject, m.text, m.html, m.headers,
      m.version_id AS "versionId", m.created, m.attempts,
      (SELECT r.token_hash FROM reply_address r WHERE r.mail_id = m.id) AS "replyTokenHash",
      CASE WHEN m.account_id IS NULL THEN m.address
        ELSE (SELECT a.email::text FROM account a WHERE a.id = m.account_id AND ${STILL_GETS_MAIL}) END AS recipient`;
  return mail ?? null;
}

/** Sends the mails that are due. Does nothing without a mail server. */
export async function deliverMails(tools: Tools): Promise<void> {
  await withMailServer((server, onTheWay) =>
    settleAll(Array.from({ length: CONNECTIONS }, () => deliverInTurn(server, onTheWay, tools))),
  );
}

/** Makes one attempt to send a mail now. Returns the error of a refused attempt. Without a mail server, the mail waits. */
export async function deliverMail(id: number, tools: Tools): Promise<string | null> {
  let error: string | null = null;
  await withMailServer(async (server, onTheWay) => {
    const mail = await claimMail(id);
    if (mail !== null) error = (await deliver(server, onTheWay, mail, tools.log)).error;
  });
  return error;
}

/** Runs `work` with a mail server, and renews the claims of the mails in `onTheWay` until it ends. */
async function withMailServer(work: (server: MailServer, onTheWay: Set<number>) => Promise<unknown>): Promise<void> {
  if (config.SMTP_URL === undefined) return;
  const onTheWay = new Set<number>();
  const server = openMailServer(config.SMTP_URL, CONNECTIONS);
  const renewal = setInterval(() => void renewClaims([...onTheWay]).catch(() => {}), RENEW_MS);
  try {
    await work(server, onTheWay);
  } finally {
    clearInterval(renewal);
    server.close();
  }
}

async function renewClaims(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    UPDATE outgoing_mail SET claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ANY (${ids}::int[]) AND state = 'queued'`;
}

/** Sends one mail after another until none is due, the worker stops, the server cannot be used or MAX_RUN_MS have passed. */
async function deliverInTurn(server: MailServer, onTheWay: Set<number>, tools: Tools): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  while (!tools.stopping.aborted && performance.now() < end) {
    const mail = await claimMail(null);
    if (mail === null) return;
    const { isOutage } = await deliver(server, onTheWay, mail, tools.log);
    if (isOutage) return;
  }
}

interface Outcome {
  error: string | null;
  isOutage: boolean;
}

async function deliver(
  server: MailServer,
  onTheWay: Set<number>,
  mail: ClaimedMail,
  logger: typeof log,
): Promise<Outcome> {
  const { id, recipient } = mail;
  if (recipient === null || !isSendable(recipient)) {
    const error = 'The account is disabled, has no usable address or has switched these mails off.';
    await giveUp(id, error);
    return { error, isOutage: false };
  }
  onTheWay.add(id);
  try {
    const headers = mailHeaders({ ...mail, address: recipient });
    await server.send({ sender: mailSender().address, recipient, headers, text: mail.text, html: mail.html });
    await markSent(id, recipient);
    return { error: null, isOutage: false };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    logger.warn({ mailId: id, attempt: mail.attempts, err: error }, 'A mail was not delivered.');
    const message = storableText(error.message).slice(0, MAX_ERROR);
    if (error.isFinal || mail.attempts >= MAX_ATTEMPTS) await giveUp(id, message);
    else await postpone(id, message, retryDelay(mail.attempts));
    return { error: message, isOutage: error.isOutage };
  } finally {
    onTheWay.delete(id);
  }
}

const MARK_ATTEMPTS = 10;
const MARK_PAUSE_MS = 1_000;

/** Marks a mail sent. The server has accepted it, so a short outage of the database must not cause a second delivery. */
async function markSent(id: number, address: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.$executeRaw`
        UPDATE outgoing_mail SET state = 'sent', sent = now(), claimed_until = NULL, last_error = NULL,
          address = CASE WHEN is_farewell THEN '' ELSE ${address} END
        WHERE id = ${id}`;
      return;
    } catch (error) {
      if (!isDatabaseOutage(error) || attempt === MARK_ATTEMPTS) throw error;
      await setTimeout(MARK_PAUSE_MS);
    }
  }
}

/** Makes a waiting mail a dead letter. */
export async function giveUp(id: number, error: string): Promise<void> {
  await db.$executeRaw`
    UPDATE outgoing_mail SET state = 'failed', last_error = ${error}, claimed_until = NULL,
      address = CASE WHEN is_farewell THEN '' ELSE address END
    WHERE id = ${id} AND state = 'queued'`;
}

async function postpone(id: number, error: string, seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE outgoing_mail
    SET last_error = ${error}, claimed_until = NULL, next_attempt = now() + make_interval(secs => ${seconds})
    WHERE id = ${id} AND state = 'queued'`;
}

/** Enqueues a delivery when a mail is due and no job is about to send it: its attempt failed, or its worker was killed. */
export async function reconcileMails(): Promise<void> {
  if (config.SMTP_URL === undefined) return;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT FROM outgoing_mail
    WHERE state = 'queued' AND next_attempt <= now() AND (claimed_until IS NULL OR claimed_until < now())
      AND NOT EXISTS (
        SELECT FROM graphile_worker.jobs
        WHERE task_identifier = 'deliver-mails' AND attempts < max_attempts AND (run_at <= now() OR locked_at IS NOT NULL))
    LIMIT 1`;
  if (rows.length > 0) await enqueue(db, deliverMailsTask, {});
}
