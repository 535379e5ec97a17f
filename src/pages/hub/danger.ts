import { html } from 'hono/html';
import { NotPermittedError, refusedField } from '../../errors.ts';
import {
  HubDangerDocument,
  type HubDangerQuery,
  HubDeleteAddonDocument,
  HubSetDisabledDocument,
  ModerationSetAddonDisabledDocument,
} from '../../generated/operations/graphql.ts';
import { message } from '../../texts/messages.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { choice, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import { code, type Html } from '../html.ts';
import { switchFields, switchForm, switchVariables } from '../moderation/switch-forms.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { addonContent, HUB_ADDON_PAGE, hasRight, hubAddon, hubName, hubUrl } from './hub-addon.ts';

type Addon = NonNullable<HubDangerQuery['addon']>;

/** Disabling, enabling and deleting an add-on, with what happens; for its developers, and for staff as the operator. */
export const dangerPage = page({
  path: '/developers/addon/:ref/danger/',
  ...HUB_ADDON_PAGE,
  document: HubDangerDocument,
  view: (data, _input, ui) => {
    const addon = hubAddon(data.addon, 'DISABLE', 'ADMINISTER');
    // A deleted add-on has no slug.
    if (addon.slug === null) throw new NotPermittedError();
    return addonContent(ui, {
      addon,
      tab: 'danger',
      body: (own) => html`${hasRight(addon, 'DISABLE') && disabling(own, addon)}
${hasRight(addon, 'ADMINISTER') && operatorSwitch(own, addon)}
${hasRight(addon, 'DELETE') && deletion(own, addon)}`,
    });
  },
});

function disabling(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const isDisabled = addon.visibility?.reasons.some(({ code }) => code === 'DISABLED_BY_DEVELOPERS') ?? false;
  return html`<section><h2>${t(isDisabled ? 'hub.danger.enable' : 'hub.danger.disable')}</h2>
${confirmForm(ui, {
  name: 'hub-disable',
  isDanger: false,
  consequences: isDisabled
    ? [t('hub.danger.enable-text')]
    : [t('hub.danger.disable-hidden'), t('hub.danger.disable-updates')],
  keeps: isDisabled ? [] : [t('hub.danger.disable-keeps', { count: addon.averageDailyUsers })],
  submit: t(isDisabled ? 'hub.danger.enable' : 'hub.danger.disable'),
  cancelHref: hubUrl(addon),
  hidden: { id: addon.id, disabled: isDisabled ? 'no' : 'yes' },
})}</section>`;
}

/** Disabling and enabling as the operator, which its developers cannot undo. */
const operatorSwitch = (ui: Ui, addon: Addon): Html =>
  html`<section class="stack" aria-labelledby="operator"><h2 id="operator">${ui.t('hub.danger.operator')}</h2>
${switchForm(ui, {
  ...{ name: 'hub-operator-disable', kind: 'addon', id: addon.id, subject: hubName(ui, addon) },
  isDisabled: addon.status === 'DISABLED',
  cancelHref: hubUrl(addon),
})}</section>`;

function deletion(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const slug = code(addon.slug ?? '');
  return html`<section><h2>${t('hub.danger.delete')}</h2>
${confirmForm(ui, {
  name: 'hub-delete',
  consequences: [t('hub.danger.delete-versions'), t('hub.danger.delete-guid'), t('hub.danger.delete-final')],
  keeps: [t('hub.danger.delete-keeps')],
  fields: [
    { kind: 'text', name: 'slug', label: t('hub.danger.type-slug', { slug }), isRequired: true, direction: 'ltr' },
    { kind: 'text', name: 'reason', label: t('hub.danger.reason'), maxLength: 500 },
  ],
  submit: t('hub.danger.delete'),
  cancelHref: hubUrl(addon),
  hidden: { id: addon.id, expected: addon.slug ?? '' },
})}</section>`;
}

export const disableForm = form({
  page: dangerPage,
  name: 'hub-disable',
  fields: { id: textField, disabled: choice('yes', 'no') },
  document: HubSetDisabledDocument,
  variables: ({ id, disabled }) => ({ id, disabled: disabled === 'yes' }),
});

export const operatorDisableForm = form({
  page: dangerPage,
  name: 'hub-operator-disable',
  fields: switchFields,
  document: ModerationSetAddonDisabledDocument,
  variables: switchVariables,
  done: (_result, _input, _values, { path }) => doneAt(path, 'moderation-addon'),
});

export const deleteAddonForm = form({
  page: dangerPage,
  name: 'hub-delete',
  fields: { id: textField, slug: textField, expected: textField, reason: optionalText },
  document: HubDeleteAddonDocument,
  variables: ({ id, slug, expected, reason }) => {
    if (slug !== expected || slug === '') throw refusedField('slug', message('form.other_addon_name'));
    return { id, reason };
  },
  done: () => redirect('/developers/?done=hub-delete', 303),
});
