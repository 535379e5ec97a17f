import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { formElement } from './form.ts';
import type { FormField } from './form-field.ts';

interface ConfirmForm {
  /** The name of the form. */
  name: string;
  /** What happens, one sentence each. */
  consequences: readonly (Html | string)[];
  /** What stays. */
  keeps?: readonly (Html | string)[];
  /** The field to type a name into, or a reason. */
  fields?: readonly FormField[];
  submit: Html | string;
  /** Where "cancel" leads. */
  cancelHref: string;
  hidden?: Readonly<Record<string, string>>;
  /** Whether it destroys something; default true. */
  isDanger?: boolean;
}

/** The form on a page of consequences: what happens, what stays, the button, a way out. */
export function confirmForm(
  ui: Ui,
  { name, consequences, keeps = [], fields = [], submit, cancelHref, hidden, isDanger = true }: ConfirmForm,
): Html {
  return html`<div class="confirm-form ${isDanger ? 'danger' : ''}">
${list(ui.t('ui.confirm.happens'), consequences)}
${keeps.length > 0 && list(ui.t('ui.confirm.stays'), keeps)}
${formElement(ui, {
  name,
  parts: fields,
  submit,
  isDanger,
  ...(hidden && { hidden }),
  actions: html`<a class="button" href="${cancelHref}" data-closes-details>${ui.t('ui.cancel')}</a>`,
})}
</div>`;
}

const list = (title: Html, items: readonly (Html | string)[]): Html => html`<h2>${title}</h2>
<ul>
${items.map((item) => html`<li>${item}</li>`)}</ul>`;
