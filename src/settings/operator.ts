import { z } from 'zod';
import { contact, meta, webPage } from './types.ts';

/** Who runs the service, and how visitors reach them. */
export const operatorSettings = {
  OPERATOR_ACCOUNT: [
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,254}$/, 'expected a username: letters, digits, _ and -, first a letter')
      .default('operator'),
    meta(
      'Operator',
      'Username of the operator in addresses of collections. No user may choose it; a user who has it already gives way.',
    ),
  ],
  OPERATOR_NAME: [
    z.string().trim().optional(),
    meta('Operator', 'Person or organisation that runs the service, as /about/ names it. Default: SITE_NAME.'),
  ],
  OPERATOR_CONTACT: [
    contact.optional(),
    meta(
      'Operator',
      'Mail address or web page where visitors and developers reach the operator. Pages that refuse something name it.',
    ),
  ],
  SECURITY_CONTACT: [
    contact.optional(),
    meta(
      'Operator',
      'Mail address or web page for reports of security problems, in /.well-known/security.txt. Default: OPERATOR_CONTACT; without both there is no such file.',
    ),
  ],
  IMPRINT_URL: [webPage.optional(), meta('Operator', 'Page with the legal information about the operator.')],
  PRIVACY_URL: [
    webPage.optional(),
    meta('Operator', 'Privacy policy of the operator. /about/ lists what the service itself stores.'),
  ],
  DEVELOPER_AGREEMENT_URL: [
    webPage.optional(),
    meta('Operator', 'Page of the operator with the developer agreement. Default: the text at /docs/agreement/.'),
  ],
} as const;
