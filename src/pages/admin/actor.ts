import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { adminUrl } from './admin-page.ts';

/** An account as the audit log names it: its id and its username of that time. */
const ACCOUNT = /^account (\d+) \((.*)\)$/;

/** The username of an actor of the audit log, or the name of a part of the service. */
export const actorName = (actor: string): string => ACCOUNT.exec(actor)?.[2] ?? actor;

/** An actor of the audit log, as a link to the account for viewers who administer accounts. */
export function actorLink({ viewer }: Ui, actor: string): Html {
  const id = ACCOUNT.exec(actor)?.[1];
  const name = html`<bdi>${actorName(actor)}</bdi>`;
  if (id === undefined || viewer?.adminPages.includes('users') !== true) return name;
  return html`<a href="${adminUrl('users')}${id}/">${name}</a>`;
}

/** The address of the audit log with these filters. */
export const auditUrl = (filter: Readonly<Record<string, string>>): string =>
  `${adminUrl('audit')}?${new URLSearchParams(filter)}`;

type AuditText = 'admin.audit.about-addon' | 'admin.user.audit-about' | 'admin.user.audit-actions';

/** A link to entries of the audit log; none for viewers who may not read it. */
export const auditLink = ({ t, viewer }: Ui, filter: Readonly<Record<string, string>>, text: AuditText): Html[] =>
  viewer?.adminPages.includes('audit') === true ? [html`<a href="${auditUrl(filter)}">${t(text)}</a>`] : [];
