import { commaList, count, isNetwork, meta } from './types.ts';

/** Where webhooks may be sent to. */
export const webhookSettings = {
  WEBHOOK_PRIVATE_NETWORKS: [
    commaList
      .refine((words) => words.every(isNetwork), 'Expected addresses and networks such as 192.0.2.0/24')
      .default([]),
    meta(
      'Webhooks',
      'Comma-separated addresses and networks that webhooks may be sent to although they are not public, also by http: for receivers in the own network and for development.',
    ),
  ],
  WEBHOOK_TIMEOUT: [count(1, 20).default(10), meta('Webhooks', 'Seconds until a receiver must have responded.')],
} as const;
