import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { badge } from './badge.ts';
import { icon } from './icon.ts';

interface Permissions {
  /** Raw names, hosts among them in manifests of version 2. */
  permissions: readonly string[];
  hosts: readonly string[];
  /** What the add-on may request later. */
  optional: readonly string[];
  /** Those of the previous version; null for the first one. */
  previous: readonly string[] | null;
}

const ALL_SITES = ['<all_urls>', '*://*/*', 'http://*/*', 'https://*/*'];

const isHost = (permission: string): boolean => ALL_SITES.includes(permission) || permission.includes('://');

/** What an add-on may do, in words, with the raw names; those that its last version did not have are marked. */
export function permissionList(ui: Ui, { permissions, hosts, optional, previous }: Permissions): Html {
  const required = [...new Set([...permissions, ...hosts])];
  const isNew = (permission: string) => previous !== null && !previous.includes(permission);
  const later = [...new Set(optional)].filter((permission) => !required.includes(permission));
  return html`<div class="permission-list">
${
  required.length === 0
    ? html`<p class="permission-none">${icon(ui, 'check')}${ui.t('ui.permissions.none')}</p>`
    : list(ui, required, isNew)
}
${
  later.length > 0 &&
  html`<details><summary>${ui.t('ui.permissions.optional', { count: later.length })}</summary>${list(ui, later, () => false)}</details>`
}
</div>`;
}

function list(ui: Ui, permissions: readonly string[], isNew: (permission: string) => boolean): Html {
  return html`<ul>
${permissions.map(
  (permission) => html`<li>${icon(ui, isHost(permission) ? 'globe' : 'shield')}<span>${explanation(ui, permission)}${
    isNew(permission) && html` ${badge(ui, { kind: 'warning', text: ui.t('ui.permissions.new') })}`
  }</span></li>
`,
)}</ul>`;
}

/** An unknown permission is shown by its name alone. */
function explanation(ui: Ui, permission: string): Html {
  const raw = html`<bdi dir="ltr"><code>${permission}</code></bdi>`;
  if (ALL_SITES.includes(permission)) return html`${ui.t('permission.host-all')} ${raw}`;
  if (isHost(permission)) return ui.t('permission.host-one', { site: raw });
  const key = `permission.${permission}`;
  return isTextKey(key) ? html`${ui.t(key)} ${raw}` : raw;
}
