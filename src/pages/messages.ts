/* Messages of the service, in the language of the interface. */
import { html } from 'hono/html';
import type { Language } from '../texts/languages.ts';
import { PAGE_MESSAGES_EN } from '../texts/messages.en.ts';
import type { Message } from '../texts/messages.ts';
import { TextTable } from '../texts/text-table.ts';
import { messageTable } from '../texts/translated-messages.ts';
import type { Html } from './html.ts';
import { textHtml } from './texts.ts';
import type { Ui } from './ui.ts';

/** A message of the schema, which has the codes of this release as strings. */
export const codedMessageOf = (found: { code: string; params: unknown } | null): Message | null =>
  found as Message | null;

/** Texts for pages in place of English messages with advice for programs. */
const PAGE_TABLE = new TextTable(PAGE_MESSAGES_EN, 'en');

/** A value in a text of another direction. */
const isolated = (value: string): Html => html`<bdi>${value}</bdi>`;

/** A message in the language of the interface. One of a later release, whose code this one does not have, is its code. */
export function messageHtml({ language }: Pick<Ui, 'language'>, { code, params }: Message): Html {
  const values = Object.entries(params).map(([name, value]) => {
    const isPlain = typeof value === 'number' || language === 'en';
    return [name, isPlain ? value : isolated(value)] as const;
  });
  for (const table of tablesOf(language)) {
    const text = table.find<string | Html>(code, Object.fromEntries(values));
    if (text !== null) return textHtml(text);
  }
  return html`${code}`;
}

const tablesOf = (language: Language) =>
  language === 'en' ? [PAGE_TABLE, messageTable('en')] : [messageTable(language)];
