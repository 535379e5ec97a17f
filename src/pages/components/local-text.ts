import { html } from 'hono/html';
import { directionOf } from '../../texts/languages.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** A text of an add-on with its language, the fields `value` and `locale` of `Localized`. */
export interface LocalText {
  value: string | null;
  locale: string | null;
}

/** Whether a text needs no mark: it is in the page's language, or its language is unknown. */
const isOfPage = (ui: Ui, language: string | null): language is null =>
  language === null || language.split('-')[0] === ui.language;

/** Attributes for an element with text in `language`: none where it is the page's. */
export function languageAttributes(ui: Ui, language: string | null): Html {
  if (isOfPage(ui, language)) return html``;
  return html` lang="${language}" dir="${directionOf(language)}"`;
}

/** A text of an add-on, marked with its language where that is not the page's; nothing without a text. */
export function localText(ui: Ui, text: LocalText | null | undefined): Html {
  if (text?.value == null) return html``;
  const { value, locale } = text;
  if (isOfPage(ui, locale)) return html`<bdi>${value}</bdi>`;
  return html`<bdi lang="${locale}" dir="${directionOf(locale)}">${value}</bdi>`;
}

/** The same in a cell of a table, whose words may be long; a dash without a text. */
export const longText = (ui: Ui, text: LocalText | null | undefined): Html | string =>
  text?.value ? html`<div class="long-text">${localText(ui, text)}</div>` : '–';

/** What is written in a language; null without a text in it. */
export const textInLanguage = (
  texts: { all: readonly { locale: string; value: string }[] } | null | undefined,
  language: string,
): string | null => texts?.all.find(({ locale }) => locale === language)?.value ?? null;
