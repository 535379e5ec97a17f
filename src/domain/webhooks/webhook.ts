import { requirePermission } from '../../auth/permissions.ts';
import { builder, enumOf } from '../../graphql/builder.ts';
import { countedFields, keysetConnection } from '../../graphql/connections.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { MessageRef } from '../../graphql/message.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { Addon } from '../addons/addon.ts';
import { isAuthorOfLive } from '../addons/find-addon.ts';
import { TRIED_HOURS } from './deliver-webhooks.ts';
import { EVENT_DESCRIPTIONS, eventOf, eventsOfActions } from './events.ts';
import {
  countDeliveries,
  type DeliveryRow,
  listDeliveries,
  loadDeliveries,
  loadWebhooks,
  MAX_WEBHOOKS,
  serviceWebhooks,
  type WebhookRow,
  webhooksOf,
} from './find-webhooks.ts';

export const WebhookEventEnum = enumOf(
  'WebhookEvent',
  'What a webhook reports. `type` of a delivery is in lower case, such as version.signed.',
  EVENT_DESCRIPTIONS,
);

const WebhookDeliveryStateEnum = enumOf('WebhookDeliveryState', 'The state of a delivery of a webhook.', {
  queued: 'Waits for its first or next attempt.',
  delivered: 'The receiver has accepted it.',
  failed: `No attempt was accepted within ${TRIED_HOURS} hours. It can be replayed.`,
});

export const WebhookDelivery = loadableNode<DeliveryRow>('WebhookDelivery', (ids, { viewer }) =>
  loadDeliveries(ids, viewer),
);

builder.objectType(WebhookDelivery, {
  description: 'An event that is sent to a webhook. Visible to those who see the webhook.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    eventId: t.exposeString('eventId', {
      description:
        'The header `webhook-id` of all attempts, also of replays, by which receivers recognise repetitions.',
    }),
    event: t.field({ type: WebhookEventEnum, description: 'The event.', resolve: ({ action }) => eventOf(action) }),
    data: t.string({
      description: '`data` of the body, as JSON: what the event is about, without comments, reasons and people.',
      resolve: ({ data }) => JSON.stringify(data),
    }),
    state: t.expose('state', { type: WebhookDeliveryStateEnum, description: 'Whether it was delivered.' }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts since the event, or since the last replay.' }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'The HTTP status of the last response; null before the first attempt and without a response.',
    }),
    lastError: t.expose('lastError', {
      type: MessageRef,
      nullable: true,
      description: 'Why the last attempt failed; null when none failed or the delivery was accepted.',
    }),
    nextAttempt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null for a delivery that has ended.',
      resolve: ({ state, nextAttempt }) => (state === 'queued' ? nextAttempt : null),
    }),
    created: t.expose('created', {
      type: 'DateTime',
      description: 'When the event happened, `timestamp` of the body.',
    }),
    finished: t.expose('finished', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was accepted or given up; null before.',
    }),
  }),
});

export const Webhook = loadableNode<WebhookRow>('Webhook', (ids, { viewer }) => loadWebhooks(ids, viewer));

builder.objectType(Webhook, {
  description:
    'An address that events are sent to. Visible to the owners of its add-on, and to holders of Admin:Service for one of the service.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    addon: t.field({
      type: Addon,
      nullable: true,
      description: 'The add-on whose events it gets; null for one of the service, which gets those of all add-ons.',
      resolve: ({ addonId }) => addonId,
    }),
    url: t.exposeString('url', { description: 'The address.' }),
    events: t.field({
      type: [WebhookEventEnum],
      description: 'The events that it gets.',
      resolve: ({ actions }) => eventsOfActions(actions),
    }),
    isEnabled: t.exposeBoolean('isEnabled', { description: 'False: events are neither queued nor sent.' }),
    previousSecretUntil: t.expose('previousUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when the secret before the present one signs, too: each request has both signatures. Null unless the secret was replaced shortly before.',
    }),
    failures: t.exposeInt('failures', { description: 'Attempts that have failed since the last accepted delivery.' }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    deliveries: t.connection(
      {
        type: WebhookDelivery,
        description: 'Its deliveries, newest first.',
        args: { state: t.arg({ type: WebhookDeliveryStateEnum, description: 'Only deliveries in this state.' }) },
        resolve: async ({ id }, { state, ...cursors }) => {
          const filter = { webhookId: id, state: state ?? null };
          return {
            ...(await keysetConnection(`Webhook.deliveries/${id}`, cursors, (page) => listDeliveries(filter, page))),
            totalCount: () => countDeliveries(filter),
          };
        },
      },
      { name: 'WebhookDeliveryConnection', description: 'One page of deliveries.', fields: (t) => countedFields(t) },
      { name: 'WebhookDeliveryEdge', description: 'A delivery and its cursor.' },
    ),
  }),
});

const ofAddons = perRequest<number, WebhookRow[]>((ids) => webhooksOf(ids));

builder.objectField(Addon, 'webhooks', (t) =>
  t.field({
    type: [Webhook],
    nullable: true,
    description: `Its webhooks, the oldest first, at most ${MAX_WEBHOOKS.addon}. Null unless the viewer is an owner.`,
    extensions: { items: MAX_WEBHOOKS.addon },
    resolve: async ({ id }, _args, context) =>
      (await isAuthorOfLive(context, id, 'owner')) ? ofAddons(context).load(id) : null,
  }),
);

builder.queryField('serviceWebhooks', (t) =>
  t.field({
    type: [Webhook],
    description: `Webhooks of the service, the oldest first, at most ${MAX_WEBHOOKS.service}. Requires Admin:Service.`,
    extensions: { items: MAX_WEBHOOKS.service },
    resolve: (_root, _args, { viewer }) => {
      requirePermission(viewer, 'Admin:Service');
      return serviceWebhooks();
    },
  }),
);
