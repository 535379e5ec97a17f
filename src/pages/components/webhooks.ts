/* What the pages of webhooks share: those of an add-on in the hub, and those of the service in the administration. */
import { html } from 'hono/html';
import type {
  WebhookEvent,
  WebhookFieldsFragment,
  WebhookWithDeliveriesFragment,
  WebhookWithSecretFragment,
} from '../../generated/operations/graphql.ts';
import { enumValues, recordId, wordParam } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { code, type Html } from '../html.ts';
import { codedMessageOf, messageHtml } from '../messages.ts';
import type { Ui } from '../ui.ts';
import { type BadgeKind, badge } from './badge.ts';
import { dataTable } from './data-table.ts';
import { facts } from './facts.ts';
import { buttonForm, formElement } from './form.ts';
import type { FormField } from './form-field.ts';
import { notice } from './notice.ts';
import { CURSOR_PARAM, cursorPager } from './pager.ts';
import { tabs } from './tabs.ts';
import { moment } from './time.ts';

/** Every event, in the order of the page. */
export const WEBHOOK_EVENTS = Object.keys({
  VERSION_RECEIVED: true,
  VERSION_VALID: true,
  VERSION_INVALID: true,
  VERSION_ERROR: true,
  VERSION_REVIEW_REQUESTED: true,
  VERSION_INFORMATION_REQUESTED: true,
  VERSION_APPROVED: true,
  VERSION_REJECTED: true,
  VERSION_SIGNING: true,
  VERSION_SIGNED: true,
  VERSION_DISABLED: true,
  VERSION_ENABLED: true,
  VERSION_DELETED: true,
  ADDON_CREATED: true,
  ADDON_DISABLED: true,
  ADDON_ENABLED: true,
  ADDON_DELETED: true,
  ADDON_REVIVED: true,
} satisfies Record<WebhookEvent, true>) as WebhookEvent[];

const MAX_URL = 1_000;
const STATES = ['queued', 'delivered', 'failed'] as const;
const KINDS: Readonly<Record<WebhookState, BadgeKind>> = { FAILED: 'error', QUEUED: 'info', DELIVERED: 'ok' };
type Delivery = WebhookWithDeliveriesFragment['deliveries']['nodes'][number];
type WebhookState = Delivery['state'];

/** The parameter of pages about one webhook. */
export const WEBHOOK_ID = recordId('Id of the webhook.');
/** The parameters of a list of deliveries. */
export const DELIVERY_QUERY = {
  state: wordParam('State of the deliveries.', enumValues(STATES)),
  ...CURSOR_PARAM,
};

/** The webhook that a page is about; null for another object, and for one that is not among the `listed` ones. */
export function webhookAmong(
  listed: readonly { id: string }[],
  node: WebhookWithDeliveriesFragment | Record<PropertyKey, never> | null | undefined,
): WebhookWithDeliveriesFragment | null {
  if (node == null || !('deliveries' in node)) return null;
  const webhook = node as WebhookWithDeliveriesFragment;
  return listed.some(({ id }) => id === webhook.id) ? webhook : null;
}

/** The events to choose from. Those of one add-on do not offer its creation, which is over. */
const eventBoxes = (ui: Ui, values: readonly string[], isOfAddon: boolean): FormField => ({
  kind: 'checkboxes',
  name: 'events',
  label: ui.t('webhooks.events'),
  isRequired: true,
  values,
  options: WEBHOOK_EVENTS.filter((event) => !isOfAddon || event !== 'ADDON_CREATED' || values.includes(event)).map(
    (event) => ({
      value: event,
      text: ui.t(`webhooks.event.${event}`),
    }),
  ),
});

function stateOf(ui: Ui, { isEnabled, failures }: WebhookFieldsFragment): Html {
  const { t } = ui;
  if (!isEnabled) return badge(ui, { kind: 'plain', text: t('webhooks.off') });
  if (failures > 0) return badge(ui, { kind: 'warning', text: t('webhooks.failing', { count: failures }) });
  return badge(ui, { kind: 'ok', text: t('webhooks.on') });
}

const eventNames = (ui: Ui, events: readonly WebhookEvent[]): Html =>
  html`${events.map((event, index) => html`${index > 0 && html`<br>`}${ui.t(`webhooks.event.${event}`)}`)}`;

/** The webhooks with links to their pages, and the form that creates one. `addon` is the global id of the add-on. */
export function webhookList(
  ui: Ui,
  { webhooks, path, addon }: { webhooks: readonly WebhookFieldsFragment[]; path: string; addon?: string },
): Html {
  const { t } = ui;
  const table = () =>
    dataTable(ui, {
      id: 'webhooks',
      caption: t('webhooks.caption'),
      isCaptionHidden: true,
      isStacked: true,
      columns: ['webhooks.address', 'hub.versions.state', 'webhooks.events'],
      rows: webhooks.map((each) => [
        html`<a href="${path}${each.databaseId}/"><bdi dir="ltr">${each.url}</bdi></a>`,
        stateOf(ui, each),
        eventNames(ui, each.events),
      ]),
    });
  return html`<p>${t('webhooks.text')}</p>
${webhooks.length === 0 ? html`<p>${t('webhooks.none')}</p>` : table()}
<section class="stack"><h2>${t('webhooks.add')}</h2>
${formElement(ui, {
  name: 'webhook-create',
  ...(addon === undefined ? {} : { hidden: { addon } }),
  parts: [
    {
      kind: 'url',
      name: 'url',
      label: t('webhooks.address'),
      hint: t('webhooks.address-hint'),
      isRequired: true,
      maxLength: MAX_URL,
    },
    eventBoxes(ui, ['VERSION_REJECTED', 'VERSION_SIGNED'], addon !== undefined),
  ],
  submit: t('webhooks.add'),
})}</section>`;
}

/** The page of a list of deliveries, its parameters, and the state that it shows. */
interface DeliveryList {
  path: string;
  search: URLSearchParams;
  state: string | null;
}

/** One webhook: its events, its deliveries, and what can be done with it. */
export function webhookDetails(
  ui: Ui,
  webhook: WebhookWithDeliveriesFragment,
  { path, search, state, isOfAddon }: DeliveryList & { isOfAddon: boolean },
): Html {
  const { t } = ui;
  const { id, isEnabled } = webhook;
  return html`${facts(ui, {
    items: [
      { term: t('webhooks.address'), value: code(webhook.url) },
      { term: t('hub.versions.state'), value: stateOf(ui, webhook) },
    ],
  })}
${buttonForm(ui, {
  name: 'webhook-switch',
  hidden: { id, ...(isEnabled ? {} : { isEnabled: 'on' }) },
  button: html`${isEnabled ? t('webhooks.switch-off') : t('webhooks.switch-on')}`,
})}
<section class="stack"><h2>${t('webhooks.deliveries')}</h2>
${deliveryList(ui, webhook.deliveries, { path, search, state })}</section>
${secretSection(ui, webhook)}
<section class="stack"><h2>${t('webhooks.change-events')}</h2>
${formElement(ui, {
  name: 'webhook-events',
  hidden: { id },
  parts: [eventBoxes(ui, webhook.events, isOfAddon)],
  submit: t('webhooks.save-events'),
})}</section>
<section class="stack"><h2>${t('webhooks.remove')}</h2>
${formElement(ui, {
  name: 'webhook-remove',
  hidden: { id },
  parts: [{ kind: 'html', content: html`<p>${t('webhooks.remove-why')}</p>` }],
  submit: t('webhooks.remove'),
  isDanger: true,
})}</section>`;
}

/** The replacement of the secret, and the end of the one before. */
function secretSection(ui: Ui, { id, previousSecretUntil: until }: WebhookWithDeliveriesFragment): Html {
  const { t } = ui;
  const previous = (time: string) =>
    notice(ui, {
      kind: 'info',
      text: t('webhooks.previous', { time: moment(ui, time) }),
      actions: buttonForm(ui, {
        ...{ name: 'webhook-end-previous', hidden: { id }, button: html`${t('webhooks.end-previous')}` },
      }),
    });
  const why = until === null ? t('webhooks.replace-why') : t('webhooks.replace-again');
  return html`<section class="stack"><h2>${t('webhooks.secret')}</h2>
${until !== null && previous(until)}
${formElement(ui, {
  name: 'webhook-replace-secret',
  hidden: { id },
  parts: [{ kind: 'html', content: html`<p>${why}</p>` }],
  submit: t('webhooks.replace'),
})}</section>`;
}

function deliveryList(
  ui: Ui,
  { nodes, pageInfo, totalCount }: WebhookWithDeliveriesFragment['deliveries'],
  { path, search, state }: DeliveryList,
): Html {
  const { t } = ui;
  return html`${tabs(ui, {
    label: t('hub.versions.state'),
    items: [null, ...STATES].map((each) => ({
      text: each === null ? t('hub.state.all') : t(`webhooks.state.${each.toUpperCase() as WebhookState}`),
      href: `${path}${changedQuery(search, { state: each })}`,
      isCurrent: (each?.toUpperCase() ?? null) === state,
    })),
  })}
<p>${t('webhooks.sum', { count: totalCount })}</p>
${nodes.length > 0 && deliveryTable(ui, nodes)}
${cursorPager(ui, { search, pageInfo })}`;
}

function reasonOf(ui: Ui, error: Delivery['lastError']): Html | string {
  const found = codedMessageOf(error);
  return found === null ? '' : messageHtml(ui, found);
}

const deliveryTable = (ui: Ui, deliveries: readonly Delivery[]): Html =>
  dataTable(ui, {
    id: 'deliveries',
    caption: ui.t('webhooks.deliveries'),
    isCaptionHidden: true,
    isStacked: true,
    columns: [
      ...(['webhooks.event', 'webhooks.time', 'hub.versions.state', 'admin.mail.attempts'] as const),
      ...(['webhooks.response', 'admin.mail.error', 'account.column.action'] as const),
    ],
    rows: deliveries.map((each) => [
      html`${ui.t(`webhooks.event.${each.event}`)}`,
      moment(ui, each.created),
      badge(ui, { kind: KINDS[each.state], text: ui.t(`webhooks.state.${each.state}`) }),
      ui.format.number(each.attempts),
      each.responseStatus === null ? '' : String(each.responseStatus),
      reasonOf(ui, each.lastError),
      buttonForm(ui, {
        name: 'webhook-replay',
        hidden: { id: each.id },
        button: html`${ui.t('webhooks.replay')}<span class="visually-hidden"> <bdi dir="ltr">${each.eventId}</bdi></span>`,
      }),
    ]),
  });

/** A webhook and its new secret. */
export interface NewSecret {
  secret: string;
  webhook: WebhookWithSecretFragment;
}

/** The heading of the page with a new secret. */
export const secretHeading = ({ t }: Ui, { webhook }: NewSecret): Html =>
  webhook.previousSecretUntil === null ? t('webhooks.new') : t('webhooks.new-secret');

/** What a page shows once after the creation, or the replacement of the secret: the only one that contains the secret. */
export function shownSecret(ui: Ui, { secret, webhook }: NewSecret, path: string): Html {
  const { t } = ui;
  const until = webhook.previousSecretUntil;
  return html`${notice(ui, { kind: 'warning', text: t('webhooks.once'), isResult: true })}
${until !== null && html`<p>${t('webhooks.previous', { time: moment(ui, until) })}</p>`}
${facts(ui, {
  items: [
    { term: t('webhooks.address'), value: code(webhook.url) },
    { term: t('webhooks.secret'), value: code(secret) },
  ],
})}
<p><a class="button" href="${path}${webhook.databaseId}/">${t('webhooks.saved')}</a></p>`;
}
