/* Who runs the service and how to reach them: the settings of the operator. */

import { html } from 'hono/html';
import { wrapLink } from '../../auth/outgoing-links.ts';
import { config } from '../../config.ts';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';

/** The address of a contact: a mail address or a page. */
export const contactAddress = (contact: string): string => (isPage(contact) ? contact : `mailto:${contact}`);

const isPage = (contact: string): boolean => /^https?:/.test(contact);

/** A link to a contact. */
export const contactLink = (contact: string): Html =>
  html`<a href="${isPage(contact) ? wrapLink(contact) : contactAddress(contact)}"><bdi dir="ltr">${contact}</bdi></a>`;

/** Where visitors reach the operator: the contact, or the page that names the operator. */
const operatorLink = (ui: Ui): Html =>
  config.OPERATOR_CONTACT === undefined
    ? html`<a href="/about/">${ui.t('operator.about')}</a>`
    : contactLink(config.OPERATOR_CONTACT);

/** Why the operator disabled an add-on, and how to reach them; nothing for other reasons of `VisibilityReason`. */
export function operatorComment(ui: Ui, code: string, comment: string | null | undefined): Html {
  if (code !== 'DISABLED_BY_OPERATOR') return html``;
  return html`${comment && html`<blockquote><bdi>${comment}</bdi></blockquote>`}${askOperator(ui)}`;
}

/** The sentence that names a way to reach the operator. */
export const askOperator = (ui: Ui): Html => html`<p>${ui.t('operator.ask', { contact: operatorLink(ui) })}</p>`;
