/* The part of the page of authors that invites others, and the invitations that are not answered. */

import { html } from 'hono/html';
import {
  type AuthorRole,
  type HubAuthorsQuery,
  HubInviteAuthorDocument,
  HubResendInvitationDocument,
  HubWithdrawInvitationDocument,
} from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm, formElement } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { day } from '../components/time.ts';
import { checkbox, choice, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import type { PageRow } from '../page.ts';
import type { Ui } from '../ui.ts';
import { hasRight } from './hub-addon.ts';

type Addon = NonNullable<HubAuthorsQuery['addon']>;
type Invitation = NonNullable<Addon['authorInvitations']>[number];

/** The name of a role. */
export const roleName = (ui: Ui, role: AuthorRole): Html =>
  ui.t(role === 'OWNER' ? 'hub.authors.owner' : 'hub.authors.developer');

/** Name and username of an account. */
export const authorName = ({ name, username }: { name: string; username: string }): Html =>
  html`<bdi>${name}</bdi> <bdi dir="ltr" class="muted">${username}</bdi>`;

/** The invitations that are not answered. Owners send them again and withdraw them. */
export function invitationTable(ui: Ui, addon: Addon): Html {
  const { t } = ui;
  const invitations = addon.authorInvitations ?? [];
  if (invitations.length === 0) return html``;
  const isOwner = hasRight(addon, 'OWN');
  return dataTable(ui, {
    id: 'invitations',
    caption: t('hub.authors.invitations'),
    columns: [
      'hub.authors.invited',
      'hub.authors.role',
      'hub.authors.answer-until',
      ...(isOwner ? ['account.column.action' as const] : []),
    ],
    rows: invitations.map((each) => [
      authorName(each.account),
      roleName(ui, each.role),
      each.isExpired ? t('hub.authors.expired') : day(ui, each.expires),
      ...(isOwner
        ? [html`<div class="cluster">${action(ui, each, 'resend')}${action(ui, each, 'withdraw')}</div>`]
        : []),
    ]),
  });
}

const action = (ui: Ui, { id, account }: Invitation, what: 'resend' | 'withdraw'): Html =>
  buttonForm(ui, {
    name: `hub-invitation-${what}`,
    hidden: { id },
    button: html`${ui.t(`hub.authors.${what}`)}<span class="visually-hidden"> <bdi>${account.name}</bdi></span>`,
  });

/** The form that invites an author. */
export const inviteBox = (
  ui: Ui,
  addon: Addon,
  role: FormField,
  isListed: FormField,
): Html => html`<h2>${ui.t('hub.authors.invite')}</h2>
<p>${ui.t('hub.authors.invite-text')}</p>
${formElement(ui, {
  name: 'hub-author-invite',
  hidden: { id: addon.id },
  parts: [
    {
      kind: 'text',
      name: 'account',
      label: ui.t('account.username'),
      hint: ui.t('hub.authors.username-hint'),
      isRequired: true,
      direction: 'ltr',
      maxLength: 255,
    },
    role,
    isListed,
  ],
  submit: ui.t('hub.authors.invite'),
})}`;

/** The forms of invitations on the page of authors. */
export const invitationForms = (page: PageRow) => [
  form({
    page,
    name: 'hub-author-invite',
    fields: { id: textField, account: textField, role: choice('DEVELOPER', 'OWNER'), isListed: checkbox },
    document: HubInviteAuthorDocument,
    variables: ({ account, ...values }) => ({ input: { ...values, account: { username: account } } }),
  }),
  form({
    page,
    name: 'hub-invitation-resend',
    fields: { id: textField },
    document: HubResendInvitationDocument,
    variables: (input) => input,
  }),
  form({
    page,
    name: 'hub-invitation-withdraw',
    fields: { id: textField },
    document: HubWithdrawInvitationDocument,
    variables: (input) => input,
  }),
];
