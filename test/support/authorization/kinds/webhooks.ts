/* Webhooks and their deliveries. REST has neither. */
import { type AddonFacts, addon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import { DELETED, DISABLED, hasId, kind, UNKNOWN, unknownId } from '../kinds.ts';

interface WebhookFacts {
  /** Its add-on; none for one of the service. */
  addon?: AddonFacts;
  /** The role of the party in the add-on. */
  role?: 'developer';
  isEnabled?: false;
}

export const WEBHOOK = kind<WebhookFacts | null>({
  kind: 'a webhook or a delivery of it',
  states: {
    ofService: {},
    ofServiceDisabled: { isEnabled: false },
    ofAddon: { addon: {} },
    ofAddonDisabled: { addon: {}, isEnabled: false },
    ofDeveloper: { addon: {}, role: 'developer' },
    ofAddonDisabledByOperator: { addon: DISABLED },
    ofDeletedAddon: { addon: DELETED },
    unknown: null,
  },
  make: async (facts, { insert, idOf }) => {
    const unknown = { WebhookDelivery: unknownId('WebhookDelivery'), Addon: unknownId('Addon') };
    if (facts === null) return { id: unknownId('Webhook'), nodes: unknown };
    const { addon: of, role = 'owner', isEnabled = true } = facts;
    const made = of && (await addon({ authors: [{ id: idOf('party'), role }], ...of }));
    const secret = { url: 'https://hooks.example/', sealed_secret: Buffer.from('x') };
    const columns = { ...secret, actions: ['approved'], addon_id: made?.id ?? null, is_enabled: isEnabled };
    const webhook_id = await insert('webhook', columns);
    const failed = { action: 'approved', data: {}, state: 'failed', finished: new Date() };
    const delivery = await insert('webhook_delivery', { webhook_id, ...failed });
    return {
      id: globalId('Webhook', webhook_id),
      nodes: { WebhookDelivery: globalId('WebhookDelivery', delivery), Addon: globalId('Addon', made?.id ?? UNKNOWN) },
    };
  },
  acts: {
    'Addon.webhooks, of its states': { isShown: hasId },
    replayWebhookDelivery: { input: ({ nodes }) => ({ id: nodes?.WebhookDelivery }) },
    removeWebhook: { spare: true },
  },
});
