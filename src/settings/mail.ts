import { z } from 'zod';
import { commaList, isNetwork, meta } from './types.ts';

const CONTROL = /\p{Cc}/u;

/** Settings of outgoing and incoming mail (docs/decisions.md D123). */
export const mailSettings = {
  SMTP_URL: [
    z.url({ protocol: /^smtps?$/, hostname: /./, error: 'Expected smtp://HOST:PORT or smtps://HOST:PORT' }).optional(),
    meta(
      'Mail',
      'Mail server, as smtp://USER:PASSWORD@HOST:PORT or smtps://…; web processes and workers need it. Unset: mails wait in the outbox.',
      true,
    ),
  ],
  MAIL_FROM: [
    z
      .string()
      .refine((text) => !CONTROL.test(text), 'Control characters are not allowed')
      .refine((text) => /^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text), 'Expected NAME <ADDRESS>')
      .optional(),
    meta('Mail', 'Sender of mails, as ADDRESS or NAME <ADDRESS>. Default: SITE_NAME <noreply@MAIL_DOMAIN>.'),
  ],
  MAIL_DOMAIN: [
    z
      .string()
      .regex(/^[A-Za-z0-9.-]{1,253}$/, 'Expected a host name')
      .optional(),
    meta('Mail', 'Domain of reply addresses and message ids. Default: the host of BASE_URL.'),
  ],
  INBOUND_MAIL_SECRET: [
    z.string().min(16).optional(),
    meta('Mail', 'Secret of the mail server that posts replies, at least 16 characters. Unset: all are refused.', true),
  ],
  INBOUND_MAIL_CLIENTS: [
    commaList
      .refine((words) => words.every(isNetwork), 'Expected addresses and networks such as 192.0.2.0/24')
      .default([]),
    meta('Mail', 'Comma-separated addresses and networks that may post replies. Unset: any, with the secret.'),
  ],
  INBOUND_MAIL_SENDER: [
    z.enum(['account', 'any']).default('account'),
    meta(
      'Mail',
      'Whose replies count: of mails with a sender, those from an address of the account (account), or all (any).',
    ),
  ],
  INBOUND_MAIL_VALIDATION_KEY: [
    z.string().default(''),
    meta('Mail', 'Text of the responses to posted replies, by which a mail server recognizes the service.'),
  ],
} as const;
