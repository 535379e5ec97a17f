import { randomUUID } from 'node:crypto';
import { InvalidInputError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordAudit } from '../activity/record-audit.ts';
import { type Letter, type MailLanguage, mailLanguage } from './letter.ts';
import { headerText } from './mail-settings.ts';
import { getsMail, isMailing, MAILINGS, type MailingName } from './notification-types.ts';
import { commonHeaders, messageId, queueDelivery, writeLetter } from './queue-mail.ts';

const MAX_TEXT = 100_000;

/** Why the recipient gets a mailing. */
const FOOTER: Readonly<Record<MailLanguage, string>> = {
  en: 'You get this mail because your notification settings include it. You can switch it off there.',
  de: 'Diese Mail kommt wegen deiner Einstellungen für Benachrichtigungen. Dort lässt sie sich abschalten.',
  he: 'הודעה זו נשלחה בהתאם להגדרות ההתראות של החשבון. אפשר לבטל אותה שם.',
};

/**
 * Queues a mailing of operators to every account that has its type on (people.md D119), with its audit row. Returns the number
 * of recipients. Each call is a new mailing.
 * @throws {InvalidInputError} for another type, and for an empty or overlong subject or text.
 */
export function sendMailing(
  actor: string,
  { notification, subject, text }: { notification: string; subject: string; text: string },
): Promise<number> {
  if (!isMailing(notification)) {
    const known = Object.keys(MAILINGS).join(' or ');
    throw refusedField('notification', `Mailings have the type ${known}, not ${JSON.stringify(notification)}.`);
  }
  const words = text.trim();
  if (headerText(subject) === '' || words === '') throw new InvalidInputError('A mailing needs a subject and a text.');
  if (words.length > MAX_TEXT) throw new InvalidInputError(`A mailing has at most ${MAX_TEXT} characters.`);
  return db.$transaction(async (tx) => {
    const id = randomUUID();
    const letter = (language: MailLanguage): Letter => ({ subject, opening: [], words, closing: [FOOTER[language]] });
    const recipients = await insertMailing(tx, { notification, cause: `mailing:${id}`, letter });
    await recordAudit(tx, actor, 'mailing-sent', {
      mailing: id,
      notification,
      subject: headerText(subject),
      recipients,
    });
    return recipients;
  });
}

/** Queues a mailing to every account that gets its type, in one statement per language. Returns the number of recipients. */
async function insertMailing(
  tx: Transaction,
  { notification, cause, letter }: { notification: MailingName; cause: string; letter(language: MailLanguage): Letter },
): Promise<number> {
  const languages = await mailLanguages(tx);
  let count = 0;
  for (const language of new Set(languages.values())) {
    const locales = [...languages].filter(([, each]) => each === language).map(([locale]) => locale);
    const { subject, text, html } = writeLetter(letter(language), language);
    const marker = randomUUID();
    const headers = JSON.stringify(commonHeaders(messageId(marker)));
    count += await tx.$executeRaw`
      INSERT INTO outgoing_mail (account_id, address, cause, notification, subject, text, html, headers, is_bulk)
      SELECT a.id, a.email, ${cause}, ${notification}, ${subject}, ${text}, ${html},
        replace(${headers}, ${marker}, gen_random_uuid()::text)::jsonb, true
      FROM account a
      WHERE coalesce(a.locale, '') = ANY (${locales.map((locale) => locale ?? '')}::text[]) AND ${getsMail(notification)}
      ORDER BY a.id ON CONFLICT (account_id, cause) DO NOTHING`;
  }
  if (count > 0) await queueDelivery(tx);
  return count;
}

/** The languages of all accounts by their locale. */
async function mailLanguages(tx: Transaction): Promise<Map<string | null, MailLanguage>> {
  const rows = await tx.$queryRaw<{ locale: string | null }[]>`SELECT DISTINCT locale FROM account`;
  return new Map(rows.map(({ locale }) => [locale, mailLanguage(locale)]));
}
