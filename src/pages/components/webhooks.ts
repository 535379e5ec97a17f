/* What the pages of webhooks share: those of an add-on in the hub, and those of the service in the administration. */
import { html } from 'hono/html';
import {
  CreateWebhookDocument,
  type CreateWebhookMutation,
  RemoveWebhookDocument,
  ReplayWebhookDeliveryDocument,
  UpdateWebhookDocument,
  type WebhookEvent,
  type WebhookFieldsFragment,
  type WebhookWithDeliveriesFragment,
} from '../../generated/operations/graphql.ts';
import { payloadOf } from '../../http/endpoint.ts';
import { enumValues, label, recordId, word } from '../../http/params.ts';
import { changedQuery } from '../catalogue/addresses.ts';
import { checkbox, type Field, listField, optionalText, textField } from '../fields.ts';
import { type FormRow, form } from '../form.ts';
import { code, type Html } from '../html.ts';
import type { Content, PageInput, PageRow, Redirect } from '../page.ts';
import type { Ui } from '../ui.ts';
import { type BadgeKind, badge } from './badge.ts';
import { dataTable } from './data-table.ts';
import { facts } from './facts.ts';
import { buttonForm, formElement } from './form.ts';
import type { Field as FormField } from './form-field.ts';
import { notice } from './notice.ts';
import { cursorPager } from './pager.ts';
import { tabs } from './tabs.ts';
import { moment } from './time.ts';

/** Every event, in the order of the page. */
const EVENTS = Object.keys({
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
type WebhookState = WebhookWithDeliveriesFragment['deliveries']['nodes'][number]['state'];

/** The parameters of the page of one webhook. */
export const WEBHOOK_ID = recordId('Id of the webhook.');
export const DELIVERY_QUERY = {
  state: word('State of the deliveries.', enumValues(STATES)),
  after: label('Cursor of the last entry of the page before.'),
};

/** The events to choose from. Those of one add-on do not offer its creation, which is over. */
const eventBoxes = (ui: Ui, values: readonly string[], isOfAddon: boolean): FormField => ({
  kind: 'checkboxes',
  name: 'events',
  label: ui.t('webhooks.events'),
  isRequired: true,
  values,
  options: EVENTS.filter((event) => !isOfAddon || event !== 'ADDON_CREATED' || values.includes(event)).map((event) => ({
    value: event,
    text: ui.t(`webhooks.event.${event}`),
  })),
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
      columns: [{ text: t('webhooks.address') }, { text: t('hub.versions.state') }, { text: t('webhooks.events') }],
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

function deliveryList(
  ui: Ui,
  { nodes, pageInfo, totalCount }: WebhookWithDeliveriesFragment['deliveries'],
  { path, search, state }: DeliveryList,
): Html {
  const { t } = ui;
  const next = pageInfo.hasNextPage ? changedQuery(search, { after: pageInfo.endCursor ?? '' }) : null;
  return html`${tabs(ui, {
    label: t('hub.versions.state'),
    items: [null, ...STATES].map((each) => ({
      text: each === null ? t('hub.state.all') : t(`webhooks.state.${each.toUpperCase() as WebhookState}`),
      href: `${path}${changedQuery(search, { state: each, after: null })}`,
      isCurrent: (each?.toUpperCase() ?? null) === state,
    })),
  })}
<p>${t('webhooks.sum', { count: totalCount })}</p>
${nodes.length > 0 && deliveryTable(ui, nodes)}
${cursorPager(ui, {
  firstHref: search.has('after') ? `${path}${changedQuery(search, { after: null })}` : null,
  nextHref: next && `${path}${next}`,
})}`;
}

const deliveryTable = (ui: Ui, deliveries: WebhookWithDeliveriesFragment['deliveries']['nodes']): Html =>
  dataTable(ui, {
    id: 'deliveries',
    caption: ui.t('webhooks.deliveries'),
    isCaptionHidden: true,
    columns: (
      [
        ...(['webhooks.event', 'webhooks.time', 'hub.versions.state', 'admin.mail.attempts'] as const),
        ...(['webhooks.response', 'admin.mail.error', 'account.column.action'] as const),
      ] as const
    ).map((key) => ({ text: ui.t(key) })),
    rows: deliveries.map((each) => [
      html`${ui.t(`webhooks.event.${each.event}`)}`,
      moment(ui, each.created),
      badge(ui, { kind: KINDS[each.state], text: ui.t(`webhooks.state.${each.state}`) }),
      ui.format.number(each.attempts),
      each.responseStatus === null ? '' : String(each.responseStatus),
      each.lastError === null ? '' : html`<span lang="en" dir="ltr">${each.lastError}</span>`,
      buttonForm(ui, {
        name: 'webhook-replay',
        hidden: { id: each.id },
        button: html`${ui.t('webhooks.replay')}<span class="visually-hidden"> <bdi dir="ltr">${each.eventId}</bdi></span>`,
      }),
    ]),
  });

/** What a page shows once after the creation: the only one that contains the secret. */
export function newWebhook(ui: Ui, made: CreateWebhookMutation['createWebhook'], path: string): Html {
  const { t } = ui;
  const { secret, webhook } = payloadOf(made, 'secret');
  return html`${notice(ui, { kind: 'warning', text: t('webhooks.once'), isResult: true })}
${facts(ui, {
  items: [
    { term: t('webhooks.address'), value: code(webhook.url) },
    { term: t('webhooks.secret'), value: code(secret) },
  ],
})}
<p><a class="button" href="${path}${webhook.databaseId}/">${t('webhooks.saved')}</a></p>`;
}

/** Checked events; other values, which no page sends, are left out. */
const eventsField: Field<WebhookEvent[]> = {
  read: (typed, name) => {
    const values = listField.read(typed, name);
    return EVENTS.filter((event) => values.includes(event));
  },
};

interface WebhookPages {
  list: PageRow;
  one: PageRow;
  /** What follows the creation, with its result. */
  created(made: CreateWebhookMutation['createWebhook'], input: PageInput, ui: Ui): Content;
  removed(input: PageInput): Redirect;
}

/** The forms of the pages of webhooks. */
export const webhookForms = ({ list, one, created, removed }: WebhookPages): readonly FormRow[] => [
  form({
    page: list,
    name: 'webhook-create',
    fields: { addon: optionalText, url: textField, events: eventsField },
    document: CreateWebhookDocument,
    variables: (input) => ({ input }),
    done: ({ createWebhook }, input, _values, ui) => created(createWebhook, input, ui),
  }),
  form({
    page: one,
    name: 'webhook-switch',
    fields: { id: textField, isEnabled: checkbox },
    document: UpdateWebhookDocument,
    variables: (input) => ({ input }),
  }),
  form({
    page: one,
    name: 'webhook-events',
    fields: { id: textField, events: eventsField },
    document: UpdateWebhookDocument,
    variables: (input) => ({ input }),
  }),
  form({
    page: one,
    name: 'webhook-replay',
    fields: { id: textField },
    document: ReplayWebhookDeliveryDocument,
    variables: (values) => values,
  }),
  form({
    page: one,
    name: 'webhook-remove',
    fields: { id: textField },
    document: RemoveWebhookDocument,
    variables: (values) => values,
    done: (_result, input) => removed(input),
  }),
];
