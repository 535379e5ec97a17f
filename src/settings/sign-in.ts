import { z } from 'zod';
import { commaList, flag, meta, type SettingMeta, webPage } from './types.ts';

/** Pairs of a value of a claim and a group; the last `=` separates them. */
const groupMapping = commaList
  .transform((words) => words.map((word) => /^(?<value>.*[^\s])\s*=\s*(?<group>[^=]+)$/u.exec(word)?.groups))
  .refine((pairs) => pairs.every((pair) => pair !== undefined), 'Expected value=group, separated by commas')
  .transform((pairs) => pairs.map((pair) => ({ value: pair?.['value'] ?? '', group: pair?.['group'] ?? '' })));

/** The OpenID provider of accounts, issuers of ID tokens of continuous integration, and sign-in cookies. */
export const signInSettings = {
  OIDC_ISSUER: [
    webPage.optional(),
    meta(
      'Sign-in',
      'Address of the OpenID provider that accounts sign in through. Must be https, or in development http on a loopback address.',
    ),
  ],
  OIDC_CLIENT_ID: [
    z.string().optional(),
    meta('Sign-in', 'Id of this service at the provider. Required with OIDC_ISSUER.'),
  ],
  OIDC_CLIENT_SECRET: [
    z.string().optional(),
    meta('Sign-in', 'Its secret. Unset: a public client, which PKCE protects.', true),
  ],
  OIDC_SCOPES: [
    z
      .string()
      .regex(/(?:^| )openid(?: |$)/, 'must contain "openid"')
      .default('openid profile email'),
    meta('Sign-in', 'Scopes to request, separated by spaces. They must make the provider state the e-mail address.'),
  ],
  OIDC_TRUST_EMAIL: [
    flag.default(false),
    meta('Sign-in', 'true treats every e-mail address that the provider states as verified by it.'),
  ],
  OIDC_GROUPS_CLAIM: [
    z.string().min(1).optional(),
    meta(
      'Sign-in',
      'Claim of the provider that lists the groups of a person, such as groups. Sign-ins then change the memberships of OIDC_GROUPS.',
    ),
  ],
  OIDC_GROUPS: [
    groupMapping.default([]),
    meta(
      'Sign-in',
      'Comma-separated value=group: values of OIDC_GROUPS_CLAIM, and the groups of this service whose members they make. Other groups stay as they are.',
    ),
  ],
  OIDC_REQUIRED_ACR: [
    commaList.default([]),
    meta(
      'Sign-in',
      'Comma-separated values of the claim acr, one of which the provider must state for developers and staff. Every sign-in requests them. Empty: none.',
    ),
  ],
  PUBLISHING_ISSUERS: [
    commaList
      .refine(
        (words) => words.every((word) => webPage.safeParse(word).success),
        'Expected addresses, separated by commas',
      )
      .default(['https://token.actions.githubusercontent.com', 'https://gitlab.com']),
    meta(
      'Sign-in',
      'Comma-separated issuers of ID tokens of continuous integration that owners of add-ons may trust. Their keys must be at the same origin. Empty: none.',
    ),
  ],
  COOKIE_DOMAIN: [
    z
      .string()
      .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/)
      .optional(),
    meta(
      'Sign-in',
      'Domain of the cookie frontend_auth_token, for a front end on another host of the same domain. Default: the host of BASE_URL alone.',
    ),
  ],
  IDP_EDIT_EMAIL_URL: [
    webPage.optional(),
    meta(
      'Sign-in',
      'Page of the provider where users change their e-mail address. Default: OIDC_ISSUER, else BASE_URL.',
    ),
  ],
  SUPER_CREATE: [
    flag.default(false),
    meta(
      'Sign-in',
      'true lets holders of Accounts:SuperCreate create accounts and sign in as them, for tests. Never in production.',
    ),
  ],
} as const satisfies Record<string, readonly [z.ZodType, SettingMeta]>;
