import { html } from 'hono/html';
import { config } from '../../config.ts';
import { payloadOf } from '../../execution/endpoint.ts';
import {
  IdentitiesPageDocument,
  type IdentitiesPageQuery,
  LinkOwnIdentityDocument,
  RemoveOwnIdentityDocument,
} from '../../generated/operations/graphql.ts';
import { loginCookie } from '../../http/cookies.ts';
import { dataTable } from '../components/data-table.ts';
import { formElement } from '../components/form.ts';
import { day, momentOrNever } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { accountPage } from './account-page.ts';
import { rowRefusal, rowsForm } from './parts.ts';

type Identity = NonNullable<NonNullable<IdentitiesPageQuery['viewer']>['private']>['identities'][number];

/** The ways to sign in to the account. */
export const identitiesPage = page({
  path: '/account/identities/',
  visitor: 'account',
  needsRecentSignIn: true,
  document: IdentitiesPageDocument,
  view: ({ viewer }, _input, ui) => {
    if (!viewer?.private) return null;
    const { t } = ui;
    const { identities } = viewer.private;
    const isProvider = config.OIDC_ISSUER !== undefined;
    const add = formElement(ui, { name: 'link-identity', submit: t('account.identities.add'), parts: [] });
    return accountPage(
      ui,
      'identities',
      html`<p>${t(identities.length === 0 ? 'account.identities.none' : 'account.identities.why')}</p>
${rowRefusal(ui, 'remove-identity')}
${identities.length > 0 && rowsForm(ui, { name: 'remove-identity', table: table(ui, identities) })}
<section class="stack"><h2>${t('account.identities.add')}</h2>
<p>${t(isProvider ? 'account.identities.how' : 'account.identities.no-provider')}</p>
${isProvider && add}</section>`,
    );
  },
});

function table(ui: Ui, identities: readonly Identity[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'identities',
    caption: t('account.identities.title'),
    isCaptionHidden: true,
    columns: [
      'account.column.provider',
      'account.column.action',
      'account.column.email',
      'account.column.since',
      'account.column.last-used',
    ],
    rows: identities.map((each) => [
      html`<bdi dir="ltr">${each.provider}</bdi>`,
      identities.length === 1 ? t('account.identities.only') : removeButton(ui, each),
      html`<bdi dir="ltr">${each.email ?? '–'}</bdi>`,
      day(ui, each.created),
      momentOrNever(ui, each.lastUsed),
    ]),
  });
}

const removeButton = ({ t }: Ui, { id, email, provider }: Identity): Html =>
  html`<button type="submit" class="button small" name="id" value="${id}">${t('ui.remove')}<span class="visually-hidden"> <bdi dir="ltr">${email ?? provider}</bdi></span></button>`;

export const removeIdentityForm = form({
  page: identitiesPage,
  name: 'remove-identity',
  fields: { id: textField },
  document: RemoveOwnIdentityDocument,
  variables: (input) => ({ input }),
});

/** Leads to the provider by a link: browsers refuse forms that are redirected to another site. */
export const linkIdentityForm = form({
  page: identitiesPage,
  name: 'link-identity',
  fields: {},
  document: LinkOwnIdentityDocument,
  variables: () => ({}),
  done: ({ linkIdentity }, _input, _values, ui) => {
    const { location, browser } = payloadOf(linkIdentity, 'location');
    const { t } = ui;
    const main = html`<p>${t('account.identities.continue-why')}</p>
<p><a class="button primary" href="${location}" rel="nofollow">${t('account.identities.continue')}</a></p>
<p><a href="/account/identities/">${t('ui.cancel')}</a></p>`;
    return { ...accountPage(ui, 'identities', main), neverStored: true, cookies: [loginCookie(browser)] };
  },
});
