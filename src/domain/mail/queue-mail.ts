import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import type { Database, Transaction } from '../../infra/db.ts';
import { enqueueAll } from '../../jobs/enqueue.ts';
import { deliverMailsTask } from '../../jobs/tasks.ts';
import { type Letter, letterHtml, letterText, type MailLanguage, mailLanguage } from './letter.ts';
import { headerText, isSendable, mailDomain, mailSender } from './mail-settings.ts';
import { getsMail, type NotificationName } from './notification-types.ts';

/** A header of a mail. */
export interface MailHeader {
  name: string;
  value: string;
}

/** A mail to queue. */
export interface NewMail {
  accountId: number;
  notification: NotificationName;
  /** Names what the mail is about, such as `activity:17`. A second mail to the account with the same cause is not queued. */
  cause: string;
  /** Writes the mail in the recipient's language; `locale` is the recipient's own. */
  letter(language: MailLanguage, locale: string): Letter;
  /** The version that replies to the mail belong to; it adds a reply address. */
  versionId?: number;
  /** Message id, in angle brackets, of the conversation. */
  thread?: string;
}

/**
 * Queues a mail in the transaction of its cause. Returns false and queues nothing for an account that is disabled, deleted or
 * without an address, and for a cause that the account has a mail about. Two statements, and one for the job.
 */
export async function queueMail(tx: Transaction, mail: NewMail): Promise<boolean> {
  const { accountId, notification } = mail;
  const [recipient] = await tx.$queryRaw<{ email: string; locale: string | null }[]>`
    SELECT a.email::text, a.locale FROM account a WHERE a.id = ${accountId} AND ${getsMail(notification)}`;
  if (recipient === undefined || !isSendable(recipient.email)) return false;
  const language = mailLanguage(recipient.locale);
  const letter = mail.letter(language, recipient.locale ?? config.DEFAULT_LOCALE);
  const count = await insertMail(tx, {
    ...mail,
    address: recipient.email,
    content: writeLetter(letter, language),
    headers: mail.thread === undefined ? [] : threadHeaders(mail.thread),
  });
  if (count > 0) await queueDelivery(tx);
  return count > 0;
}

/** A letter of moderators or operators to one account, in their own words (people.md D112, D119). */
export function queueLetter(
  tx: Transaction,
  { subject, text, ...mail }: { accountId: number; cause: string; subject: string; text: string },
): Promise<boolean> {
  const letter = () => ({ subject, opening: [], words: text, closing: [] });
  return queueMail(tx, { ...mail, notification: 'individual_contact', letter });
}

/** The columns of a mail's content. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Writes a letter in both forms. PostgreSQL text cannot contain NUL or lone surrogates. */
export function writeLetter(letter: Letter, language: MailLanguage): MailContent {
  const subject = headerText(letter.subject);
  const words = letter.words?.toWellFormed().replaceAll('\0', '') ?? null;
  const storable = { ...letter, subject, words };
  return { subject, text: letterText(storable), html: letterHtml(storable, language) };
}

interface Row {
  accountId: number | null;
  address: string;
  cause: string;
  notification: NotificationName | null;
  content: MailContent;
  headers: readonly MailHeader[];
  versionId?: number;
}

/** Inserts a mail unless its account has one with the same cause. Returns the number of new rows. */
export function insertMail(tx: Transaction, row: Row): Promise<number> {
  const { subject, text, html } = row.content;
  return tx.$executeRaw`
    INSERT INTO outgoing_mail (account_id, address, cause, notification, subject, text, html, headers, version_id)
    VALUES (${row.accountId}::int, ${row.address}, ${row.cause}, ${row.notification}, ${subject}, ${text}, ${html},
      ${JSON.stringify([...commonHeaders(messageId(randomUUID())), ...row.headers])}::jsonb, ${row.versionId ?? null}::int)
    ON CONFLICT (account_id, cause) DO NOTHING`;
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
