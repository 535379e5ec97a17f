import { html } from 'hono/html';
import { csrfField } from './components/csrf-field.ts';
import type { Typed } from './fields.ts';
import type { Html } from './html.ts';
import type { Ui } from './ui.ts';

/** Fields of the machine, which are made again. */
const OWN_FIELDS = ['csrf'];

/** A form with everything that was typed, to be sent again once its obstacle is removed; nothing for an empty form. */
export function resendForm(ui: Ui, typed: Typed, introduction: Html): Html {
  const { t } = ui;
  const fields = [...typed].filter(([name]) => !OWN_FIELDS.includes(name));
  if (fields.length === 0) return html``;
  return html`<form method="post" action="${ui.path}">
<p>${introduction}</p>
${csrfField(ui)}
${fields.map(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<details open><summary>${t('form.typed')}</summary>
<dl class="facts">
${fields
  .filter(([name]) => name !== 'form')
  .map(
    ([name, values]) => html`<dt><bdi dir="ltr">${name}</bdi></dt><dd><pre>${values.join('\n')}</pre></dd>
`,
  )}
</dl></details>
<button>${t('form.send-again')}</button>
</form>`;
}
