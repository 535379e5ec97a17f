import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Ui } from '../ui.ts';
import { adminHref } from './frame.ts';

/** An account as the audit log names it: its id and its username of that time. */
const ACCOUNT = /^account (\d+) \((.*)\)$/;

/** The username of an actor of the audit log, or the name of a part of the service. */
export const actorName = (actor: string): string => ACCOUNT.exec(actor)?.[2] ?? actor;

/** An actor of the audit log, as a link to the account for viewers who administer accounts. */
export function actorLink({ viewer }: Ui, actor: string): Html {
  const id = ACCOUNT.exec(actor)?.[1];
  const name = html`<bdi>${actorName(actor)}</bdi>`;
  if (id === undefined || viewer?.adminPages.includes('users') !== true) return name;
  return html`<a href="${adminHref('users')}${id}/">${name}</a>`;
}
