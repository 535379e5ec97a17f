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
  /** Kinds of data that it declares to collect or send, `none` for none; empty without a declaration. */
  data: readonly string[];
  /** Those that it may ask to collect later. */
  optionalData: readonly string[];
  /** Those of `data` that the previous version did not have. */
  newData: readonly string[];
}

const ALL_SITES = ['<all_urls>', '*://*/*', 'http://*/*', 'https://*/*'];

const isHost = (permission: string): boolean => ALL_SITES.includes(permission) || permission.includes('://');

/** What an add-on may do and which data it collects, in words, with the raw names; what its last version did not have is marked. */
export function permissionList(ui: Ui, { permissions, hosts, optional, previous, ...collected }: Permissions): Html {
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
${dataList(ui, collected)}
</div>`;
}

const NO_DATA = 'none';

/** Nothing for a package that does not say which data it collects. */
function dataList(
  ui: Ui,
  { data, optionalData, newData }: Pick<Permissions, 'data' | 'optionalData' | 'newData'>,
): Html {
  const kinds = data.filter((kind) => kind !== NO_DATA);
  const items = (shown: readonly string[]): Html => html`<ul>
${shown.map(
  (kind) => html`<li>${icon(ui, 'shield')}<span>${inWords(ui, `data.${kind}`, kind)}${
    newData.includes(kind) && html` ${badge(ui, { kind: 'warning', text: ui.t('ui.permissions.new') })}`
  }</span></li>
`,
)}</ul>`;
  return html`${data.length + optionalData.length > 0 && html`<h3>${ui.t('ui.data.title')}</h3>`}
${kinds.length > 0 && items(kinds)}
${kinds.length === 0 && data.includes(NO_DATA) && html`<p class="permission-none">${icon(ui, 'check')}${ui.t('ui.data.none')}</p>`}
${optionalData.length > 0 && html`<details><summary>${ui.t('ui.data.optional')}</summary>${items(optionalData)}</details>`}`;
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
  return inWords(ui, `permission.${permission}`, permission);
}

/** The text with this key, if there is one, and the raw name. */
function inWords(ui: Ui, key: string, name: string): Html {
  const raw = html`<bdi dir="ltr"><code>${name}</code></bdi>`;
  return isTextKey(key) ? html`${ui.t(key)} ${raw}` : raw;
}
