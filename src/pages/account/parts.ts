/* Small parts that several pages of an account have. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** A date of an ISO 8601 text. */
export const day = ({ format }: Ui, iso: string): Html => html`<time datetime="${iso}">${format.date(iso)}</time>`;

/** Date and time of an ISO 8601 text. */
export const moment = ({ format }: Ui, iso: string): Html =>
  html`<time datetime="${iso}">${format.dateTime(iso)}</time>`;

export const code = (text: string): Html => html`<code><bdi dir="ltr">${text}</bdi></code>`;

/** The link to the rules of the operator, which the developer agreement refers to. */
export const rulesLink = ({ t }: Ui): Html => html`<a href="/docs/review/">${t('account.agreement.rules')}</a>`;
