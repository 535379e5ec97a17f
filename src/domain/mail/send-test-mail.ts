import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import { InvalidInputError } from '../../errors.ts';
import { db } from '../../infra/db.ts';
import { log } from '../../infra/log.ts';
import { textLanguage } from '../../infra/text-language.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { translate } from '../../texts/translate.ts';
import { deliverMail, giveUp } from './deliver-mails.ts';
import type { Letter } from './letter.ts';
import { isSendable } from './mail-settings.ts';
import { insertMails, writeLetter } from './queue-mail.ts';

/**
 * Writes a test mail to an address into the outbox and sends it now, with one attempt. Returns `sent`, or `waiting` without a mail
 * server.
 * @throws {InvalidInputError} for an invalid address, and with the reason when the mail server does not accept the mail.
 */
export async function sendTestMail(address: string): Promise<'sent' | 'waiting'> {
  if (!isSendable(address))
    throw new InvalidInputError(message('mail.invalid_address', { address: printable(address) }));
  const id = await db.$transaction(async (tx) => {
    const language = textLanguage(null);
    const opening = [translate(MAIL_TEXTS, language, 'test.body')];
    const letter: Letter = { subject: config.SITE_NAME, opening, quotedText: null, closing: [] };
    const content = writeLetter(letter, language);
    const mail = { accountId: null, cause: `test:${randomUUID()}`, notification: null, headers: [], versionId: null };
    const [row] = await insertMails(tx, [{ ...mail, address, content }]);
    if (row === undefined) throw new Error('The test mail was not inserted.');
    if (config.SMTP_URL !== undefined)
      await tx.$executeRaw`
      UPDATE outgoing_mail SET next_attempt = now() + interval '1 hour' WHERE id = ${row.id}`;
    return row.id;
  });
  if (config.SMTP_URL === undefined) return 'waiting';
  const error = await deliverMail(id, { stopping: new AbortController().signal, log });
  if (error === null) return 'sent';
  await giveUp(id, error);
  throw new InvalidInputError(message('mail.not_sent', { error }));
}
