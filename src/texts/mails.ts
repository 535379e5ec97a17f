import { MAILS_DE } from './mails.de.ts';
import { MAILS_EN } from './mails.en.ts';
import { MAILS_HE } from './mails.he.ts';
import type { TextKey, TextParams } from './text-types.ts';
import { Texts, type TextValue } from './translate.ts';

/** The texts of mails. Parameters such as names are plain text. */
export const MAIL_TEXTS = new Texts({ en: MAILS_EN, de: MAILS_DE, he: MAILS_HE });

export type MailKey = TextKey<typeof MAILS_EN>;
export type MailParams<Key extends MailKey> = TextParams<typeof MAILS_EN, Key, TextValue>;
