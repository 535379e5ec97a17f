import { html } from 'hono/html';
import { expectedName } from './changes.ts';
import { csrfField, ONCE_FIELD, onceField } from './components/form.ts';
import { RESULT_ID } from './components/notice.ts';
import type { TypedValues } from './fields.ts';
import type { Html } from './html.ts';
import type { PageContent } from './page.ts';
import { isTextKey, type Translate } from './texts.ts';
import type { Ui } from './ui.ts';

/** The field of a form that was made without a session, and so without a token: it leads to `confirmAccountPage`. */
const CHECK_FIELD = 'check';

/** Fields of the machine, which are made again. */
const OWN_FIELDS = ['csrf', ONCE_FIELD, CHECK_FIELD];

/** Whether a form comes from a page without a session: it is shown again with a token of the present one. */
export const needsConfirmation = (typed: TypedValues): boolean => typed.has(CHECK_FIELD);

interface Resend {
  /** Above the button. */
  text: Html;
  /** Whether the form leads to `confirmAccountPage` first, as this page has no session. */
  isChecked?: boolean;
}

/** A form with everything that was typed, to be sent again once its obstacle is removed; nothing for an empty form. */
export function resendForm(ui: Ui, typed: TypedValues, { text, isChecked = false }: Resend): Html {
  const { t } = ui;
  const fields = [...typed].filter(([name]) => !OWN_FIELDS.includes(name));
  if (fields.length === 0) return html``;
  const isTyped = ([name, values]: (typeof fields)[number]) =>
    name !== 'form' && name !== 'id' && !name.startsWith(expectedName('')) && values.some((value) => value !== '');
  return html`<form method="post" class="form" action="${ui.path}#${RESULT_ID}">
<p>${text}</p>
${csrfField(ui)}${onceField(ui)}
${isChecked && html`<input type="hidden" name="${CHECK_FIELD}" value="true">`}
${fields.map(([name, values]) => values.map((value) => html`<input type="hidden" name="${name}" value="${value}">`))}
<details open><summary>${t('form.typed')}</summary>
<dl class="facts">
${fields.filter(isTyped).map(([name, values]) => html`<dt>${labelOf(t, name)}</dt><dd><pre dir="auto">${values.join('\n')}</pre></dd>`)}
</dl></details>
<button>${t(isChecked ? 'form.continue' : 'form.send-again')}</button>
</form>`;
}

/** The label of a field, and the language or application that it is for; the name of a field without a text of its own. */
function labelOf(t: Translate, name: string): Html {
  const [base = '', ...rest] = name.split('.');
  const inAccount = `account.${base.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const key = [`hub.field.${base}`, inAccount].find(isTextKey);
  if (key === undefined) return html`<bdi dir="ltr">${name}</bdi>`;
  return html`${t(key)}${rest.length > 0 && html` <bdi dir="ltr">(${rest.join('.')})</bdi>`}`;
}

/** After a new sign-in: the form of the ended session with a token of this one, to be sent as this account. */
export function confirmAccountPage(ui: Ui, typed: TypedValues): PageContent {
  const { t, viewer } = ui;
  const text = t('form.check-as', { name: html`<bdi>${viewer?.username}</bdi>` });
  return {
    title: t('form.check-title'),
    robots: 'noindex',
    main: html`<h1>${t('form.check-title')}</h1>
${resendForm(ui, typed, { text })}`,
  };
}
