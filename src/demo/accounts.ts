import { authenticate } from '../auth/authenticate.ts';
import type { Viewer } from '../auth/viewer.ts';
import { createAccessTokenFor, createAccount, createApiKeyFor, grantRule } from '../domain/accounts/administration.ts';
import { publishAddonsOf } from '../domain/listing/publish-addons.ts';
import { db } from '../infra/db.ts';
import { readDemoState, updateDemoState } from './state.ts';

/** A demo account: its role and permission rules. */
interface DemoAccount {
  username: string;
  displayName: string;
  group?: string;
  rules?: string[];
  biography?: string;
  location?: string;
  occupation?: string;
}

const REVIEW = [
  'Addons:Review',
  'Addons:ThemeReview',
  'Addons:ReviewUnlisted',
  'Addons:ContentReview',
  'Personas:Review',
];

const MODERATION = ['AbuseReports:Edit', 'Addons:Edit', 'Users:Edit'];

/** One account for each role. */
export const DEMO_ACCOUNTS = [
  { username: 'demo-admin', displayName: 'Administrator', group: 'Administrators', rules: ['*:*'] },
  { username: 'demo-reviewer', displayName: 'Reviewer', group: 'Reviewers', rules: REVIEW },
  {
    username: 'demo-developer',
    displayName: 'First developer',
    biography: 'Writes small extensions for people who read a lot. Every state of an add-on is among mine.',
    location: 'By the harbour',
    occupation: 'Developer',
  },
  {
    username: 'demo-developer-2',
    displayName: 'Second developer',
    biography: 'Themes, a dictionary and a language pack.',
    occupation: 'Translator',
  },
  { username: 'demo-moderator', displayName: 'Moderator', group: 'Moderators', rules: MODERATION },
  { username: 'demo-user', displayName: 'Reader' },
] as const satisfies DemoAccount[];

export type DemoUsername = (typeof DEMO_ACCOUNTS)[number]['username'];

/** Credentials of the demo. They are shown once: only hashes and sealed secrets are stored. */
export interface DemoCredentials {
  developer: { key: string; secret: string };
  reviewerToken: string;
  adminToken: string;
}

/** Creates missing accounts. Safe to repeat after an interruption. */
export async function ensureAccounts(): Promise<void> {
  for (const { username, group = '', rules = [], ...profile } of DEMO_ACCOUNTS as readonly DemoAccount[]) {
    const known = await db.account.findUnique({ where: { username }, select: { id: true } });
    const { id } = known ?? (await createAccount({ username, email: `${username}@example.org` }));
    await db.$transaction(async (tx) => {
      await tx.account.update({ where: { id }, data: profile });
      await publishAddonsOf(tx, id);
    });
    for (const rule of rules) await grantRule({ group, rule, username });
  }
}

/** Creates the credentials of the demo unless they were shown before. After showing them, call `noteCredentialsShown`. */
export async function issueCredentials(): Promise<DemoCredentials | null> {
  if ((await readDemoState())?.credentialsShown) return null;
  const label = 'Demo';
  const developer = await createApiKeyFor({ username: 'demo-developer', label });
  const { token: reviewerToken } = await createAccessTokenFor({ username: 'demo-reviewer', label });
  const { token: adminToken } = await createAccessTokenFor({ username: 'demo-admin', label });
  return { developer, reviewerToken, adminToken };
}

/** Records that the credentials were shown, so that later starts create none. */
export async function noteCredentialsShown(): Promise<void> {
  await updateDemoState({ credentialsShown: true });
}

const SESSION_MS = 3_600_000;

/** Signs in as a demo account for an hour, with an access token. */
export async function signIn(username: DemoUsername): Promise<Viewer> {
  const expires = new Date(Date.now() + SESSION_MS);
  const { token } = await createAccessTokenFor({ username, label: 'Demo data', expires });
  return authenticate({ authorization: `Bearer ${token}`, ip: null, jti: 'optional' });
}
