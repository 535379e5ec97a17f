/* Adding a language to a form with texts in several languages. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

const SHAPE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;

/** A language code as typed into an address; null for anything else. The mutation checks whether it is supported. */
export const readLocale = (text: string | null): string | null =>
  text !== null && SHAPE.test(text.trim()) ? text.trim() : null;

/** Languages to choose from. Others can be added by their code in the address. */
const OFFERED = (
  'ar bg ca cs da de el en-US es et eu fa fi fr gl he hr hu id it ja ko lt lv nb-NO nl pl pt-BR pt-PT ro ru sk sl sq sr sv-SE ' +
  'th tr uk vi zh-CN zh-TW'
).split(' ');

/** A form that adds the fields of a language to the page. It saves nothing. `kept` are other parameters of the page. */
export function addLanguage(ui: Ui, present: readonly string[], kept: Readonly<Record<string, string>> = {}): Html {
  const { t, format } = ui;
  const offered = OFFERED.filter((code) => !present.includes(code))
    .map((code) => ({ code, name: format.languageName(code) }))
    .sort((one, other) => one.name.localeCompare(other.name, ui.language));
  return html`<form method="get" class="cluster hub-add-language">
${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="add-language">${t('hub.languages.add')}</label>
<select id="add-language" name="add">${offered.map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</select>
<button class="button">${t('hub.languages.add-button')}</button>
</form>`;
}
