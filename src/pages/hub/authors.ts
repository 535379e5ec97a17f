import { html } from 'hono/html';
import {
  type AuthorRole,
  HubAuthorsDocument,
  type HubAuthorsQuery,
  HubRemoveAuthorDocument,
  HubReorderAuthorsDocument,
  HubUpdateAuthorDocument,
} from '../../generated/operations/graphql.ts';
import { orNull, recordId } from '../../http/params.ts';
import { changed, expectedFields } from '../changes.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { dataTable } from '../components/data-table.ts';
import { actionOf, buttonForm, hiddenFields } from '../components/form.ts';
import type { FormField } from '../components/form-field.ts';
import { checkbox, choice, type FieldReader, optionalText, textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { authorName, invitationTable, inviteBox, roleName } from './author-invitations.ts';
import { addonContent, HUB_ADDON_PAGE, hasRight, hubAddon, hubUrl } from './hub-addon.ts';

type Addon = NonNullable<HubAuthorsQuery['addon']>;
/** The field with the expected order. */
const EXPECTED_ORDER = 'expected.accounts';

type Author = NonNullable<Addon['allAuthors']>[number];

/**
 * The authors of an add-on. Owners change them; `?remove=<id>` confirms the removal of one. Other authors may remove only themselves,
 * which is called leaving.
 */
export const authorsPage = page({
  path: '/developers/addon/:ref/authors/',
  ...HUB_ADDON_PAGE,
  query: { remove: orNull(recordId('Id of an author to remove.')) },
  document: HubAuthorsDocument,
  view: (data, { query }, ui) => {
    const addon = hubAddon(data.addon, 'EDIT');
    const authors = addon.allAuthors ?? [];
    const removed = authors.find(
      (author) => author.databaseId === query.remove && (hasRight(addon, 'OWN') || isSelf(ui, author)),
    );
    return addonContent(ui, {
      addon,
      tab: 'authors',
      ...(removed && { heading: removalTitle(ui, removed) }),
      body: (own) => {
        if (removed !== undefined) return removal(own, addon, removed);
        return hasRight(addon, 'OWN') ? authorForms(own, addon, authors) : authorNames(own, addon, authors);
      },
    });
  },
});

const roleField = (ui: Ui, role: AuthorRole): FormField => ({
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

const listedField = (ui: Ui, isChecked: boolean): FormField => ({
  kind: 'checkbox',
  name: 'isListed',
  label: ui.t('hub.authors.listed'),
  isChecked,
});

const isSelf = ({ viewer }: Ui, { databaseId }: Author): boolean => viewer?.accountId === databaseId;

const removalHref = (addon: Addon, { databaseId }: Author): string => hubUrl(addon, `authors?remove=${databaseId}`);

const removalTitle = (ui: Ui, author: Author): Html =>
  isSelf(ui, author) ? ui.t('hub.authors.leave') : ui.t('hub.authors.remove-title', { name: author.name });

/** The authors for those who may not change them, and the way to leave. */
function authorNames(ui: Ui, addon: Addon, authors: readonly Author[]): Html {
  const { t } = ui;
  const self = authors.find((author) => isSelf(ui, author));
  return html`<p>${t('hub.authors.text')}</p>
${dataTable(ui, {
  id: 'authors',
  caption: t('hub.authors.caption'),
  columns: ['hub.authors.name', 'hub.authors.role'],
  rows: authors.map((author) => [authorName(author), roleName(ui, author.role)]),
})}
${invitationTable(ui, addon)}
${self !== undefined && html`<p><a class="button danger" href="${removalHref(addon, self)}">${t('hub.authors.leave')}</a></p>`}`;
}

function authorForms(ui: Ui, addon: Addon, authors: readonly Author[]): Html {
  const { t } = ui;
  return html`<p>${t('hub.authors.text')}</p>
${dataTable(ui, {
  id: 'authors',
  caption: t('hub.authors.caption'),
  columns: ['hub.authors.name', 'hub.authors.rights', 'hub.authors.order', 'ui.remove'],
  rows: authors.map((author, index) => [
    authorName(author),
    changeForm(ui, addon, author),
    index === 0 ? '' : moveForm(ui, addon, authors, index),
    keptBecause(ui, authors, author) ??
      html`<a href="${removalHref(addon, author)}">${t('ui.remove')}<span class="visually-hidden"> <bdi>${author.name}</bdi></span></a>`,
  ]),
})}
${invitationTable(ui, addon)}
${inviteBox(ui, addon, roleField(ui, 'DEVELOPER'), listedField(ui, true))}`;
}

/** Why the service would refuse to remove an author; null when it would not. */
function keptBecause({ t }: Ui, authors: readonly Author[], removed: Author): Html | null {
  const others = authors.filter((author) => author !== removed);
  if (!others.some(({ role }) => role === 'OWNER')) return t('hub.authors.only-owner');
  return others.some(({ isListed }) => isListed) ? null : t('hub.authors.only-listed');
}

/** A form in a row of the table, with ids that contain the id of the account. */
function changeForm(ui: Ui, addon: Addon, author: Author): Html {
  const { t } = ui;
  const { accountId, databaseId, role, isListed } = author;
  // Only authors themselves decide that the page of the add-on shows them.
  const mayList = isListed || isSelf(ui, author);
  const form = `hub-author-change-${databaseId}`;
  const expected = expectedFields(null, { role, isListed });
  const options = ['OWNER', 'DEVELOPER'] as const;
  return html`<form method="post"${actionOf(ui)} class="form inline cluster" id="${form}">
${hiddenFields(ui, 'hub-author-change', [['id', addon.id], ['account', accountId], ...expected])}
<label for="${form}-role" class="visually-hidden">${t('hub.authors.role')}</label>
<select id="${form}-role" name="role">${options.map((each) => html`<option value="${each}"${each === role && html` selected`}>${roleName(ui, each)}</option>`)}</select>
${mayList && html`<label><input type="checkbox" name="isListed" value="true"${isListed && html` checked`}> ${t('hub.authors.listed')}</label>`}
<button class="button">${t('ui.save')}</button>
</form>`;
}

/** Moves an author one place up. */
function moveForm(ui: Ui, addon: Addon, authors: readonly Author[], index: number): Html {
  const order = authors.map(({ accountId }) => accountId);
  const expected = order.join(' ');
  const [moved = ''] = order.splice(index, 1);
  order.splice(index - 1, 0, moved);
  return buttonForm(ui, {
    name: 'hub-author-order',
    hidden: { id: addon.id, accounts: order.join(' '), [EXPECTED_ORDER]: expected },
    button: html`${ui.t('hub.up')}<span class="visually-hidden">: ${ui.t('hub.authors.up-of', { name: authors[index]?.name ?? '' })}</span>`,
  });
}

function removal(ui: Ui, addon: Addon, author: Author): Html {
  const { t } = ui;
  const isOwn = isSelf(ui, author);
  const name = html`<bdi>${author.name}</bdi>`;
  return confirmForm(ui, {
    name: 'hub-author-remove',
    consequences: isOwn
      ? [t('hub.authors.leave-rights'), t('hub.authors.leave-mails'), t('hub.authors.leave-return')]
      : [t('hub.authors.remove-rights', { name }), t('hub.authors.remove-mails')],
    keeps: [t(isOwn ? 'hub.authors.leave-keeps' : 'hub.authors.remove-keeps')],
    submit: t(isOwn ? 'hub.authors.leave' : 'ui.remove'),
    cancelHref: hubUrl(addon, 'authors'),
    hidden: { id: addon.id, account: author.accountId, ...(isOwn && { isOwn: 'true' }) },
  });
}

const role = choice('DEVELOPER', 'OWNER');

const optionalRole: FieldReader<AuthorRole | null> = {
  read: (typed, name) => (typed.has(name) ? role.read(typed, name) : null),
};

export const changeAuthorForm = form({
  page: authorsPage,
  name: 'hub-author-change',
  fields: { id: textField, account: textField, role: changed(optionalRole), isListed: changed(checkbox) },
  document: HubUpdateAuthorDocument,
  // What was not changed is not sent, as others may have changed it.
  variables: ({ id, account, role: newRole, isListed }) => ({
    input: { id, account, role: newRole?.value ?? null, isListed: isListed?.value ?? null },
  }),
});

export const orderAuthorsForm = form({
  page: authorsPage,
  name: 'hub-author-order',
  fields: { id: textField, accounts: textField, [EXPECTED_ORDER]: optionalText },
  document: HubReorderAuthorsDocument,
  variables: ({ id, accounts, [EXPECTED_ORDER]: expected }) => ({
    input: { id, accounts: accounts.split(' '), expected: expected?.split(' ') ?? null },
  }),
});

export const removeAuthorForm = form({
  page: authorsPage,
  name: 'hub-author-remove',
  fields: { id: textField, account: textField, isOwn: checkbox },
  document: HubRemoveAuthorDocument,
  variables: ({ id, account }) => ({ id, account }),
  // Authors who have left have no rights to this page.
  done: (_result, _input, { isOwn }) => doneAt('/developers/', isOwn ? 'hub-author-leave' : 'hub-author-remove'),
});
