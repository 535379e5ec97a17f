/* Small parts that several pages of an account have. */
import { html } from 'hono/html';
import { config } from '../../config.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** A date of an ISO 8601 text. */
export const day = ({ format }: Ui, iso: string): Html => html`<time datetime="${iso}">${format.date(iso)}</time>`;

/** Date and time of an ISO 8601 text. */
export const moment = ({ format }: Ui, iso: string): Html =>
  html`<time datetime="${iso}">${format.dateTime(iso)}</time>`;

/** The link to the developer agreement. */
const agreementLink = ({ t }: Ui): Html => html`<a href="/docs/agreement/">${t('account.agreement.read')}</a>`;

/** What the developer agreement says, in short, and the link to it. That of an operator is not summarized. */
export function agreementText(ui: Ui): Html {
  if (config.DEVELOPER_AGREEMENT_URL !== undefined) return agreementLink(ui);
  const rules = html`<a href="/docs/review/">${ui.t('account.agreement.rules')}</a>`;
  return html`${ui.t('account.agreement.text', { rules })} ${agreementLink(ui)}`;
}
