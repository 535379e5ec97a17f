import { html } from 'hono/html';
import {
  ReviewSubscriptionsPageDocument,
  type ReviewSubscriptionsPageQuery,
  SetReviewSubscriptionDocument,
} from '../../generated/operations/graphql.ts';
import { reviewPath } from '../catalogue/addon-head.ts';
import { dataTable } from '../components/data-table.ts';
import { buttonForm } from '../components/form.ts';
import { CURSOR_PARAM, cursorPager } from '../components/pager.ts';
import { moment } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { hubName } from '../hub/hub-addon.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { reviewerPage } from './reviewer-page.ts';

const PATH = '/reviewers/subscriptions/';

type Subscription = ReviewSubscriptionsPageQuery['reviewSubscriptions']['nodes'][number];

/** The add-ons whose reviews cause mails to the viewer, also those that the viewer may not see any more. */
export const subscriptionsPage = page({
  path: PATH,
  visitor: 'account',
  query: CURSOR_PARAM,
  document: ReviewSubscriptionsPageDocument,
  variables: ({ query }) => query,
  view: ({ reviewSubscriptions: { nodes, pageInfo } }, { search }, ui) => {
    const { t } = ui;
    return reviewerPage(ui, {
      title: t('review.page.subscriptions'),
      isForOthers: true,
      body: html`<p>${t('review.subscriptions.why')}</p>
${nodes.length === 0 ? html`<p>${t('review.subscriptions.none')}</p>` : table(ui, nodes)}
${cursorPager(ui, { search, pageInfo })}`,
    });
  },
});

function table(ui: Ui, subscriptions: readonly Subscription[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    ...{ id: 'subscriptions', caption: t('review.page.subscriptions'), isCaptionHidden: true },
    isStacked: true,
    columns: ['admin.column.addon', 'review.subscriptions.since', 'admin.column.actions'],
    rows: subscriptions.map(({ addonId, addonGuid, addon, created }) => [
      addon === null
        ? html`<bdi dir="ltr">${addonGuid}</bdi> <span class="muted">${t('review.subscriptions.hidden')}</span>`
        : html`<a href="${reviewPath(addon)}">${hubName(ui, addon)}</a>`,
      moment(ui, created),
      buttonForm(ui, {
        name: 'review-unsubscribe',
        hidden: { id: addonId },
        button: html`${t('review.unsubscribe')}<span class="visually-hidden">: <bdi dir="ltr">${addonGuid}</bdi></span>`,
      }),
    ]),
  });
}

export const reviewUnsubscribeForm = form({
  page: subscriptionsPage,
  name: 'review-unsubscribe',
  fields: { id: textField },
  document: SetReviewSubscriptionDocument,
  variables: ({ id }) => ({ input: { id, isSubscribed: false } }),
});
