import { AdminWebhookDocument, AdminWebhooksDocument } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { webhookForms } from '../components/webhook-forms.ts';
import {
  DELIVERY_QUERY,
  secretHeading,
  shownSecret,
  WEBHOOK_ID,
  webhookAmong,
  webhookDetails,
  webhookList,
} from '../components/webhooks.ts';
import { doneAt } from '../form.ts';
import { page } from '../page.ts';
import { adminPage, adminUrl } from './admin-page.ts';

const PATH = adminUrl('webhooks');

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
    const webhook = webhookAmong(serviceWebhooks, node);
    if (webhook === null) return null;
    const path = `${PATH}${id}/`;
    return adminPage(ui, {
      ...{ tab: 'webhooks', heading: ui.t('webhooks.one', { number: id }) },
      body: webhookDetails(ui, webhook, { path, search, state: query.state, isOfAddon: false }),
    });
  },
});

export const serviceWebhookForms = webhookForms({
  ...{ list: serviceWebhooksPage, one: serviceWebhookPage },
  shown: (made, ui) =>
    adminPage(ui, { tab: 'webhooks', heading: secretHeading(ui, made), body: shownSecret(ui, made, PATH) }),
  removed: () => doneAt(PATH, 'webhook-remove'),
});
