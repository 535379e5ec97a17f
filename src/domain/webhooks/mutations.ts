import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import {
  createWebhook,
  endPreviousSecret,
  OVERLAP_HOURS,
  removeWebhook,
  replaceSecret,
  replayDelivery,
  updateWebhook,
} from './change-webhooks.ts';
import { Webhook, WebhookDelivery, WebhookEventEnum } from './webhook.ts';

const KEEPERS = 'For owners of the add-on, and holders of Admin:Service for a webhook of the service.';

mutation('createWebhook', {
  description: `Creates a webhook, which gets events from then on. ${KEEPERS}`,
  input: 'The webhook to create.',
  inputFields: (t) => ({
    addon: t.id({ description: 'Global id of the add-on. Absent: of the service, for the events of all add-ons.' }),
    url: t.string({
      required: true,
      description: 'The https address that requests are sent to. Its host must be public.',
    }),
    events: t.field({ type: [WebhookEventEnum], required: true, description: 'The events to send, at least one.' }),
  }),
  resolve: ({ addon, url, events }, { viewer }) =>
    createWebhook(viewer, { addonId: addon == null ? null : idOf('Addon', addon, 'addon'), url, events }),
  payloadFields: (t) => ({
    webhook: t.field({ type: Webhook, description: 'The webhook.', resolve: ({ webhookId }) => webhookId }),
    secret: t.exposeString('secret', { description: 'The key of the signatures. It cannot be read again.' }),
  }),
});

mutation('updateWebhook', {
  description: `Changes the events of a webhook, or switches it on or off. ${KEEPERS}`,
  input: 'The changes; absent values stay.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the webhook.' }),
    events: t.field({
      type: [WebhookEventEnum],
      description: 'The events to send, at least one. They replace the present ones.',
    }),
    isEnabled: t.boolean({ description: 'False: events are neither queued nor sent.' }),
  }),
  resolve: async ({ id, events, isEnabled }, { viewer }) => {
    const webhookId = idOf('Webhook', id);
    await updateWebhook(viewer, webhookId, {
      ...(events == null ? {} : { events }),
      ...(isEnabled == null ? {} : { isEnabled }),
    });
    return { webhookId };
  },
  payloadFields: (t) => ({
    webhook: t.field({ type: Webhook, description: 'The webhook.', resolve: ({ webhookId }) => webhookId }),
  }),
});

mutation('replaceWebhookSecret', {
  description: `Gives a webhook a new secret. The one before signs as well for ${OVERLAP_HOURS} hours: each request has both signatures. One before that signs no more. ${KEEPERS}`,
  input: 'The webhook whose secret is replaced.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the webhook.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const webhookId = idOf('Webhook', id);
    return { webhookId, secret: await replaceSecret(viewer, webhookId) };
  },
  payloadFields: (t) => ({
    webhook: t.field({ type: Webhook, description: 'The webhook.', resolve: ({ webhookId }) => webhookId }),
    secret: t.exposeString('secret', { description: 'The new key of the signatures. It cannot be read again.' }),
  }),
});

mutation('endPreviousWebhookSecret', {
  description: `Ends the secret before the present one: it signs no more. Nothing changes without one. ${KEEPERS}`,
  input: 'The webhook whose previous secret ends.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the webhook.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const webhookId = idOf('Webhook', id);
    await endPreviousSecret(viewer, webhookId);
    return { webhookId };
  },
  payloadFields: (t) => ({
    webhook: t.field({ type: Webhook, description: 'The webhook.', resolve: ({ webhookId }) => webhookId }),
  }),
});

mutation('removeWebhook', {
  description: `Removes a webhook with its deliveries. ${KEEPERS}`,
  input: 'The webhook to remove.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the webhook.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const webhookId = idOf('Webhook', id);
    await removeWebhook(viewer, webhookId);
    return { webhookId };
  },
  payloadFields: (t) => ({
    removedId: t.id({
      description: 'Global id of the removed webhook.',
      resolve: ({ webhookId }) => globalId('Webhook', webhookId),
    }),
  }),
});

mutation('replayWebhookDelivery', {
  description: `Sends an event again, with the same id and body and with all attempts, whether it was accepted or not. ${KEEPERS}`,
  input: 'The delivery to send again.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the delivery.' }) }),
  resolve: async ({ id }, { viewer }) => {
    const deliveryId = idOf('WebhookDelivery', id);
    await replayDelivery(viewer, deliveryId);
    return { deliveryId };
  },
  payloadFields: (t) => ({
    delivery: t.field({ type: WebhookDelivery, description: 'The delivery.', resolve: ({ deliveryId }) => deliveryId }),
  }),
});
