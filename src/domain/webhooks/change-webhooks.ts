/* Changes of webhooks: of an add-on by its owners, of the service by holders of `Admin:Service`, of both by commands. */
import { requirePermission, requireSignedIn } from '../../auth/permissions.ts';
import { sealSecret } from '../../auth/secret-box.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { config } from '../../config.ts';
import { InvalidInputError, NotFoundError, refusedField } from '../../errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { isReachable } from '../../infra/public-request.ts';
import { deliverWebhooksTask, enqueue } from '../../jobs/tasks.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { COMMAND_LINE, recordAudit } from '../activity/record-audit.ts';
import { recordAddonAct } from '../addons/record-addon-act.ts';
import { lockEditableAddon } from '../listing/lock-addon.ts';
import { actionsOf, eventsOfActions, type WebhookEvent } from './events.ts';
import {
  type DeliveryRow,
  findDelivery,
  findWebhook,
  loadDeliveries,
  loadWebhooks,
  MAX_WEBHOOKS,
  type WebhookRow,
} from './find-webhooks.ts';
import { newSecret } from './signature.ts';

const MAX_URL = 1_000;
/** How long a secret that was replaced signs as well. */
export const OVERLAP_HOURS = 24;

/** The address of a webhook as it is stored. @throws {InvalidInputError} on `url`. */
function checkedUrl(text: string): string {
  const url = URL.parse(text.trim());
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === '';
  if (!isUsable || url.href.length > MAX_URL)
    throw refusedField('url', message('webhook.invalid_url', { count: MAX_URL }));
  if (!isReachable(url, config.WEBHOOK_PRIVATE_NETWORKS)) throw refusedField('url', message('webhook.not_public'));
  return url.href;
}

/** @throws {InvalidInputError} on `events` for none. */
function checkedActions(events: readonly WebhookEvent[]): string[] {
  if (events.length === 0) throw refusedField('events', message('webhook.no_events'));
  return actionsOf(events);
}

type WebhookAct =
  | 'webhook-created'
  | 'webhook-changed'
  | 'webhook-removed'
  | 'webhook-replayed'
  | 'webhook-secret-replaced'
  | 'webhook-secret-ended';

/** Records a change: in the history of the add-on, or in the audit log for one of the service. Call it last. */
async function record(
  tx: Transaction,
  { accountId, username }: SignedIn,
  addonId: number | null,
  action: WebhookAct,
  details: Record<string, unknown>,
): Promise<void> {
  if (addonId === null) await recordAudit(tx, { accountId, username }, action, details);
  else await recordActivity(tx, { action, accountId, addonId, details });
}

/** Checks, and locks the add-on. @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}. */
async function requireKeeper(tx: Transaction, viewer: Viewer, addonId: number | null): Promise<SignedIn> {
  if (addonId === null) return requirePermission(viewer, 'Admin:Service');
  return (await lockEditableAddon(tx, viewer, addonId, 'ownership')).account;
}

interface NewWebhook {
  /** Null for one of the service. */
  addonId: number | null;
  url: string;
  events: readonly WebhookEvent[];
}

/**
 * Creates a webhook. Returns its id and its secret, which cannot be read again.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}; {InvalidInputError} for values that cannot be used.
 */
export function createWebhook(
  viewer: Viewer,
  { addonId, url: text, events }: NewWebhook,
): Promise<{ webhookId: number; secret: string }> {
  return db.$transaction(async (tx) => {
    const actor = await requireKeeper(tx, viewer, addonId);
    const [url, actions] = [checkedUrl(text), checkedActions(events)];
    const most = addonId === null ? MAX_WEBHOOKS.service : MAX_WEBHOOKS.addon;
    if ((await tx.webhook.count({ where: { addonId } })) >= most) {
      throw new InvalidInputError(message('webhook.too_many', { count: most }));
    }
    const secret = newSecret();
    const data = { addonId, url, actions, sealedSecret: sealSecret(secret) };
    const { id } = await tx.webhook.create({ data, select: { id: true } });
    await record(tx, actor, addonId, 'webhook-created', { webhookId: id, url, events: eventsOfActions(actions) });
    return { webhookId: id, secret };
  });
}

/** A webhook that the viewer may see. @throws {NotAuthenticatedError}, {NotFoundError}. */
async function visibleWebhook(viewer: Viewer, id: number): Promise<WebhookRow> {
  requireSignedIn(viewer);
  const [found] = await loadWebhooks([id], viewer);
  if (found instanceof Error || found === undefined) throw found;
  return found;
}

/** New values of a webhook; absent ones stay. */
interface WebhookChanges {
  events?: readonly WebhookEvent[];
  isEnabled?: boolean;
}

/**
 * Changes the events of a webhook, or switches it on or off. Switched on, it is tried at once.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}; {InvalidInputError} for no event.
 */
export async function updateWebhook(viewer: Viewer, id: number, { events, isEnabled }: WebhookChanges): Promise<void> {
  const { addonId, url, ...before } = await visibleWebhook(viewer, id);
  await db.$transaction(async (tx) => {
    const actor = await requireKeeper(tx, viewer, addonId);
    const actions = events === undefined ? before.actions : checkedActions(events);
    const data = { actions, isEnabled: isEnabled ?? before.isEnabled, failures: 0, pausedUntil: null };
    await tx.webhook.updateMany({ where: { id }, data });
    if (data.isEnabled) await enqueue(tx, deliverWebhooksTask, {});
    const details = { webhookId: id, url, events: eventsOfActions(actions), isEnabled: data.isEnabled };
    await record(tx, actor, addonId, 'webhook-changed', details);
  });
}

/**
 * Removes a webhook with its deliveries. Returns the id of its add-on, null for one of the service.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}.
 */
export async function removeWebhook(viewer: Viewer, id: number): Promise<number | null> {
  const { addonId, url } = await visibleWebhook(viewer, id);
  await db.$transaction(async (tx) => {
    const actor = await requireKeeper(tx, viewer, addonId);
    await tx.webhook.deleteMany({ where: { id } });
    await record(tx, actor, addonId, 'webhook-removed', { webhookId: id, url });
  });
  return addonId;
}

/**
 * Gives a webhook a new secret. The one before signs as well for `OVERLAP_HOURS`, so that receivers can change it in the meantime; one
 * before that signs no more. Returns the new secret, which cannot be read again.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}.
 */
export async function replaceSecret(viewer: Viewer, id: number): Promise<string> {
  const { addonId, url } = await visibleWebhook(viewer, id);
  const secret = newSecret();
  await db.$transaction(async (tx) => {
    const actor = await requireKeeper(tx, viewer, addonId);
    await tx.$executeRaw`
      UPDATE webhook SET sealed_secret = ${sealSecret(secret)}, sealed_previous = sealed_secret,
        previous_until = now() + make_interval(hours => ${OVERLAP_HOURS})
      WHERE id = ${id}`;
    await record(tx, actor, addonId, 'webhook-secret-replaced', { webhookId: id, url });
  });
  return secret;
}

/**
 * Ends the secret before the present one, if there is one: it signs no more.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}.
 */
export async function endPreviousSecret(viewer: Viewer, id: number): Promise<void> {
  const { addonId, url } = await visibleWebhook(viewer, id);
  await db.$transaction(async (tx) => {
    const actor = await requireKeeper(tx, viewer, addonId);
    const changed = await tx.$executeRaw`
      UPDATE webhook SET sealed_previous = NULL, previous_until = NULL WHERE id = ${id} AND sealed_previous IS NOT NULL`;
    if (changed > 0) await record(tx, actor, addonId, 'webhook-secret-ended', { webhookId: id, url });
  });
}

/**
 * Makes a delivery due now, whatever its state, with the same id and body. One that is in progress stays claimed.
 * @throws {NotAuthenticatedError}, {NotFoundError}, {NotPermittedError}.
 */
export async function replayDelivery(viewer: Viewer, id: number): Promise<void> {
  requireSignedIn(viewer);
  const [found] = await loadDeliveries([id], viewer);
  if (found instanceof Error || found === undefined) throw found;
  const { webhookId, eventId } = found;
  const { addonId } = await visibleWebhook(viewer, webhookId);
  await db.$transaction(async (tx) => {
    const actor = await requireKeeper(tx, viewer, addonId);
    await makeDue(tx, found);
    await record(tx, actor, addonId, 'webhook-replayed', { webhookId, eventId });
  });
}

async function makeDue(tx: Transaction, { id, webhookId }: Pick<DeliveryRow, 'id' | 'webhookId'>): Promise<void> {
  await tx.$executeRaw`UPDATE webhook SET paused_until = NULL WHERE id = ${webhookId}`;
  await tx.$executeRaw`
    UPDATE webhook_delivery SET state = 'queued', attempts = 0, queued = now(), next_attempt = now(), finished = NULL
    WHERE id = ${id}`;
  await enqueue(tx, deliverWebhooksTask, {});
}

/** As `replayDelivery`, by a command. @throws {NotFoundError}. */
export async function replayByCommand(id: number): Promise<void> {
  const found = await findDelivery(id);
  if (found === null) throw new NotFoundError(message('webhook.unknown_delivery', { id: String(id) }));
  const { webhookId, eventId } = found;
  const { addonId } = await webhookOfCommand(webhookId);
  await db.$transaction(async (tx) => {
    await makeDue(tx, found);
    const details = { webhookId, eventId };
    if (addonId !== null) await recordActivity(tx, { action: 'webhook-replayed', addonId, details });
    await recordAudit(tx, COMMAND_LINE, 'webhook-replayed', { addonId, ...details });
  });
}

/** Switches a webhook off. The owners of its add-on get a mail. @throws {NotFoundError}. */
export async function disableByCommand(id: number): Promise<void> {
  const { addonId, url, actions } = await webhookOfCommand(id);
  await db.$transaction(async (tx) => {
    await tx.webhook.updateMany({ where: { id }, data: { isEnabled: false } });
    const details = { webhookId: id, url, events: eventsOfActions(actions), isEnabled: false };
    if (addonId === null) return recordAudit(tx, COMMAND_LINE, 'webhook-changed', details);
    await recordActivity(tx, { action: 'webhook-changed', addonId, details });
    const act = { action: 'webhook-changed', details, notice: 'addon-webhook-disabled', values: { url } } as const;
    await recordAddonAct(tx, COMMAND_LINE, addonId, act);
  });
}

async function webhookOfCommand(id: number): Promise<WebhookRow> {
  const found = await findWebhook(id);
  if (found === null) throw new NotFoundError(message('webhook.unknown', { id: String(id) }));
  return found;
}
