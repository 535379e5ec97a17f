import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The date of an ISO 8601 text. */
export const day = ({ format }: Ui, iso: string): Html => html`<time datetime="${iso}">${format.date(iso)}</time>`;

/** Date and time of an ISO 8601 text with seconds, for logs. */
export const exactMoment = ({ format }: Ui, iso: string): Html =>
  html`<time datetime="${iso}">${format.exactTime(iso)}</time>`;

/** Date and time of an ISO 8601 text. */
export const moment = ({ format }: Ui, iso: string): Html =>
  html`<time datetime="${iso}">${format.dateTime(iso)}</time>`;

/** Date and time of the last use of something; a text when it was never used. */
export const momentOrNever = (ui: Ui, iso: string | null): Html | string =>
  iso === null ? ui.t('account.never-used') : moment(ui, iso);
