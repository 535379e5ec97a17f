import { HubWebhookDocument, HubWebhooksDocument } from '../../generated/operations/graphql.ts';
import { globalId } from '../../graphql/global-id.ts';
import { addonOfPath } from '../catalogue/addon-head.ts';
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
import { page } from '../page.ts';
import { addonContent, backTo, HUB_ADDON_PAGE, hubAddon, hubUrl } from './hub-addon.ts';

/** The webhooks of an add-on, for its owners. */
export const webhooksPage = page({
  path: '/developers/addon/:ref/webhooks/',
  ...HUB_ADDON_PAGE,
  document: HubWebhooksDocument,
  view: (data, _input, ui) => {
    const addon = hubAddon(data.addon, 'OWN');
    const [webhooks, path] = [addon.webhooks ?? [], hubUrl(addon, 'webhooks/')];
    return addonContent(ui, {
      ...{ addon, tab: 'webhooks' },
      body: (own) => webhookList(own, { webhooks, path, addon: addon.id }),
    });
  },
});

/** One webhook of an add-on and its deliveries. */
export const webhookPage = page({
  path: '/developers/addon/:ref/webhooks/:id/',
  ...HUB_ADDON_PAGE,
  params: { ...HUB_ADDON_PAGE.params, id: WEBHOOK_ID },
  query: DELIVERY_QUERY,
  document: HubWebhookDocument,
  variables: ({ path, query }) => ({ ...addonOfPath({ path }), ...query, id: globalId('Webhook', path.id) }),
  view: ({ addon: found, node }, { path: { id }, query, search }, ui) => {
    const addon = hubAddon(found, 'OWN');
    const webhook = webhookAmong(addon.webhooks ?? [], node);
    if (webhook === null) return null;
    const path = hubUrl(addon, `webhooks/${id}/`);
    return addonContent(ui, {
      ...{ addon, tab: 'webhooks', heading: ui.t('webhooks.one', { number: id }) },
      body: (own) => webhookDetails(own, webhook, { path, search, state: query.state, isOfAddon: true }),
    });
  },
});

export const addonWebhookForms = webhookForms({
  ...{ list: webhooksPage, one: webhookPage },
  shown: (made, ui) => {
    const addon = hubAddon(made.webhook.addon, 'OWN');
    return addonContent(ui, {
      ...{ addon, tab: 'webhooks', heading: secretHeading(ui, made) },
      body: (own) => shownSecret(own, made, hubUrl(addon, 'webhooks/')),
    });
  },
  removed: (input) => backTo('webhooks/', 'webhook-remove')(null, input),
});
