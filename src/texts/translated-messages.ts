/* The texts of messages in all languages. */
import type { Language } from './languages.ts';
import { MESSAGES_DE } from './messages.de.ts';
import { MESSAGES_HE } from './messages.he.ts';
import { ENGLISH_MESSAGES, type Message, textFromTable } from './messages.ts';
import { TextTable } from './text-table.ts';

const TABLES: Readonly<Record<Language, TextTable>> = {
  en: ENGLISH_MESSAGES,
  de: new TextTable(MESSAGES_DE, 'de'),
  he: new TextTable(MESSAGES_HE, 'he'),
};

/** The texts of messages in a language, for texts with markup. */
export const messageTable = (language: Language): Pick<TextTable, 'find'> => TABLES[language];

/** The text of a message in a language. */
export const messageText = (text: Message, language: Language): string => textFromTable(TABLES[language], text);
