/*
 * Messages of the service about refusals and failures, as code and parameters. Their texts are in one table for each language:
 * `messages.en.ts`, which also has the codes and the names of parameters, `messages.de.ts` and `messages.he.ts`.
 */

import type { Language } from './languages.ts';
import type { MessageCode, MessageParameterNames, MessageParams } from './message-types.ts';
import { MESSAGES_DE } from './messages.de.ts';
import { MESSAGES_EN } from './messages.en.ts';
import { MESSAGES_HE } from './messages.he.ts';
import { type TextTable, withoutMarkup } from './text-table.ts';
import { Texts } from './translate.ts';

/** A message. It is plain data: rows and other processes hold it as JSON. */
export interface Message {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The message with this code. The compiler requires the parameters that its English text has. */
export function message<Code extends MessageCode>(
  code: Code,
  ...[params]: [MessageParameterNames<Code>] extends [never] ? [] : [MessageParams<Code>]
): Message {
  return { code, params: params ?? {} };
}

/** English numbers have no separators, as in documented texts. */
const MESSAGES = new Texts({ en: MESSAGES_EN, de: MESSAGES_DE, he: MESSAGES_HE }, { englishNumbers: String });

/** The texts of messages in a language, for texts with markup. */
export const messageTable = (language: Language): Pick<TextTable, 'find'> => ({
  find: (code, params) => MESSAGES.find(language, code, params),
});

/** The text of a message in a language. A message of a later release, whose code this one does not have, is its code. */
export function messageText({ code, params }: Message, language: Language): string {
  const found = MESSAGES.find<string>(language, code, params);
  return found === null ? code : withoutMarkup(found);
}

/** The English text of a message, which REST returns. */
export const englishText = (text: Message): string => messageText(text, 'en');
