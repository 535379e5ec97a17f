/* Webhooks and their deliveries by state. REST has neither. */
import type { TestApp } from '../app.ts';
import { type AddonFacts, addon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import { holds, PEOPLE_RULES, type PersonRole } from './state-roles.ts';
import { fieldRow, hasId, listRow, mutationRow, nodeRow, type StateRule, type StateTable } from './state-table.ts';

interface WebhookFacts {
  /** Null for one of the service. */
  addon: AddonFacts | null;
  /** The role of the party in the add-on. */
  role?: 'owner' | 'developer';
  isEnabled?: false;
  isUnknown?: true;
}

const DELETED: AddonFacts = { status: 'deleted', slug: null, deletedAt: new Date('2020-01-01T00:00:00Z') };

const STATES: Record<string, WebhookFacts> = {
  ofService: { addon: null },
  ofServiceDisabled: { addon: null, isEnabled: false },
  ofAddon: { addon: {} },
  ofAddonDisabled: { addon: {}, isEnabled: false },
  ofDeveloper: { addon: {}, role: 'developer' },
  ofAddonDisabledByOperator: { addon: { status: 'disabled' } },
  ofDeletedAddon: { addon: DELETED },
  unknown: { addon: null, isUnknown: true },
};

interface MadeWebhook {
  id: string;
  delivery: string;
  addon: string;
}

type Rule = StateRule<WebhookFacts, PersonRole>;

const mayRead = ({ addon: of, role: ofParty, isUnknown }: WebhookFacts, role: PersonRole): boolean => {
  if (isUnknown) return false;
  if (of === null) return holds(role, 'Admin:Service');
  return role === 'party' && ofParty !== 'developer' && of.deletedAt === undefined;
};
const read: Rule = (facts, role) => (mayRead(facts, role) ? 200 : 404);
const change: Rule = (facts, role) => {
  if (role === 'anonymous') return 401;
  if (!mayRead(facts, role)) return 404;
  return facts.addon?.status === 'disabled' ? 403 : 200;
};
const list: Rule = (facts, role) => {
  if (!holds(role, 'Admin:Service')) return role === 'anonymous' ? 401 : 403;
  return facts.addon === null && !facts.isUnknown ? 200 : 404;
};

async function make(_app: TestApp, ids: Record<PersonRole, number>): Promise<Record<string, MadeWebhook>> {
  const { db } = await import('../../../src/infra/db.ts');
  const webhooks: Record<string, MadeWebhook> = {};
  for (const [name, { addon: facts, role = 'owner', isEnabled = true, isUnknown }] of Object.entries(STATES)) {
    const made = facts === null ? null : await addon({ authors: [{ id: ids.party, role }], ...facts });
    const addonId = made?.id ?? null;
    const { id } = await db.webhook.create({
      data: {
        addonId,
        url: 'https://hooks.example/',
        sealedSecret: Buffer.from('x'),
        actions: ['approved'],
        isEnabled,
      },
    });
    const delivery = await db.webhookDelivery.create({
      data: { webhookId: id, action: 'approved', data: {}, state: 'failed', finished: new Date() },
    });
    if (isUnknown) await db.webhook.delete({ where: { id } });
    webhooks[name] = {
      id: globalId('Webhook', id),
      delivery: globalId('WebhookDelivery', delivery.id),
      addon: globalId('Addon', addonId ?? 2e9),
    };
  }
  return webhooks;
}

export const WEBHOOK_TABLE: StateTable<WebhookFacts, PersonRole, MadeWebhook> = {
  ...{ kind: 'a webhook', roles: PEOPLE_RULES, states: STATES, make },
  actions: [
    nodeRow('Webhook', read),
    listRow('serviceWebhooks', list),
    fieldRow('Addon.webhooks, of its states', read, ({ addon: id }) => id, 'webhooks { id }', {
      ...{ isShown: hasId, states: (facts) => facts.addon !== null && facts.addon.deletedAt === undefined },
    }),
    fieldRow('Webhook.addon', read, ({ id }) => id, 'addon { id }', { states: (facts) => facts.addon !== null }),
    mutationRow('updateWebhook', change),
    mutationRow('replaceWebhookSecret', change),
    mutationRow('endPreviousWebhookSecret', change),
    // Of the roles that may, the first removes it.
    mutationRow('removeWebhook', change, ({ id }) => ({ id }), {
      spare: async (app, facts, given) => {
        const [row] = await app.sql<{ id: number }>(
          `INSERT INTO webhook (addon_id, url, sealed_secret, actions)
           SELECT $1::int, 'https://hooks.example/', '\\x01', '{approved}' RETURNING id`,
          [facts.addon === null ? null : Number(Buffer.from(given.addon, 'base64').toString().split(':')[1])],
        );
        return { ...given, id: globalId('Webhook', row?.id ?? 0) };
      },
    }),
  ],
};

export const DELIVERY_TABLE: StateTable<WebhookFacts, PersonRole, { id: string }> = {
  ...{ kind: 'a delivery of a webhook', roles: PEOPLE_RULES, states: STATES },
  make: async (app, ids) => {
    const made = await make(app, ids);
    return Object.fromEntries(Object.entries(made).map(([name, { delivery }]) => [name, { id: delivery }]));
  },
  actions: [nodeRow('WebhookDelivery', read), mutationRow('replayWebhookDelivery', change)],
};
