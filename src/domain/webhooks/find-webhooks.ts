/* Reads of webhooks and their deliveries. Owners of an add-on see its webhooks, and holders of `Admin:Service` those of the service. */

import { canOperateService } from '../../auth/operator-permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Webhook, WebhookDelivery } from '../../generated/prisma/client.ts';
import { type KeysetPage, keysetClause } from '../../graphql/connections.ts';
import { rowsInOrder } from '../../graphql/per-request.ts';
import { db, Prisma } from '../../infra/db.ts';
import type { Message } from '../../texts/messages.ts';

/** `previousUntil` is null unless the replaced secret signs as well. */
export type WebhookRow = Omit<Webhook, 'sealedSecret' | 'sealedPrevious'>;
/** The states of a delivery. A failed one is not tried again, unless it is replayed. */
export const DELIVERY_STATES = ['queued', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
/** A delivery of an event to a webhook. */
export type DeliveryRow = Omit<WebhookDelivery, 'state' | 'lastError' | 'claimedUntil' | 'queued'> & {
  state: DeliveryState;
  lastError: Message | null;
};

/** The webhooks of an add-on, and those of the service, at most. */
export const MAX_WEBHOOKS = { addon: 10, service: 20 };

const COLUMNS = Prisma.sql`w.id, w.addon_id AS "addonId", w.url, w.actions, w.is_enabled AS "isEnabled", w.failures,
  w.paused_until AS "pausedUntil", CASE WHEN w.previous_until > now() THEN w.previous_until END AS "previousUntil", w.created`;

const DELIVERY_COLUMNS = Prisma.sql`d.id, d.webhook_id AS "webhookId", d.event_id AS "eventId", d.action, d.data, d.state, d.attempts,
  d.next_attempt AS "nextAttempt", d.response_status AS "responseStatus", d.last_error AS "lastError", d.finished, d.created`;

/** SQL: whether the viewer may see webhook `w`. */
function isVisible(viewer: Viewer): Prisma.Sql {
  const accountId = viewer.kind === 'account' ? viewer.accountId : 0;
  return Prisma.sql`CASE WHEN w.addon_id IS NULL THEN ${canOperateService(viewer)} ELSE EXISTS (
    SELECT FROM addon_author x JOIN addon a ON a.id = x.addon_id
    WHERE x.addon_id = w.addon_id AND x.account_id = ${accountId} AND x.role = 'owner' AND a.deleted_at IS NULL) END`;
}

/** The webhooks with these ids, in their order; an error for those that the viewer may not see. */
export async function loadWebhooks(ids: readonly number[], viewer: Viewer): Promise<(WebhookRow | Error)[]> {
  const rows = await db.$queryRaw<WebhookRow[]>`
    SELECT ${COLUMNS} FROM webhook w WHERE w.id = ANY (${[...ids]}::int[]) AND ${isVisible(viewer)}`;
  return rowsInOrder(ids, rows);
}

/** The deliveries with these ids, in their order; an error for those of webhooks that the viewer may not see. */
export async function loadDeliveries(ids: readonly number[], viewer: Viewer): Promise<(DeliveryRow | Error)[]> {
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${DELIVERY_COLUMNS} FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
    WHERE d.id = ANY (${[...ids]}::int[]) AND ${isVisible(viewer)}`;
  return rowsInOrder(ids, rows);
}

/** The webhooks of add-ons, the oldest first. Callers check the right. */
export async function webhooksOf(addonIds: readonly number[]): Promise<WebhookRow[][]> {
  const rows = await db.$queryRaw<WebhookRow[]>`
    SELECT ${COLUMNS} FROM webhook w WHERE w.addon_id = ANY (${[...addonIds]}::int[]) ORDER BY w.id`;
  return addonIds.map((id) => rows.filter(({ addonId }) => addonId === id));
}

/** The webhooks of the service, the oldest first. Callers check the permission. */
export const serviceWebhooks = (): Promise<WebhookRow[]> =>
  db.$queryRaw<WebhookRow[]>`SELECT ${COLUMNS} FROM webhook w WHERE w.addon_id IS NULL ORDER BY w.id`;

/** One page of all webhooks, the oldest first, or of those of an add-on. For commands. */
export const listWebhooks = (addonId: number | null, page: KeysetPage): Promise<WebhookRow[]> =>
  db.$queryRaw<WebhookRow[]>`SELECT ${COLUMNS} FROM webhook w
    WHERE (${addonId}::int IS NULL OR w.addon_id = ${addonId}::int) ${keysetClause('w.id', 'ASC', page)}`;

/** A webhook; null when there is none. For commands. */
export async function findWebhook(id: number): Promise<WebhookRow | null> {
  const [row] = await db.$queryRaw<WebhookRow[]>`SELECT ${COLUMNS} FROM webhook w WHERE w.id = ${id}`;
  return row ?? null;
}

/** A delivery; null when there is none. For commands. */
export async function findDelivery(id: number): Promise<DeliveryRow | null> {
  const [row] = await db.$queryRaw<
    DeliveryRow[]
  >`SELECT ${DELIVERY_COLUMNS} FROM webhook_delivery d WHERE d.id = ${id}`;
  return row ?? null;
}

/** Deliveries of a webhook to list. */
interface DeliveryFilter {
  webhookId: number;
  state: DeliveryState | null;
}

const matching = ({ webhookId, state }: DeliveryFilter) =>
  Prisma.sql`FROM webhook_delivery d WHERE d.webhook_id = ${webhookId} AND (${state}::text IS NULL OR d.state = ${state}::text)`;

/** One page of the deliveries of a webhook, newest first. Callers check the right. */
export const listDeliveries = (filter: DeliveryFilter, page: KeysetPage): Promise<DeliveryRow[]> =>
  db.$queryRaw<DeliveryRow[]>`SELECT ${DELIVERY_COLUMNS} ${matching(filter)} ${keysetClause('d.id', 'DESC', page)}`;

/** Number of the deliveries that match. */
export async function countDeliveries(filter: DeliveryFilter): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count ${matching(filter)}`;
  return row?.count ?? 0;
}
