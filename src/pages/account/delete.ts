import { html } from 'hono/html';
import { refusedField } from '../../errors.ts';
import {
  DeleteOwnAccountDocument,
  DeletionPageDocument,
  type DeletionPageQuery,
} from '../../generated/operations/graphql.ts';
import { clearedSessionCookies } from '../../http/cookies.ts';
import { message } from '../../texts/messages.ts';
import { confirmForm } from '../components/confirm-form.ts';
import { localText } from '../components/local-text.ts';
import { notice } from '../components/notice.ts';
import { textField } from '../fields.ts';
import { doneAt, form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { accountPage, ownId } from './account-page.ts';

type Account = NonNullable<DeletionPageQuery['viewer']>;

/** What goes and what stays. Authors get their add-ons instead: an account with add-ons cannot be deleted (docs/decisions.md D95). */
export const deletionPage = page({
  path: '/account/delete/',
  visitor: 'account',
  needsRecentSignIn: true,
  document: DeletionPageDocument,
  view: ({ viewer }, _input, ui) => {
    if (viewer === null) return null;
    const hasAddons = viewer.addons.totalCount > 0;
    return accountPage(ui, 'delete', hasAddons ? addonsFirst(ui, viewer) : confirmation(ui, viewer));
  },
});

function addonsFirst(ui: Ui, { addons }: Account): Html {
  const { t } = ui;
  const hidden = addons.totalCount - addons.nodes.length;
  return html`${notice(ui, {
    kind: 'warning',
    title: t('account.delete.addons-first', { count: addons.totalCount }),
    text: t('account.delete.how'),
  })}
<ul>
${addons.nodes.map(
  (
    addon,
  ) => html`<li><a href="/developers/addon/${addon.slug ?? addon.databaseId}/">${addon.name?.value ? localText(ui, addon.name) : html`<bdi dir="ltr">${addon.slug ?? addon.databaseId}</bdi>`}</a></li>
`,
)}</ul>
${hidden > 0 ? html`<p>${t('account.delete.more-addons', { count: hidden })}</p>` : ''}`;
}

function confirmation(ui: Ui, { username }: Account): Html {
  const { t } = ui;
  return confirmForm(ui, {
    name: 'delete-account',
    consequences: [
      t('account.delete.profile'),
      t('account.delete.credentials'),
      t('account.delete.mails'),
      t('account.delete.new-account'),
    ],
    keeps: [t('account.delete.traces')],
    fields: [
      {
        kind: 'text',
        name: 'username',
        label: t('account.delete.type', { username: html`<bdi dir="ltr">${username}</bdi>` }),
        isRequired: true,
        direction: 'ltr',
      },
    ],
    submit: t('account.delete.button'),
    cancelHref: '/account/',
  });
}

export const deletionForm = form({
  page: deletionPage,
  name: 'delete-account',
  fields: { username: textField },
  document: DeleteOwnAccountDocument,
  variables: ({ username }, input) => {
    const own = input.viewer?.username ?? '';
    if (username.toLowerCase() !== own.toLowerCase())
      throw refusedField('username', message('form.type_text', { text: own }));
    return { input: { id: ownId(input) } };
  },
  done: () => ({ ...doneAt('/', 'delete-account'), cookies: clearedSessionCookies() }),
});
