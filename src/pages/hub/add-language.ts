/* Adding a language to a form with texts in several languages. */
import { html } from 'hono/html';
import { NEW_LANGUAGE } from '../components/form.ts';
import { ADD_BUTTON } from '../form.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

const SHAPE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;

/** A language code as typed into an address; null for anything else. The mutation checks whether it is supported. */
export const readLocale = (text: string | null | undefined): string | null =>
  text != null && SHAPE.test(text.trim()) ? text.trim() : null;

/** Languages to choose from. Others can be added by their code in the address. */
const OFFERED = (
  'ar bg ca cs da de el en-US es et eu fa fi fr gl he hr hu id it ja ko lt lv nb-NO nl pl pt-BR pt-PT ro ru sk sl sq sr sv-SE ' +
  'th tr uk vi zh-CN zh-TW'
).split(' ');

/** The field with the language to add. */
const LANGUAGE_FIELD = 'add-language';

/** The language whose fields the button of a form has just added; null without one. */
export function addedLanguage(ui: Ui, form: string): string | null {
  const values = ui.form(form)?.values;
  return values?.has(ADD_BUTTON) ? readLocale(values.get(LANGUAGE_FIELD)?.at(-1)) : null;
}

interface WiderForm {
  /** The name of the form. */
  form: string;
  /** The languages that it has. */
  present: readonly string[];
}

/**
 * A button that shows a form again as typed, with the fields of another language. It saves nothing. It follows the form: the enter key
 * presses the first button of a form.
 */
export function addLanguage(ui: Ui, { form, present }: WiderForm): Html {
  const { t, format, formAction } = ui;
  const offered = OFFERED.filter((code) => !present.includes(code))
    .map((code) => ({ code, name: format.languageName(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, ui.language));
  return html`<div class="cluster hub-add-language">
<label for="${LANGUAGE_FIELD}">${t('hub.languages.add')}</label>
<select form="${form}" id="${LANGUAGE_FIELD}" name="${LANGUAGE_FIELD}">${offered.map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</select>
<button type="submit" form="${form}" class="button" name="${ADD_BUTTON}" value="true" formnovalidate formaction="${formAction ?? ''}#${NEW_LANGUAGE}">${t('hub.languages.add-button')}</button>
</div>`;
}
