import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { badge } from './badge.ts';

interface LanguageFields {
  /** Language code of the texts. */
  language: string;
  /** Whether these texts are shown where a translation is missing. */
  isDefault: boolean;
  /** The fields, with names such as `name.de`. */
  fields: Html;
}

/** The texts of one language in a form for all languages. */
export function languageFields(ui: Ui, { language, isDefault, fields }: LanguageFields): Html {
  return html`<fieldset class="language-fields" id="language-${language}">
<legend>${ui.format.languageName(language)} <bdi dir="ltr" class="muted">${language}</bdi>${
    isDefault && html` ${badge(ui, { kind: 'info', text: ui.t('ui.language.default') })}`
  }</legend>
${fields}
</fieldset>`;
}
