import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/languages.ts';
import { MAIL_TEXTS, type MailKey, type MailParams } from '../../texts/mails.ts';
import { withoutMarkup } from '../../texts/text-table.ts';
import { type TextValue, translate } from '../../texts/translate.ts';
import type { Letter } from './letter.ts';
import { type ClosedAccountMails, queueFarewells, queueMails } from './queue-mail.ts';

/** A text of mails below `notice.`. */
export type NoticeName = Extract<MailKey, `notice.${string}`> extends `notice.${infer Name}` ? Name : never;

/** The parameters of a notice that its caller has. */
type NoticeParams<Name extends NoticeName> = Omit<MailParams<`notice.${Name}`>, 'site'>;

/** A mail of the service to accounts about a change that concerns them. */
export type Notice = { [Name in NoticeName]: NoticeOf<Name> }[NoticeName];

type NoticeOf<Name extends NoticeName> = NoticeParts & { name: Name } & ([keyof NoticeParams<Name>] extends [never]
    ? { values?: never }
    : {
        /** The parameters of the text for a recipient with this locale. */
        values: (locale: string) => NoticeParams<Name>;
      });

interface NoticeParts {
  /** What a person wrote about the change, which the mail contains verbatim. */
  quotedText?: string;
  /** Path of the page to look at, such as `/account/keys/`. */
  path?: string;
  /** Whether staff made the change. */
  byStaff?: boolean;
}

/**
 * Queues a notice in the transaction of the change, as mail of the type `individual_contact`. Accounts that are disabled, deleted or
 * without an address get none.
 */
export async function queueNotice(tx: Transaction, accountIds: readonly number[], notice: Notice): Promise<void> {
  if (accountIds.length === 0) return;
  await queueMails(tx, { accountIds, ...mailOf(notice) });
}

/**
 * Queues a notice to accounts that the same transaction disables or deletes, before it does: the mail goes to their present
 * addresses, which the outbox deletes after the delivery.
 */
export async function queueFarewell(tx: Transaction, accountIds: readonly number[], notice: Notice): Promise<void> {
  await queueFarewells(tx, { accountIds, ...mailOf(notice) });
}

function mailOf(notice: Notice): Omit<ClosedAccountMails, 'accountIds'> {
  return {
    notification: 'individual_contact',
    cause: `${notice.name}:${randomUUID()}`,
    letter: (language, locale) => noticeLetter(notice, language, locale),
  };
}

function noticeLetter({ name, values, quotedText, path, byStaff }: Notice, language: Language, locale: string): Letter {
  const site = config.SITE_NAME;
  // The type `Notice` pairs each name with its parameters.
  const params: Readonly<Record<string, TextValue>> = { site, ...values?.(locale) };
  const found = MAIL_TEXTS.find<string>(language, `notice.${name}`, params);
  const text = found === null ? name : withoutMarkup(found);
  return {
    subject: `${config.SITE_NAME}: ${text}`,
    opening: [text],
    quotedText: quotedText === undefined || quotedText === '' ? null : quotedText,
    closing: [
      ...(path === undefined ? [] : [`${config.BASE_URL}${path}`]),
      ...(byStaff ? [translate(MAIL_TEXTS, language, 'footer.staff', { site })] : []),
    ],
  };
}
