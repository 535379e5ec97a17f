/*
 * Messages of the service about refusals and failures, as code and parameters, and their English texts. `messages.en.ts` has the texts, the
 * codes and the names of parameters; `translated-messages.ts` has the other languages, which processes that parse files do not load.
 */

import type { MessageCode, MessageParameterNames, MessageParams } from './message-types.ts';
import { MESSAGES_EN } from './messages.en.ts';
import { TextTable, withoutMarkup } from './text-table.ts';

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
export const ENGLISH_MESSAGES = new TextTable(MESSAGES_EN, 'en', String);

/** The text of a message in the language of a table. A message of a later release, whose code this one does not have, is its code. */
export function textFromTable(table: TextTable, { code, params }: Message): string {
  const found = table.find<string>(code, params);
  return found === null ? code : withoutMarkup(found);
}

/** The English text of a message, which REST returns. */
export const englishText = (text: Message): string => textFromTable(ENGLISH_MESSAGES, text);
