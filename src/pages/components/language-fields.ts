import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { badge } from './badge.ts';

interface LanguageFields {
  /** Language code of the texts. */
  language: string;
  /** Whether these texts are shown where a translation is missing. */
  isDefault: boolean;
  /** Whether it was just added to the form, whose button leads here. */
  isNew?: boolean;
  /** The fields, with names such as `name.de`. */
  fields: Html;
}

/** The id of the fields of a language that was just added. */
export const NEW_LANGUAGE = 'new-language';

/** The texts of one language in a form for all languages. */
export function languageFields(ui: Ui, { language, isDefault, isNew, fields }: LanguageFields): Html {
  return html`<fieldset class="language-fields" id="${isNew ? NEW_LANGUAGE : `language-${language}`}">
<legend>${ui.format.languageName(language)} <bdi dir="ltr" class="muted">${language}</bdi>${
    isDefault && html` ${badge(ui, { kind: 'info', text: ui.t('ui.language.default') })}`
  }</legend>
${fields}
</fieldset>`;
}
