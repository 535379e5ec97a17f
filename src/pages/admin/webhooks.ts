import {
  AdminWebhookDocument,
  AdminWebhooksDocument,
  type WebhookWithDeliveriesFragment,
} from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import {
  DELIVERY_QUERY,
  newWebhook,
  WEBHOOK_ID,
  webhookDetails,
  webhookForms,
  webhookList,
} from '../components/webhooks.ts';
import { withDone } from '../form.ts';
import { page, redirect } from '../page.ts';
import { adminHref, adminPage } from './frame.ts';

const PATH = adminHref('webhooks');

/** The webhooks of the service, which get the events of all add-ons. */
export const serviceWebhooksPage = page({
  path: '/admin/webhooks/',
  visitor: 'account',
  document: AdminWebhooksDocument,
  view: ({ serviceWebhooks: webhooks }, _input, ui) =>
    adminPage(ui, { tab: 'webhooks', body: webhookList(ui, { webhooks, path: PATH }) }),
});

/** One webhook of the service and its deliveries. */
export const serviceWebhookPage = page({
  path: '/admin/webhooks/:id/',
  visitor: 'account',
  params: { id: WEBHOOK_ID },
  query: DELIVERY_QUERY,
  document: AdminWebhookDocument,
  variables: ({ path, query }) => ({ ...query, id: globalId('Webhook', path.id) }),
  view: ({ serviceWebhooks, node }, { path: { id }, query, search }, ui) => {
    if (node == null || !('deliveries' in node)) return null;
    const webhook = node as WebhookWithDeliveriesFragment;
    if (!serviceWebhooks.some((each) => each.id === webhook.id)) return null;
    const path = `${PATH}${id}/`;
    return adminPage(ui, {
      ...{ tab: 'webhooks', heading: ui.t('webhooks.one', { number: id }) },
      body: webhookDetails(ui, webhook, { path, search, state: query.state, isOfAddon: false }),
    });
  },
});

export const serviceWebhookForms = webhookForms({
  ...{ list: serviceWebhooksPage, one: serviceWebhookPage },
  created: (made, _input, ui) =>
    adminPage(ui, { tab: 'webhooks', heading: ui.t('webhooks.new'), body: newWebhook(ui, made, PATH) }),
  removed: () => redirect(withDone(PATH, 'webhook-remove'), 303),
});
