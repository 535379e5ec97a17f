/* Small parts that several pages of an account have. */
import { html } from 'hono/html';
import { config } from '../../config.ts';
import { actionOf, hiddenFields } from '../components/form.ts';
import { notice, RESULT_ID } from '../components/notice.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** Why the form of a row of a table was refused. */
export function rowRefusal(ui: Ui, form: string): Html {
  const refused = ui.form(form);
  const messages = refused === null ? [] : [...refused.summary, ...(refused.errors.id ?? [])];
  return html`${messages.map((text, index) =>
    notice(ui, { kind: 'error', text, isResult: true, ...(index === 0 && { id: RESULT_ID }) }),
  )}`;
}

interface RowsForm {
  name: string;
  /** The table, in which each row has a button that names it: `id`. */
  table: Html;
}

/** The form around a table. */
export const rowsForm = (
  ui: Ui,
  { name, table }: RowsForm,
): Html => html`<form method="post"${actionOf(ui)} id="${name}">
${hiddenFields(ui, name, [])}
${table}
</form>`;

/** The link to the developer agreement. */
const agreementLink = ({ t }: Ui): Html => html`<a href="/docs/agreement/">${t('account.agreement.read')}</a>`;

/** A summary of the developer agreement, and the link to it. That of an operator is not summarized. */
export function agreementText(ui: Ui): Html {
  if (config.DEVELOPER_AGREEMENT_URL !== undefined) return agreementLink(ui);
  const rules = html`<a href="/docs/review/">${ui.t('account.agreement.rules')}</a>`;
  return html`${ui.t('account.agreement.text', { rules })} ${agreementLink(ui)}`;
}
