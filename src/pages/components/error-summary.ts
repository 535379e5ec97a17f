import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { RefusedForm, Ui } from '../ui.ts';
import { fieldId } from './form-field.ts';
import { icon } from './icon.ts';
import { RESULT_ID } from './notice.ts';

interface ErrorSummary {
  form: string;
  refused: RefusedForm;
  /** Labels of the fields, by name. */
  labels: ReadonlyMap<string, Html | string>;
}

/**
 * Why a form was refused: what to correct, with links to its fields, or the reason of the service. `focus-errors.js` moves the focus to it.
 * Nothing without errors.
 */
export function errorSummary(ui: Ui, { form, refused, labels }: ErrorSummary): Html {
  const errors = Object.entries(refused.errors);
  if (errors.length === 0 && refused.summary.length === 0) return html``;
  const id = `${form}-errors`;
  if (refused.isOfService === true) return serviceRefusal(ui, id, refused.summary);
  return html`<div class="error-summary notice error" id="${RESULT_ID}" role="alert" tabindex="-1" aria-labelledby="${id}">
${icon(ui, 'error')}
<div class="notice-body">
<p class="notice-title" id="${id}">${ui.t('ui.form.refused')}</p>
<ul>
${refused.summary.map((message) => html`<li>${message}</li>`)}${errors.flatMap(([name, messages]) =>
  messages.map((message) => {
    const label = labels.get(name);
    return label === undefined
      ? html`<li>${message}</li>
`
      : html`<li><a href="#${fieldId(form, name)}">${ui.t('ui.form.field', { label, message })}</a></li>
`;
  }),
)}</ul>
</div>
</div>`;
}

/** A refusal for which the service is the cause, not what was typed. */
const serviceRefusal = (
  ui: Ui,
  id: string,
  reasons: RefusedForm['summary'],
): Html => html`<div class="error-summary notice warning" id="${RESULT_ID}" role="alert" tabindex="-1" aria-labelledby="${id}">
${icon(ui, 'warning')}
<div class="notice-body">
<p class="notice-title" id="${id}">${ui.t('ui.form.not-saved')}</p>
${reasons.map((reason) => html`<p>${reason}</p>`)}</div>
</div>`;
