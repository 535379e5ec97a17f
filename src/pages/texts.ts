/* The texts of pages as HTML. A text is looked up by its key, with values for its placeholders: `{name}`. */
import { html } from 'hono/html';
import { config } from '../config.ts';
import type { Language } from '../texts/languages.ts';
import { PAGES_DE } from '../texts/pages.de.ts';
import { PAGES_EN } from '../texts/pages.en.ts';
import { PAGES_HE } from '../texts/pages.he.ts';
import type { FilledText, TextTemplate } from '../texts/text-table.ts';
import type { ParameterNames, ParamsArgument, TextKey } from '../texts/text-types.ts';
import { Texts, type TextValue } from '../texts/translate.ts';
import type { Html } from './html.ts';

/** Keys of texts. A text with plural forms has one entry for each: `search.results#one`, `search.results#other`. */
type AnyKey = TextKey<typeof PAGES_EN>;

/** Keys of texts with these parameters and no others. */
export type KeyWith<Names extends string> = {
  [Key in AnyKey]: [ParameterNames<typeof PAGES_EN, Key>, Names] extends [Names, ParameterNames<typeof PAGES_EN, Key>]
    ? Key
    : never;
}[AnyKey];

/** Keys of texts without parameters. */
export type PageTextKey = KeyWith<never>;

const PAGE_TEXTS = new Texts({ en: PAGES_EN, de: PAGES_DE, he: PAGES_HE });

/** A text of pages with its parameters; those that are not HTML are escaped. */
export type Translate = <Key extends AnyKey>(
  key: Key,
  ...params: ParamsArgument<typeof PAGES_EN, Key, TextValue | Html>
) => Html;

/** Whether a text without parameters has this key; for keys that are made of data, such as names of permissions. */
export const isTextKey = (key: string): key is PageTextKey => PAGE_TEXTS.parameterNames(key)?.length === 0;

/** The literal parts of texts, escaped: the first argument of a tagged template. */
const escaped = new WeakMap<TextTemplate, TemplateStringsArray>();

function stringsOf(template: TextTemplate): TemplateStringsArray {
  const known = escaped.get(template);
  if (known !== undefined) return known;
  const strings = template.parts.map((literal) => String(html`${literal}`));
  const raw = Object.assign(strings, { raw: strings });
  escaped.set(template, raw);
  return raw;
}

/** A text with its values as HTML; values that are not HTML are escaped. */
export const textHtml = ({ template, values }: FilledText<string | Html>): Html => html(stringsOf(template), ...values);

/** Texts for staff that promise a mail. While no mail server is configured, they say that mails wait. */
const MAIL_TEXTS: ReadonlySet<AnyKey> = new Set<AnyKey>([
  ...(['admin.groups.add-hint', 'admin.groups.change-effect', 'admin.groups.remove-hint'] as const),
  ...(['done.admin-account', 'done.admin-join-group', 'done.admin-leave-group'] as const),
  ...(['done.moderation-account', 'done.moderation-addon', 'done.moderation-open-reply'] as const),
  ...(['done.moderation-reopen-reply', 'done.moderation-reply', 'done.rating-hidden', 'done.rating-removed'] as const),
  ...([
    'done.moderation-note-reply',
    'moderation.holder-mail',
    'moderation.owners-mail',
    'moderation.reply-hint',
  ] as const),
  ...(['reviews.decision-hint.DELETE', 'reviews.decision-hint.HIDE'] as const),
]);

/** The function that looks up texts of pages in a language. It throws for a missing text or value. */
export const translator =
  (language: Language): Translate =>
  (key, ...params) => {
    const text = PAGE_TEXTS.find<string | Html>(language, key, (params as readonly Record<string, string>[])[0]);
    if (text === null) throw new Error(`There is no text "${key}".`);
    if (config.SMTP_URL !== undefined || !MAIL_TEXTS.has(key)) return textHtml(text);
    return html`${textHtml(text)} ${translator(language)('ui.mail-waits')}` as Html;
  };
