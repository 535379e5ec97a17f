/* An add-on with an owner, and a receiver on loopback for its webhooks. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { setUpApp, type TestApp } from './app.ts';
import type { Client } from './client.ts';
import { addon, type MadeAddon } from './factories.ts';
import { globalId } from './global-ids.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export interface CreatedWebhook {
  __typename: string;
  fields?: { name: string; messages: string[] }[];
  message?: string;
  secret: string;
  webhook: { id: string; url: string; events: string[] };
}

interface Delivery {
  id: string;
  eventId: string;
  event: string;
  data: string;
  state: string;
  attempts: number;
  responseStatus: number | null;
  lastError: { code: string; params: object; text: string } | null;
}

interface WebhookWorld {
  app: TestApp;
  receiver: WebhookReceiver;
  /** Set before the first test, as is the add-on. */
  owner: Client;
  made: MadeAddon;
  /** The add-on, for `create`. */
  ofAddon(): { addon: string };
  create(client: Client, input?: object, url?: string): Promise<CreatedWebhook>;
  /** Developers disable the add-on, or enable it again. */
  disable(isDisabled: boolean): Promise<unknown>;
  deliveriesOf(id: string): Promise<Delivery[]>;
  /** Runs what is due after the attempts that failed. */
  reconcile(): Promise<void>;
}

export async function setUpWebhooks(): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  const app = setUpApp({ settings: { WEBHOOK_PRIVATE_NETWORKS: ['127.0.0.0/8'], WEBHOOK_TIMEOUT: 1 } });
  const world: WebhookWorld = {
    ...{ app, receiver, owner: app.anonymous, made: {} as MadeAddon },
    ofAddon: () => ({ addon: globalId('Addon', world.made.id) }),
    create: async (client, input = {}, url = `${receiver.url}/hook`) => {
      const { createWebhook } = await client.graphql<{ createWebhook: CreatedWebhook }>(
        `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { __typename
          ... on CreateWebhookPayload { secret webhook { id url events } } ... on UserError { message } } }`,
        { input: { url, events: ['ADDON_DISABLED', 'ADDON_ENABLED'], ...input } },
      );
      return createWebhook;
    },
    disable: (isDisabled) =>
      world.owner.graphql(
        `mutation ($id: ID!, $isDisabled: Boolean!) {
          setAddonDisabled(input: { id: $id, by: DEVELOPER, isDisabled: $isDisabled }) { __typename } }`,
        { id: globalId('Addon', world.made.id), isDisabled },
      ),
    deliveriesOf: async (id) => {
      const { node } = await world.owner.graphql<{ node: { deliveries: { totalCount: number; nodes: Delivery[] } } }>(
        `query ($id: ID!) { node(id: $id) { ... on Webhook { deliveries(first: 50) { totalCount nodes {
          id eventId event data state attempts responseStatus lastError { code params text(locale: "de") } } } } } }`,
        { id },
      );
      expect(node.deliveries.totalCount).toBe(node.deliveries.nodes.length);
      return node.deliveries.nodes;
    },
    reconcile: async () => {
      const { reconcileWebhooks } = await import('../../src/domain/webhooks/deliver-webhooks.ts');
      await reconcileWebhooks();
      await app.runJobs();
    },
  };
  beforeAll(async () => {
    world.owner = await app.developer();
    world.made = await addon({ authors: [world.owner.accountId ?? 0], slug: 'hooked', guid: 'hooked@example' });
  });
  afterAll(() => receiver.close());
  beforeEach(async () => {
    await app.sql('DELETE FROM webhook');
    receiver.received.length = 0;
    receiver.respond = (response) => response.writeHead(204).end();
  });
  return world;
}
