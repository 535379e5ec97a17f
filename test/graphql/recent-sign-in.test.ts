/* Which mutations need a sign-in of the last 15 minutes, and what proves one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { RECENT_SIGN_IN } from '../../src/graphql/sign-in-rules.ts';
import { setUpApp } from '../support/app.ts';
import { INPUTS } from '../support/authorization/service-requests.ts';
import { makeWorld, type World } from '../support/authorization/world.ts';
import type { Client } from '../support/client.ts';
import { globalId } from '../support/global-ids.ts';

const { publicSchema: schema } = await import('../../src/execution/schema.ts');

/** Each mutation of the schema is here or in RECENT_SIGN_IN: one that is new needs a decision. */
const WITHOUT = new Set([
  // Content of one's own account and add-ons, which the audit log, mails and history show.
  ...['acceptDeveloperAgreement', 'addPreview', 'attachSource', 'createPersona', 'createUpdateAddress', 'createUpload'],
  ...['deleteAddon', 'deletePreview', 'deleteVersion', 'endUpdateAddress', 'reorderAddonAuthors'],
  ...['setAddonIcon', 'submitAddon', 'submitVersion', 'updateAddon', 'updatePersona', 'updatePreview', 'updateVersion'],
  ...['unsubscribe', 'acceptAuthorInvitation', 'declineAuthorInvitation', 'withdrawAuthorInvitation'],
  // Ends access only.
  ...[
    'endOtherSessions',
    'endSession',
    'signOut',
    'removeTrustedPublisher',
    'removeWebhook',
    'endPreviousWebhookSecret',
  ],
  // Sends once more what the receiver gets anyway.
  'replayWebhookDelivery',
  // Proven by the token of the input.
  'exchangePublisherToken',
  // Reviewing, moderation and operation.
  ...['approveVersion', 'rejectVersion', 'reviewPersona', 'claimReview', 'commentOnVersion', 'referVersion'],
  ...['reviewVersions', 'createLineComment', 'updateLineComment', 'deleteLineComment', 'setReviewSubscription'],
  ...[
    'replyToReview',
    'requestInformation',
    'decideAbuseReport',
    'replyToAbuseReport',
    'reportAccount',
    'reportAddon',
    'reportCollection',
    'reportRating',
  ],
  ...['createCannedResponse', 'updateCannedResponse', 'deleteCannedResponse', 'retryMail', 'setReadOnly'],
  'setSiteNotice',
  // What visitors write, and what moderators decide about it.
  ...['createRating', 'updateRating', 'deleteRating', 'replyToRating', 'flagRating', 'decideRating'],
  // Those of the operator need one, whatever the mutation: domain/collections.
  ...['createCollection', 'updateCollection', 'removeCollection'],
  ...['addCollectionAddon', 'updateCollectionAddon', 'removeCollectionAddon'],
  ...['retryJob', 'dropJob'],
  // Reference data.
  ...[
    'addApplicationVersion',
    'deleteCategory',
    'deleteLicense',
    'recordStatistics',
    'upsertCategory',
    'upsertLicense',
  ],
]);

const app = setUpApp();
let world: World;
let root: Client;
let token: string;

beforeAll(async () => {
  world = await makeWorld(app);
  root = world.clients.root;
  const { issueAccessToken } = await import('../../src/domain/accounts/issue-credentials.ts');
  const { db } = await import('../../src/infra/db.ts');
  ({ token } = await db.$transaction((tx) => issueAccessToken(tx, root.accountId ?? 0, {})));
});

const names = Object.keys(schema.getMutationType()?.getFields() ?? {});
const NOT_RECENT = expect.stringContaining('Your last sign-in was too long ago.');

/** Sends a mutation with these credentials. Its refusal as the message, null when it is not refused. */
async function refusalOf(name: string, input: object, authorization: Record<string, string>): Promise<string | null> {
  const argument = schema.getMutationType()?.getFields()[name]?.args[0];
  const [declared, given] = argument === undefined ? ['', ''] : [`($input: ${argument.type})`, '(input: $input)'];
  const query = `mutation ${declared} { ${name}${given} { __typename ... on UserError { message } } }`;
  const headers = { 'Content-Type': 'application/json', ...authorization };
  const body = JSON.stringify({ query, variables: { input } });
  const { json } = await app.anonymous.request('POST', '/graphql', { headers, body });
  const { data, errors } = json as { data?: Record<string, { message?: string }>; errors?: { message: string }[] };
  return errors?.[0]?.message ?? data?.[name]?.message ?? null;
}

const withKey = () => root.authorization();
const withToken = () => ({ Authorization: `Bearer ${token}` });
async function withOldToken(): Promise<Record<string, string>> {
  await app.sql(`UPDATE access_token SET created = now() - interval '16 minutes' WHERE account_id = $1`, [
    root.accountId,
  ]);
  return withToken();
}
const renew = () => app.sql('UPDATE access_token SET created = now() WHERE account_id = $1', [root.accountId]);

it('each mutation of the schema is decided about', () => {
  expect(names.filter((name) => !(name in RECENT_SIGN_IN) && !WITHOUT.has(name))).toEqual([]);
  expect(Object.keys(RECENT_SIGN_IN).filter((name) => WITHOUT.has(name))).toEqual([]);
});

const ADDON = globalId('Addon', 2e9);
const PERSON = globalId('Account', 2e9);

/** Inputs of mutations of an add-on, which other tables have. */
const ADDON_INPUTS: Readonly<Record<string, object>> = {
  inviteAddonAuthor: { id: ADDON, account: { id: PERSON } },
  updateAddonAuthor: { id: ADDON, account: PERSON },
  removeAddonAuthor: { id: ADDON, account: PERSON },
  reviveAddon: { id: ADDON },
  setAddonDisabled: { id: ADDON, by: 'OPERATOR', isDisabled: true },
  setFeatured: { addon: { id: ADDON }, app: 'DESKTOP_BROWSER', isFeatured: true },
};

const GUARDED = Object.keys(RECENT_SIGN_IN).filter((name) => names.includes(name));

it('REST waives the recent sign-in for two mutations, which its documented requests run', () => {
  const folder = join(import.meta.dirname, '../../schema/operations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const operations = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const waived = Object.keys(RECENT_SIGN_IN).filter((name) => new RegExp(`^ {2}${name}\\(`, 'm').test(operations));
  expect(waived).toEqual(['deleteAccount', 'setAccountPicture']);
});

describe('a mutation that needs a recent sign-in', () => {
  it.each(GUARDED)('%s is refused with an API key and an old token', async (name) => {
    const values = INPUTS[name];
    const others = { id: globalId('Account', await world.account()) };
    const given = ((await values?.(world)) as object | undefined) ?? ADDON_INPUTS[name] ?? others;
    // A file that cannot be sent as JSON is left out.
    const { file: _file, ...input } = given as Record<string, unknown>;
    expect(await refusalOf(name, input, withKey())).toEqual(NOT_RECENT);
    expect(await refusalOf(name, input, await withOldToken())).toEqual(NOT_RECENT);
    await renew();
    expect(await refusalOf(name, input, withToken())).not.toEqual(NOT_RECENT);
  });

  it('says so in its description', () => {
    for (const name of GUARDED) {
      const { description } = schema.getMutationType()?.getFields()[name] ?? {};
      expect([name, description]).toEqual([name, expect.stringContaining('Needs a sign-in of the last 15 minutes')]);
    }
  });

  it('is possible with any credential for the own account where it concerns others', async () => {
    const input = { id: globalId('Account', root.accountId ?? 0), displayName: 'Root' };
    expect(await refusalOf('updateAccount', input, withKey())).toBeNull();
    expect(
      await refusalOf('updateAccount', { ...input, id: globalId('Account', await world.account()) }, withKey()),
    ).toEqual(NOT_RECENT);
  });

  it('is possible with any credential on behalf of the developers where it concerns the operator', async () => {
    const input = { id: ADDON, by: 'DEVELOPER', isDisabled: true };
    expect(await refusalOf('setAddonDisabled', input, withKey())).not.toEqual(NOT_RECENT);
    expect(await refusalOf('setAddonDisabled', { ...input, by: 'OPERATOR' }, withKey())).toEqual(NOT_RECENT);
  });

  it('is refused as unauthenticated for anonymous clients', async () => {
    expect(await refusalOf('createApiKey', {}, {})).toBe('Authentication credentials were not provided.');
  });
});

describe('a new API key', () => {
  const MAKE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) {
    ... on CreateApiKeyPayload { apiKey { key expires } } ... on UserError { message } } }`;
  const make = async (input: object) => {
    const client = app.client({ token });
    return (
      (await client.graphql(MAKE, { input })) as { createApiKey: { apiKey: { key: string; expires: string | null } } }
    ).createApiKey.apiKey;
  };

  it('expires after 365 days unless it never does, and its owner gets a mail', async () => {
    await renew();
    const { key, expires } = await make({ acceptDeveloperAgreement: true });
    expect(Math.round((Date.parse(expires ?? '') - Date.now()) / 86_400_000)).toBe(365);
    expect((await make({ expires: null })).expires).toBeNull();
    const mails = await app.sql<{ text: string }>('SELECT text FROM outgoing_mail WHERE account_id = $1', [
      root.accountId,
    ]);
    expect(mails.filter(({ text }) => text.includes(key))).toHaveLength(1);
  });
});
