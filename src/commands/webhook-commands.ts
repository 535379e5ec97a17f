import { type Command, JSON_OUTPUT } from './command.ts';

const EACH_JSON = { description: 'Print one line of JSON for each.' };

/** The commands about webhooks, of add-ons and of the service. */
export const webhookCommands: Command[] = [
  {
    name: 'webhooks list',
    summary: 'Prints all webhooks, the oldest first.',
    options: {
      addon: { value: 'ADDON', description: 'Only those of this add-on: its id, guid or slug.' },
      json: EACH_JSON,
    },
    load: async () => (await import('./webhooks.ts')).listWebhooksCommand,
  },
  {
    name: 'webhooks deliveries',
    summary: 'Prints the deliveries of a webhook with the reason of the last failure, the newest first.',
    arguments: ['ID'],
    options: {
      state: { value: 'S', description: 'Only deliveries in this state: queued, delivered or failed.' },
      json: EACH_JSON,
    },
    load: async () => (await import('./webhooks.ts')).listDeliveriesCommand,
  },
  {
    name: 'webhooks replay',
    summary: 'Sends a delivery again, whatever its state, with the same id and body.',
    arguments: ['DELIVERY'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./webhooks.ts')).replayCommand,
  },
  {
    name: 'webhooks disable',
    summary: 'Switches a webhook off; the owners of its add-on get a mail.',
    arguments: ['ID'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./webhooks.ts')).disableCommand,
  },
];
