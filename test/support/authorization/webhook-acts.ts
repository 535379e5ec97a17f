import { globalId } from '../global-ids.ts';

/** A webhook of the service; returns its id. */
async function serviceWebhook(): Promise<number> {
  const { db } = await import('../../../src/infra/db.ts');
  const data = { url: 'https://hooks.example/', sealedSecret: Buffer.from('x'), actions: ['published'] };
  return (await db.webhook.create({ data })).id;
}

async function delivery(): Promise<number> {
  const { db } = await import('../../../src/infra/db.ts');
  const data = { webhookId: await serviceWebhook(), action: 'published', data: {} };
  return (await db.webhookDelivery.create({ data })).id;
}

/** The action of the audit row of each mutation of webhooks of the service, and its input. */
export const WEBHOOK_ACTS = {
  createWebhook: ['webhook-created', () => ({ url: 'https://hooks.example/', events: ['VERSION_SIGNED'] })],
  updateWebhook: [
    'webhook-changed',
    async () => ({ id: globalId('Webhook', await serviceWebhook()), isEnabled: false }),
  ],
  replaceWebhookSecret: ['webhook-secret-replaced', async () => ({ id: globalId('Webhook', await serviceWebhook()) })],
  endPreviousWebhookSecret: [
    'webhook-secret-ended',
    async () => {
      const id = await serviceWebhook();
      const { db } = await import('../../../src/infra/db.ts');
      const data = { sealedPrevious: Buffer.from('y'), previousUntil: new Date(Date.now() + 60_000) };
      await db.webhook.update({ where: { id }, data });
      return { id: globalId('Webhook', id) };
    },
  ],
  removeWebhook: ['webhook-removed', async () => ({ id: globalId('Webhook', await serviceWebhook()) })],
  replayWebhookDelivery: ['webhook-replayed', async () => ({ id: globalId('WebhookDelivery', await delivery()) })],
} as const;
