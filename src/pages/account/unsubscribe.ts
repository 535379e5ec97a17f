import { html } from 'hono/html';
import {
  type NotificationFieldsFragment,
  UnsubscribeDocument,
  UnsubscribePageDocument,
} from '../../generated/operations/graphql.ts';
import { segmentParam } from '../../http/params.ts';
import { formElement } from '../components/form.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { type PageContent, page, redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { notificationText } from './notifications.ts';

/** The page behind the unsubscribe link of a mailing. The token in its path is the credential. */
export const unsubscribePage = page({
  path: '/account/unsubscribe/:token/',
  visitor: 'all',
  params: { token: segmentParam('The token of the link.') },
  document: UnsubscribePageDocument,
  variables: ({ path }) => path,
  view: ({ mailingOfLink: mailing }, _input, ui) => {
    const { t } = ui;
    if (mailing === null) {
      return {
        ...content(
          t('account.unsubscribe.invalid-title'),
          html`<p>${t('account.unsubscribe.invalid', { settings: settingsLink(ui) })}</p>`,
        ),
        status: 404,
      };
    }
    if (!mailing.isEnabled) return unsubscribed(ui);
    return content(t('account.unsubscribe.title'), question(ui, mailing));
  },
});

function question(ui: Ui, { name }: NotificationFieldsFragment): Html {
  const { t } = ui;
  return html`<p>${t('account.unsubscribe.question', { kind: html`<strong>${notificationText(ui, name)}</strong>` })}</p>
${formElement(ui, { name: 'unsubscribe', submit: t('account.unsubscribe.title'), parts: [] })}`;
}

function unsubscribed(ui: Ui): PageContent {
  const { t } = ui;
  return content(
    t('account.unsubscribe.done-title'),
    html`<p>${t('account.unsubscribe.done', { settings: settingsLink(ui) })}</p>`,
  );
}

const settingsLink = ({ t }: Ui): Html =>
  html`<a href="/account/notifications/">${t('account.unsubscribe.settings')}</a>`;

const content = (title: Html, main: Html): PageContent => ({
  title,
  robots: 'noindex, nofollow',
  neverStored: true,
  main: html`<div class="prose"><h1>${title}</h1>
${main}</div>`,
});

export const unsubscribeForm = form({
  page: unsubscribePage,
  name: 'unsubscribe',
  fields: {},
  document: UnsubscribeDocument,
  variables: (_values, { path }) => ({ input: { token: String(path.token) } }),
  done: (_result, _input, _values, ui) => redirect(ui.path, 303),
  oneClick: unsubscribed,
});
