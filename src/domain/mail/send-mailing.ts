import { randomUUID } from 'node:crypto';
import { InvalidInputError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { textLanguage } from '../../infra/text-language.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS } from '../../texts/mails.ts';
import { message } from '../../texts/messages.ts';
import { printable } from '../../texts/printable.ts';
import { translate } from '../../texts/translate.ts';
import { recordAudit } from '../activity/record-audit.ts';
import type { Letter } from './letter.ts';
import { headerText } from './mail-settings.ts';
import { getsMail, isMailing, MAILINGS, type MailingName } from './notification-types.ts';
import { commonHeaders, type MailContent, messageId, queueDelivery, writeLetter } from './queue-mail.ts';

const MAX_TEXT = 100_000;
/** In ms: a mailing may have a hundred thousand recipients. */
const LONG_TRANSACTION = { timeout: 600_000 };

/**
 * Queues a mailing of operators to every account that has its type on (docs/decisions.md D119), with its audit row. Returns the number
 * of recipients. Each call is a new mailing.
 * @throws {InvalidInputError} for another type, and for an empty or overlong subject or text.
 */
export function sendMailing(
  actor: string,
  { notification, subject, text }: { notification: string; subject: string; text: string },
): Promise<number> {
  if (!isMailing(notification)) {
    const known = Object.keys(MAILINGS).join(' or ');
    throw refusedField(
      'notification',
      message('mailing.unknown_type', { types: known, type: printable(notification) }),
    );
  }
  const quotedText = text.trim();
  if (headerText(subject) === '' || quotedText === '') throw new InvalidInputError(message('mailing.incomplete'));
  if (quotedText.length > MAX_TEXT) throw new InvalidInputError(message('mailing.too_long', { count: MAX_TEXT }));
  return db.$transaction(async (tx) => {
    const id = randomUUID();
    const letter = (language: Language): Letter => {
      return { subject, opening: [], quotedText, closing: [translate(MAIL_TEXTS, language, 'footer.mailing')] };
    };
    const recipients = await insertMailing(tx, { notification, cause: `mailing:${id}`, letter });
    await recordAudit(tx, actor, 'mailing-sent', {
      mailing: id,
      notification,
      subject: headerText(subject),
      recipients,
    });
    return recipients;
  }, LONG_TRANSACTION);
}

/** Queues a mailing to every account that gets its type. Returns the number of recipients. */
async function insertMailing(
  tx: Transaction,
  { notification, cause, letter }: { notification: MailingName; cause: string; letter(language: Language): Letter },
): Promise<number> {
  const languages = await textLanguages(tx);
  let count = 0;
  for (const language of new Set(languages.values())) {
    const locales = [...languages].filter(([, each]) => each === language).map(([locale]) => locale ?? '');
    const content = writeLetter(letter(language), language);
    for (let after = 0, batch = BATCH; batch === BATCH; count += batch) {
      const queued = await insertBatch(tx, { notification, cause, content, locales, after });
      batch = queued.count;
      after = queued.last ?? after;
    }
  }
  if (count > 0) await queueDelivery(tx);
  return count;
}

/** Rows of one statement, whose time is limited. */
const BATCH = 2_000;

interface Batch {
  notification: MailingName;
  cause: string;
  content: MailContent;
  /** Locales of the recipients; "" for none. */
  locales: string[];
  /** Id of the last account of the previous batch. */
  after: number;
}

async function insertBatch(
  tx: Transaction,
  { notification, cause, content: { subject, text, html }, locales, after }: Batch,
): Promise<{ count: number; last: number | null }> {
  const marker = randomUUID();
  const headers = JSON.stringify(commonHeaders(messageId(marker)));
  const [queued] = await tx.$queryRaw<{ count: number; last: number | null }[]>`
    WITH queued AS (
      INSERT INTO outgoing_mail (account_id, address, cause, notification, subject, text, html, headers, is_bulk)
      SELECT a.id, a.email, ${cause}, ${notification}, ${subject}, ${text}, ${html},
        replace(${headers}, ${marker}, gen_random_uuid()::text)::jsonb, true
      FROM account a
      WHERE a.id > ${after} AND coalesce(a.locale, '') = ANY (${locales}::text[]) AND ${getsMail(notification)}
      ORDER BY a.id LIMIT ${BATCH} RETURNING account_id)
    SELECT count(*)::int AS count, max(account_id) AS last FROM queued`;
  return queued ?? { count: 0, last: null };
}

/** The languages of all accounts by their locale. */
async function textLanguages(tx: Transaction): Promise<Map<string | null, Language>> {
  const rows = await tx.$queryRaw<{ locale: string | null }[]>`SELECT DISTINCT locale FROM account`;
  return new Map(rows.map(({ locale }) => [locale, textLanguage(locale)]));
}
