import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The token that every form of a signed-in viewer contains; nothing for anonymous viewers. */
export const csrfField = ({ csrfToken }: Ui): Html =>
  csrfToken === null ? html`` : html`<input type="hidden" name="csrf" value="${csrfToken}">`;

/** The field with the id of the response that a form came with. A form without it, which no page made, acts each time it is sent. */
export const ONCE_FIELD = 'once';

/** The id of the response, for each of its forms that change data. */
export const onceField = ({ onceId }: Ui): Html => html`<input type="hidden" name="${ONCE_FIELD}" value="${onceId}">`;
