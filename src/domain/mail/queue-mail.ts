import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import type { Database, Transaction } from '../../infra/db.ts';
import { storableText } from '../../infra/storable-text.ts';
import { textLanguage } from '../../infra/text-language.ts';
import { deliverMailsTask, enqueueAll } from '../../jobs/tasks.ts';
import type { NotificationName } from '../../package/enums.ts';
import type { Language } from '../../texts/languages.ts';
import { type Letter, letterHtml, letterText } from './letter.ts';
import { headerText, isSendable, mailDomain, mailSender } from './mail-settings.ts';
import { getsMail } from './notification-types.ts';
import { insertReplyAddresses } from './reply-address.ts';

/** A header of a mail. */
export interface MailHeader {
  name: string;
  value: string;
}

/** Mails to queue: one letter to each recipient. */
export interface NewMails {
  accountIds: readonly number[];
  notification: NotificationName;
  /** Names what the mail is about, such as `activity:17`. A second mail to an account with the same cause is not queued. */
  cause: string;
  /** Writes the mail in a recipient's language; `locale` is the recipient's own. */
  letter(language: Language, locale: string): Letter;
  /** The version that replies to the mail belong to; each recipient gets a reply address. */
  versionId?: number;
  /** Message id, in angle brackets, of the conversation. */
  thread?: string;
}

/**
 * Queues mails in the transaction of their cause. Leaves out accounts that are disabled, deleted or without an address, and
 * those that have a mail with this cause. Returns the accounts that get a mail. At most four statements, with the job's.
 */
export async function queueMails(tx: Transaction, mails: NewMails): Promise<number[]> {
  const { versionId } = mails;
  const queued = await insertMails(tx, await writeMails(tx, mails));
  const queuedIds = queued.flatMap(({ accountId }) => accountId ?? []);
  if (versionId !== undefined) await insertReplyAddresses(tx, versionId, queued);
  if (queued.length > 0) await queueDelivery(tx);
  return queuedIds;
}

/** Mails to accounts that end. */
export type ClosedAccountMails = Omit<NewMails, 'versionId' | 'thread'>;

/**
 * Queues mails to accounts before their transaction disables or deletes them. The rows do not refer to the accounts, which get no
 * mail from then on, and keep the addresses until the mails are sent.
 */
export async function queueFarewells(tx: Transaction, mails: ClosedAccountMails): Promise<void> {
  const rows = await writeMails(tx, mails);
  await insertMails(
    tx,
    rows.map((row) => ({ ...row, accountId: null, isFarewell: true })),
  );
  if (rows.length > 0) await queueDelivery(tx);
}

/** The rows of mails to those of the accounts that get them. */
async function writeMails(tx: Transaction, mails: NewMails): Promise<NewRow[]> {
  const { accountIds, notification, cause, letter, versionId = null, thread } = mails;
  const recipients = await tx.$queryRaw<{ id: number; email: string; locale: string | null }[]>`
    SELECT a.id, a.email::text, a.locale FROM account a
    WHERE a.id = ANY (${[...accountIds]}::int[]) AND ${getsMail(notification)} ORDER BY a.id`;
  return recipients
    .filter(({ email }) => isSendable(email))
    .map(({ id, email, locale }) => {
      const language = textLanguage(locale);
      const content = writeLetter(letter(language, locale ?? config.DEFAULT_LOCALE), language);
      const headers = thread === undefined ? [] : threadHeaders(thread);
      return { accountId: id, address: email, cause, notification, content, headers, versionId };
    });
}

/** The columns of a mail's content. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Writes a letter in both forms, as PostgreSQL can store it. */
export function writeLetter(letter: Letter, language: Language): MailContent {
  const subject = headerText(letter.subject);
  const quotedText = letter.quotedText === null ? null : storableText(letter.quotedText);
  const storable = { ...letter, subject, quotedText };
  return { subject, text: letterText(storable), html: letterHtml(storable, language) };
}

/** A row of the outbox. */
interface NewRow {
  accountId: number | null;
  address: string;
  cause: string;
  notification: NotificationName | null;
  content: MailContent;
  headers: readonly MailHeader[];
  versionId: number | null;
  /** Whether the account of the address ends in this transaction. */
  isFarewell?: boolean;
}

/** Inserts mails, except those whose account has one with the same cause. Returns the new rows. */
export async function insertMails(
  tx: Transaction,
  rows: readonly NewRow[],
): Promise<{ id: number; accountId: number | null }[]> {
  if (rows.length === 0) return [];
  const values = rows.map(({ content, headers, ...row }) => ({
    ...row,
    ...content,
    headers: [...commonHeaders(messageId(randomUUID())), ...headers],
  }));
  return tx.$queryRaw`
    INSERT INTO outgoing_mail (account_id, address, cause, notification, subject, text, html, headers, version_id, is_farewell)
    SELECT "accountId", address, cause, notification, subject, text, html, headers, "versionId", coalesce("isFarewell", false)
    FROM json_to_recordset(${JSON.stringify(values)}::json) AS mail("accountId" int, address text, cause text,
      notification text, subject text, text text, html text, headers jsonb, "versionId" int, "isFarewell" bool)
    ON CONFLICT (account_id, cause) DO NOTHING RETURNING id, account_id AS "accountId"`;
}

/** The message id of a mail, by which a recipient's server recognizes a repeated delivery. */
export const messageId = (unique: string): string => `<mail.${unique}@${mailDomain()}>`;

/** Whether a message id belongs to a mail of this installation. */
export function isOwnMessageId(id: string): boolean {
  const [local = '', domain = ''] = id.trim().replace(/^<|>$/g, '').toLowerCase().split('@');
  return domain === mailDomain().toLowerCase() && /^mail\.[0-9a-f-]{36}$/.test(local);
}

/** The headers of every mail that hold no secret. No automatic response is wanted (RFC 3834). */
export function commonHeaders(id: string): MailHeader[] {
  return [
    { name: 'From', value: mailSender().from },
    { name: 'Message-ID', value: id },
    { name: 'Auto-Submitted', value: 'auto-generated' },
    { name: 'X-Auto-Response-Suppress', value: 'All' },
  ];
}

const threadHeaders = (thread: string): MailHeader[] => [
  { name: 'In-Reply-To', value: thread },
  { name: 'References', value: thread },
];

/** Enqueues a delivery in the caller's transaction. Without a mail server, mails wait in the outbox. */
export async function queueDelivery(tx: Database): Promise<void> {
  if (config.SMTP_URL === undefined) return;
  await enqueueAll((text, values) => tx.$queryRawUnsafe(text, ...values), deliverMailsTask, [{}], { isKeyed: false });
}
