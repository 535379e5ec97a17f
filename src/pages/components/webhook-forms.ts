/* The forms of the pages of webhooks. */

import { payloadOf } from '../../execution/endpoint.ts';
import {
  CreateWebhookDocument,
  EndPreviousWebhookSecretDocument,
  RemoveWebhookDocument,
  ReplaceWebhookSecretDocument,
  ReplayWebhookDeliveryDocument,
  UpdateWebhookDocument,
  type WebhookEvent,
} from '../../generated/operations/graphql.ts';
import { checkbox, type FieldReader, listField, optionalText, textField } from '../fields.ts';
import { type FormRow, form } from '../form.ts';
import type { PageContent, PageInput, PageRedirect, PageRow } from '../page.ts';
import type { Ui } from '../ui.ts';
import { type NewSecret, WEBHOOK_EVENTS } from './webhooks.ts';

/** Checked events; other values, which no page sends, are left out. */
const eventsField: FieldReader<WebhookEvent[]> = {
  read: (typed, name) => {
    const values = listField.read(typed, name);
    return WEBHOOK_EVENTS.filter((event) => values.includes(event));
  },
};

interface WebhookPages {
  list: PageRow;
  one: PageRow;
  /** What shows a new secret. */
  shown(made: NewSecret, ui: Ui): PageContent;
  removed(input: PageInput): PageRedirect;
}

/** The forms of the pages of webhooks. */
export const webhookForms = ({ list, one, shown, removed }: WebhookPages): readonly FormRow[] => [
  form({
    page: list,
    name: 'webhook-create',
    fields: { addon: optionalText, url: textField, events: eventsField },
    document: CreateWebhookDocument,
    variables: (input) => ({ input }),
    done: ({ createWebhook }, _input, _values, ui) => shown(payloadOf(createWebhook, 'secret'), ui),
  }),
  form({
    page: one,
    name: 'webhook-replace-secret',
    fields: { id: textField },
    document: ReplaceWebhookSecretDocument,
    variables: (values) => values,
    done: ({ replaceWebhookSecret }, _input, _values, ui) => shown(payloadOf(replaceWebhookSecret, 'secret'), ui),
  }),
  form({
    page: one,
    name: 'webhook-end-previous',
    fields: { id: textField },
    document: EndPreviousWebhookSecretDocument,
    variables: (values) => values,
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
