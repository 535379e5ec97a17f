import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import type { Transaction } from '../../infra/db.ts';
import type { Language } from '../../texts/text-table.ts';
import type { Letter } from './letter.ts';
import texts from './notice-texts.json' with { type: 'json' };
import { type Farewell, queueFarewells, queueMails } from './queue-mail.ts';

/** A text of notice-texts.json, which has each in every language of mails. */
export type NoticeName = Exclude<keyof typeof texts.en, 'staff'>;

/** A mail of the service to accounts about a change that concerns them. */
export interface Notice {
  name: NoticeName;
  /** Values of the placeholders of the text in the language of a recipient. `{site}` is always known. */
  values?: (locale: string) => Readonly<Record<string, string>>;
  /** What a person wrote about the change, which the mail contains verbatim. */
  words?: string;
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
 * addresses, which the outbox forgets after the delivery.
 */
export async function queueFarewell(tx: Transaction, accountIds: readonly number[], notice: Notice): Promise<void> {
  await queueFarewells(tx, { accountIds, ...mailOf(notice) });
}

function mailOf(notice: Notice): Omit<Farewell, 'accountIds'> {
  return {
    notification: 'individual_contact',
    cause: `${notice.name}:${randomUUID()}`,
    letter: (language, locale) => noticeLetter(notice, language, locale),
  };
}

function noticeLetter({ name, values, words, path, byStaff }: Notice, language: Language, locale: string): Letter {
  const known = { site: config.SITE_NAME, ...values?.(locale) };
  const written = texts[language];
  const text = fill(written[name], known);
  return {
    subject: `${config.SITE_NAME}: ${text}`,
    opening: [text],
    words: words === undefined || words === '' ? null : words,
    closing: [
      ...(path === undefined ? [] : [`${config.BASE_URL}${path}`]),
      ...(byStaff ? [fill(written.staff, known)] : []),
    ],
  };
}

/** Replaces each `{name}` of a text once, so that a value that looks like one stays as it is. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, key: string) => values[key] ?? placeholder);
