import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The token that every form of a signed-in viewer contains; nothing for anonymous viewers. */
export const csrfField = ({ csrfToken }: Ui): Html =>
  csrfToken === null ? html`` : html`<input type="hidden" name="csrf" value="${csrfToken}">`;
