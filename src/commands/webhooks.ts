import { addonIdOf } from '../domain/addons/find-addon.ts';
import { disableByCommand, replayByCommand } from '../domain/webhooks/change-webhooks.ts';
import { eventOf, eventsOfActions } from '../domain/webhooks/events.ts';
import {
  DELIVERY_STATES,
  type DeliveryRow,
  type DeliveryState,
  findWebhook,
  listDeliveries,
  listWebhooks,
  type WebhookRow,
} from '../domain/webhooks/find-webhooks.ts';
import type { KeysetPage } from '../graphql/connections.ts';
import { englishText } from '../texts/messages.ts';
import { CommandError, type Invocation, print, printJson, printResult, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const PAGE = 200;

/** Prints webhooks, oldest first: all, or those of an add-on. With `--json` one object for each. */
export async function listWebhooksCommand(invocation: Invocation): Promise<void> {
  const addon = invocation.optionalText('addon');
  await withDatabase(async () => {
    const addonId = addon === undefined ? null : await addonIdOf(addon);
    const printOne = invocation.flag('json') ? printWebhookJson : printWebhook;
    await printAll((page) => listWebhooks(addonId, page), printOne);
  });
}

/** Prints the deliveries of a webhook, newest first. With `--json` one object for each. */
export async function listDeliveriesCommand(invocation: Invocation): Promise<void> {
  const filter = { webhookId: numberOf(invocation, 'ID'), state: stateOf(invocation.optionalText('state')) };
  await withDatabase(async () => {
    if ((await findWebhook(filter.webhookId)) === null)
      throw new CommandError(`There is no webhook ${filter.webhookId}; "webhooks list" prints all.`);
    const printOne = invocation.flag('json') ? printDeliveryJson : printDelivery;
    await printAll((page) => listDeliveries(filter, page), printOne);
  });
}

/** Makes a delivery due now. */
export async function replayCommand(invocation: Invocation): Promise<void> {
  const id = numberOf(invocation, 'DELIVERY');
  await withDatabase(() => replayByCommand(id));
  printResult(invocation, { replayed: id }, `Delivery ${id} is due now.`);
}

/** Switches a webhook off. */
export async function disableCommand(invocation: Invocation): Promise<void> {
  const id = numberOf(invocation, 'ID');
  await withDatabase(() => disableByCommand(id));
  printResult(invocation, { disabled: id }, `Webhook ${id} is off.`);
}

async function printAll<Row extends { id: number }>(
  load: (page: KeysetPage) => Promise<Row[]>,
  printOne: (row: Row) => void,
): Promise<void> {
  for (let after: number | null = null; ; ) {
    const rows: Row[] = await load({ before: null, after, limit: PAGE, inverted: false });
    for (const row of rows) printOne(row);
    after = rows.at(-1)?.id ?? null;
    if (rows.length < PAGE) return;
  }
}

function numberOf(invocation: Invocation, name: string): number {
  const text = invocation.argument(name);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`webhooks: ${name} is a number, as the lists print it`);
  return Number(text);
}

function stateOf(given: string | undefined): DeliveryState | null {
  const state = DELIVERY_STATES.find((each) => each === given) ?? null;
  if (given !== undefined && state === null)
    throw new UsageError(`webhooks deliveries: --state is one of ${DELIVERY_STATES.join(', ')}`);
  return state;
}

function printWebhook({ id, addonId, url, isEnabled, failures, actions }: WebhookRow): void {
  const state = isEnabled ? 'on' : 'off';
  const owner = addonId === null ? 'service' : `addon ${addonId}`;
  print([id, state.padEnd(3), owner, `${failures} failed`, url, eventsOfActions(actions).join(',')].join('  '));
}

function printWebhookJson({ actions, ...webhook }: WebhookRow): void {
  printJson({ ...webhook, events: eventsOfActions(actions) });
}

function printDelivery({ id, state, attempts, created, action, eventId, lastError }: DeliveryRow): void {
  const reason = lastError === null ? '' : englishText(lastError);
  const words = [id, state.padEnd(9), `${attempts}x`, created.toISOString(), eventOf(action), eventId, reason];
  print(words.join('  ').trimEnd());
}

function printDeliveryJson({ action, ...delivery }: DeliveryRow): void {
  printJson({ ...delivery, event: eventOf(action) });
}
