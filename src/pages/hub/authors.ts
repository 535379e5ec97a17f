import { html } from 'hono/html';
import {
  type AuthorRole,
  HubAddAuthorDocument,
  HubAuthorsDocument,
  type HubAuthorsQuery,
  HubRemoveAuthorDocument,
  HubReorderAuthorsDocument,
  HubUpdateAuthorDocument,
} from '../../generated/operations/graphql.ts';
import { orNull, recordId } from '../../http/params.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { csrfField } from '../components/csrf-field.ts';
import { dataTable } from '../components/data-table.ts';
import { form as formBox } from '../components/form.ts';
import type { Field as FieldPart } from '../components/form-field.ts';
import { checkbox, choice, textField } from '../fields.ts';
import { form, withDone } from '../form.ts';
import type { Html } from '../html.ts';
import { page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { ADDON_PARAMS, addonContent, hidden, hubAddon, hubHref } from './addon-frame.ts';

type Addon = NonNullable<HubAuthorsQuery['addon']>;
type Author = NonNullable<Addon['allAuthors']>[number];

/** The authors of an add-on, for its owners; the removal of one with `?remove=<id>`. */
export const authorsPage = hidden(
  page({
    path: '/developers/addon/:ref/authors/',
    visitor: 'account',
    params: ADDON_PARAMS,
    query: { remove: orNull(recordId('Id of an author to remove.')) },
    document: HubAuthorsDocument,
    variables: ({ path }) => path,
    view: (data, { query }, ui) => {
      const addon = hubAddon(data.addon, 'OWN');
      const authors = addon.allAuthors ?? [];
      const removed = authors.find(({ databaseId }) => databaseId === query.remove);
      return {
        ...addonContent(ui, {
          addon,
          tab: 'authors',
          ...(removed && { heading: ui.t('hub.authors.remove-title', { name: removed.name }) }),
          body: removed === undefined ? authorList(ui, addon, authors) : removal(ui, addon, removed),
        }),
        scripts: ['focus-errors.js'],
      };
    },
  }),
);

const roleField = (ui: Ui, role: AuthorRole): FieldPart => ({
  kind: 'select',
  name: 'role',
  label: ui.t('hub.authors.role'),
  isRequired: true,
  value: role,
  options: [
    { value: 'OWNER', text: ui.t('hub.authors.owner') },
    { value: 'DEVELOPER', text: ui.t('hub.authors.developer') },
  ],
});

const listedField = (ui: Ui, isChecked: boolean): FieldPart => ({
  kind: 'checkbox',
  name: 'listed',
  label: ui.t('hub.authors.listed'),
  isChecked,
});

function authorList(ui: Ui, addon: Addon, authors: readonly Author[]): Html {
  const { t } = ui;
  return html`<p>${t('hub.authors.text')}</p>
${dataTable(ui, {
  id: 'authors',
  caption: t('hub.authors.caption'),
  columns: [
    { text: t('hub.authors.name') },
    { text: t('hub.authors.rights') },
    { text: t('hub.authors.order') },
    { text: t('hub.authors.remove') },
  ],
  rows: authors.map((author, index) => [
    html`<bdi>${author.name}</bdi> <bdi dir="ltr" class="muted">${author.username}</bdi>`,
    changeForm(ui, addon, author),
    index === 0 ? '' : moveForm(ui, addon, authors, index),
    html`<a href="${hubHref(addon, `authors?remove=${author.databaseId}`)}">${t('hub.authors.remove')}<span class="visually-hidden"> <bdi>${author.name}</bdi></span></a>`,
  ]),
})}
<h2>${t('hub.authors.add')}</h2>
${formBox(ui, {
  name: 'hub-author-add',
  hidden: { id: addon.id },
  parts: [
    {
      kind: 'text',
      name: 'account',
      label: t('hub.authors.username'),
      hint: t('hub.authors.username-hint'),
      isRequired: true,
      direction: 'ltr',
      maxLength: 255,
    },
    roleField(ui, 'DEVELOPER'),
    listedField(ui, true),
  ],
  submit: t('hub.authors.add'),
})}`;
}

/** A form in a row of the table, with ids that contain the username. */
function changeForm(ui: Ui, addon: Addon, { account, role, isListed, username }: Author): Html {
  const { t } = ui;
  const id = `role-${username}`;
  const options = ['OWNER', 'DEVELOPER'] as const;
  return html`<form method="post" class="form inline cluster">
${rowFields(ui, 'hub-author-change', addon, account.id)}
<label for="${id}" class="visually-hidden">${t('hub.authors.role')}</label>
<select id="${id}" name="role">${options.map((each) => html`<option value="${each}"${each === role && html` selected`}>${t(each === 'OWNER' ? 'hub.authors.owner' : 'hub.authors.developer')}</option>`)}</select>
<label><input type="checkbox" name="listed" value="true"${isListed && html` checked`}> ${t('hub.authors.listed')}</label>
<button class="button">${t('hub.save')}</button>
</form>`;
}

/** Moves an author one place up. */
function moveForm(ui: Ui, addon: Addon, authors: readonly Author[], index: number): Html {
  const order = authors.map(({ account }) => account.id);
  const [moved = ''] = order.splice(index, 1);
  order.splice(index - 1, 0, moved);
  return html`<form method="post" class="form inline">
${rowFields(ui, 'hub-author-order', addon, null)}
<input type="hidden" name="accounts" value="${order.join(' ')}">
<button class="button">${ui.t('hub.up')}<span class="visually-hidden">: ${ui.t('hub.authors.up-of', { name: authors[index]?.name ?? '' })}</span></button>
</form>`;
}

const rowFields = (ui: Ui, name: string, addon: Addon, account: string | null): Html =>
  html`<input type="hidden" name="form" value="${name}">${csrfField(ui)}
<input type="hidden" name="id" value="${addon.id}">${account !== null && html`<input type="hidden" name="account" value="${account}">`}`;

const removal = (ui: Ui, addon: Addon, { account, name }: Author): Html =>
  confirmForm(ui, {
    name: 'hub-author-remove',
    consequences: [
      ui.t('hub.authors.remove-rights', { name: html`<bdi>${name}</bdi>` }),
      ui.t('hub.authors.remove-mails'),
    ],
    keeps: [ui.t('hub.authors.remove-keeps')],
    submit: ui.t('hub.authors.remove'),
    cancelHref: hubHref(addon, 'authors'),
    hidden: { id: addon.id, account: account.id },
  });

const role = choice('DEVELOPER', 'OWNER');

export const addAuthorForm = form({
  page: authorsPage,
  name: 'hub-author-add',
  fields: { id: textField, account: textField, role, listed: checkbox },
  document: HubAddAuthorDocument,
  variables: ({ account, ...values }) => ({
    input: { ...values, account: { username: account } },
  }),
});

export const changeAuthorForm = form({
  page: authorsPage,
  name: 'hub-author-change',
  fields: { id: textField, account: textField, role, listed: checkbox },
  document: HubUpdateAuthorDocument,
  variables: (input) => ({ input }),
});

export const orderAuthorsForm = form({
  page: authorsPage,
  name: 'hub-author-order',
  fields: { id: textField, accounts: textField },
  document: HubReorderAuthorsDocument,
  variables: ({ id, accounts }) => ({ id, accounts: accounts.split(' ') }),
});

export const removeAuthorForm = form({
  page: authorsPage,
  name: 'hub-author-remove',
  fields: { id: textField, account: textField },
  document: HubRemoveAuthorDocument,
  variables: (values) => values,
  // The viewer may have removed themselves, and then has no rights to this page.
  done: () => redirect(withDone('/developers/', 'hub-author-remove'), 303),
});
