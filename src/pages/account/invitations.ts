import { html } from 'hono/html';
import {
  AcceptInvitationDocument,
  DeclineInvitationDocument,
  InvitationsPageDocument,
  type InvitationsPageQuery,
} from '../../generated/operations/graphql.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm } from '../components/form.ts';
import { day } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { authorName, roleName } from '../hub/author-invitations.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { accountPage } from './account-page.ts';
import { rowRefusal } from './parts.ts';

type Invitation = InvitationsPageQuery['authorInvitations'][number];

/** Invitations to become an author of an add-on, with a button for each answer. */
export const invitationsPage = page({
  path: '/account/invitations/',
  visitor: 'account',
  document: InvitationsPageDocument,
  view: ({ authorInvitations }, _input, ui) => {
    const { t } = ui;
    return accountPage(
      ui,
      'invitations',
      html`<p>${t('account.invitations.why')}</p>
${['accept-invitation', 'decline-invitation'].map((name) => rowRefusal(ui, name))}
${authorInvitations.length === 0 ? html`<p>${t('account.invitations.none')}</p>` : table(ui, authorInvitations)}`,
    );
  },
});

function table(ui: Ui, invitations: readonly Invitation[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'invitations',
    caption: t('account.invitations.title'),
    isCaptionHidden: true,
    columns: [
      'account.column.addon',
      'account.column.action',
      'account.column.invited-by',
      'hub.authors.role',
      'account.column.expires',
    ],
    rows: invitations.map((each) => [
      html`<bdi>${each.addonName}</bdi> <bdi dir="ltr" class="muted">${each.guid}</bdi>`,
      html`<div class="cluster">${answer(ui, each, 'accept')}${answer(ui, each, 'decline')}</div>`,
      authorName(each.invitedBy),
      html`${roleName(ui, each.role)}, ${t(each.isListed ? 'hub.authors.listed' : 'account.invitations.unlisted')}`,
      day(ui, each.expires),
    ]),
  });
}

const answer = (ui: Ui, { id, addonName }: Invitation, what: 'accept' | 'decline'): Html =>
  buttonForm(ui, {
    name: `${what}-invitation`,
    hidden: { id },
    button: html`${ui.t(`account.invitations.${what}`)}<span class="visually-hidden"> <bdi>${addonName}</bdi></span>`,
  });

export const acceptInvitationForm = form({
  page: invitationsPage,
  name: 'accept-invitation',
  fields: { id: textField },
  document: AcceptInvitationDocument,
  variables: (input) => input,
});

export const declineInvitationForm = form({
  page: invitationsPage,
  name: 'decline-invitation',
  fields: { id: textField },
  document: DeclineInvitationDocument,
  variables: (input) => input,
});
