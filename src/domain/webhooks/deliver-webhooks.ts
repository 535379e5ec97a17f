/*
 * The job that sends the deliveries of webhooks. Jobs of its queue run one after the other, and each webhook has one delivery in progress at
 * a time. A delivery is claimed in the database before it is sent and marked after the response. A worker that is killed in between leaves a
 * claim that expires, after which the delivery is sent again with the same id.
 */
import { openSecret, UnopenableSecretError } from '../../auth/secret-box.ts';
import { config } from '../../config.ts';
import { db } from '../../infra/db.ts';
import type { log } from '../../infra/log.ts';
import { PublicRequestError, postPublicly } from '../../infra/public-request.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import { settleAll } from '../../infra/settle-all.ts';
import { deliverWebhooksTask, enqueue } from '../../jobs/tasks.ts';
import { englishText, type Message, message } from '../../texts/messages.ts';
import { eventOf } from './events.ts';
import { signatureHeaders } from './signature.ts';

/** Deliveries in progress at the same time. */
const CONNECTIONS = 8;
/** Longer than a request may take. */
const LEASE_SECONDS = 30;
/** A job that ran for much longer would count as overdue. `reconcileWebhooks` enqueues the next one. */
const MAX_RUN_MS = 300_000;
/** How long a delivery is tried, counted from its event or replay. */
export const TRIED_HOURS = 24;
/** Seconds between a failed attempt and the next one of the same delivery, and of any delivery of the same webhook. */
const RETRY = { first: 5, factor: 3, most: 21_600, mostOfWebhook: 300 };

interface ClaimedDelivery {
  id: number;
  eventId: string;
  action: string;
  data: object;
  created: Date;
  attempts: number;
  webhookId: number;
  url: string;
  sealedSecret: Uint8Array;
  /** The secret before, while it signs as well. */
  sealedPrevious: Uint8Array | null;
  failures: number;
}

interface Tools {
  stopping: AbortSignal;
  log: typeof log;
}

/** Claims the delivery that has been due longest, of a webhook without one in progress. Null when there is none. */
async function claimDelivery(): Promise<ClaimedDelivery | null> {
  const [delivery] = await db.$queryRaw<ClaimedDelivery[]>`
    WITH due AS (
      SELECT d.id FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
      WHERE d.state = 'queued' AND d.next_attempt <= now() AND (d.claimed_until IS NULL OR d.claimed_until < now())
        AND w.is_enabled AND (w.paused_until IS NULL OR w.paused_until <= now())
        AND NOT EXISTS (SELECT FROM webhook_delivery o
          WHERE o.webhook_id = w.id AND o.state = 'queued' AND o.claimed_until >= now())
      ORDER BY d.next_attempt, d.id LIMIT 1 FOR NO KEY UPDATE OF d, w SKIP LOCKED
    )
    UPDATE webhook_delivery d SET attempts = d.attempts + 1, claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
    FROM due, webhook w WHERE d.id = due.id AND w.id = d.webhook_id
    RETURNING d.id, d.event_id AS "eventId", d.action, d.data, d.created, d.attempts, w.id AS "webhookId", w.url,
      w.sealed_secret AS "sealedSecret", w.failures,
      CASE WHEN w.previous_until > now() THEN w.sealed_previous END AS "sealedPrevious"`;
  return delivery ?? null;
}

/** Sends the deliveries that are due. Safe to run twice. */
export async function deliverWebhooks(tools: Tools): Promise<void> {
  await settleAll(Array.from({ length: CONNECTIONS }, () => deliverInTurn(tools)));
}

async function deliverInTurn({ stopping, log: logger }: Tools): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  while (!stopping.aborted && performance.now() < end) {
    const delivery = await claimDelivery();
    if (delivery === null) return;
    await deliver(delivery, logger);
  }
}

/** What came of an attempt. */
interface Outcome {
  status: number | null;
  /** Null for a delivery that was accepted. */
  error: Message | null;
}

async function deliver(delivery: ClaimedDelivery, logger: typeof log): Promise<void> {
  const outcome = await attempt(delivery);
  if (outcome.error === null) return markDelivered(delivery, outcome.status);
  const { id: deliveryId, webhookId, attempts } = delivery;
  logger.info(
    { deliveryId, webhookId, attempt: attempts, reason: englishText(outcome.error) },
    'A webhook did not accept an event.',
  );
  await markFailed(delivery, outcome);
}

async function attempt({ eventId: id, action, data, created, url, ...sealed }: ClaimedDelivery): Promise<Outcome> {
  const body = JSON.stringify({ type: eventOf(action), timestamp: created.toISOString(), data });
  try {
    const secrets = [sealed.sealedSecret, sealed.sealedPrevious].filter((each) => each !== null).map(openSecret);
    const signed = signatureHeaders(secrets, { id, seconds: Math.floor(Date.now() / 1000), body });
    const status = await postPublicly(new URL(url), {
      ...{ body, privateNetworks: config.WEBHOOK_PRIVATE_NETWORKS, timeoutSeconds: config.WEBHOOK_TIMEOUT },
      headers: { ...signed, 'Content-Type': 'application/json', 'User-Agent': `addons-webhooks (${config.BASE_URL})` },
    });
    const isAccepted = status >= 200 && status < 300;
    return { status, error: isAccepted ? null : message('webhook.refused', { status: String(status) }) };
  } catch (error) {
    if (error instanceof PublicRequestError) return { status: null, error: error.reason };
    if (error instanceof UnopenableSecretError) return { status: null, error: message('webhook.secret_sealed') };
    throw error;
  }
}

async function markDelivered({ id, webhookId }: ClaimedDelivery, status: number | null): Promise<void> {
  await db.$executeRaw`
    WITH accepting AS (
      UPDATE webhook SET failures = 0, paused_until = NULL WHERE id = ${webhookId} AND failures > 0
    )
    UPDATE webhook_delivery SET state = 'delivered', finished = now(), claimed_until = NULL, last_error = NULL,
      response_status = ${status} WHERE id = ${id}`;
}

const backOff = (failures: number): number => Math.min(RETRY.first * RETRY.factor ** (failures - 1), RETRY.most);

/** Postpones the next attempt of the delivery, and for a shorter time those of all deliveries of the webhook. */
async function markFailed({ id, webhookId, attempts, failures }: ClaimedDelivery, outcome: Outcome): Promise<void> {
  const pause = Math.min(backOff(failures + 1), RETRY.mostOfWebhook);
  await db.$executeRaw`
    WITH refusing AS (
      UPDATE webhook SET failures = failures + 1, paused_until = now() + make_interval(secs => ${pause}) WHERE id = ${webhookId}
    ), next AS (
      SELECT id, now() + make_interval(secs => ${backOff(attempts)}) AS time FROM webhook_delivery WHERE id = ${id}
    ), judged AS (
      SELECT d.id, next.time, next.time > d.queued + make_interval(hours => ${TRIED_HOURS}) AS is_last
      FROM webhook_delivery d JOIN next USING (id)
    )
    UPDATE webhook_delivery d SET claimed_until = NULL, last_error = ${JSON.stringify(outcome.error)}::jsonb, response_status = ${outcome.status},
      next_attempt = judged.time, state = CASE WHEN is_last THEN 'failed' ELSE 'queued' END,
      finished = CASE WHEN is_last THEN now() END
    FROM judged WHERE d.id = judged.id`;
}

/**
 * Removes replaced secrets whose time is over, gives up deliveries of webhooks that are switched off or fail all the time, and enqueues a job
 * when a delivery is due and no job is about to send it: its attempt failed, or its worker was killed.
 */
export async function reconcileWebhooks(): Promise<void> {
  if (await isReadOnly()) return;
  await db.$executeRaw`UPDATE webhook SET sealed_previous = NULL, previous_until = NULL WHERE previous_until <= now()`;
  await db.$executeRaw`
    UPDATE webhook_delivery SET state = 'failed', finished = now(), claimed_until = NULL,
      last_error = coalesce(last_error, ${JSON.stringify(message('webhook.not_tried'))}::jsonb)
    WHERE state = 'queued' AND queued < now() - make_interval(hours => ${TRIED_HOURS})
      AND (claimed_until IS NULL OR claimed_until < now())`;
  const rows = await db.$queryRaw<unknown[]>`
    SELECT FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
    WHERE d.state = 'queued' AND d.next_attempt <= now() AND (d.claimed_until IS NULL OR d.claimed_until < now())
      AND w.is_enabled AND (w.paused_until IS NULL OR w.paused_until <= now())
      AND NOT EXISTS (
        SELECT FROM graphile_worker.jobs
        WHERE task_identifier = 'deliver-webhooks' AND attempts < max_attempts AND (run_at <= now() OR locked_at IS NOT NULL))
    LIMIT 1`;
  if (rows.length > 0) await enqueue(db, deliverWebhooksTask, {});
}
