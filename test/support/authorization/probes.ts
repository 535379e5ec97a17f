/* Requests that name an object, by its kind: for each, what does not exist must look like what the client may not see. */
import { accountReference, addonReference } from '../../../src/graphql/references.ts';
import type { Client, Reply } from '../client.ts';
import { globalId } from '../global-ids.ts';

/** Slug of the public add-on whose versions the probes name. */
export const SHOWN = 'shown';

type Ref = string | number;

/** Sends a request about an object. */
export type Send = (client: Client, ref: Ref) => Promise<Reply>;

export const get =
  (path: (ref: Ref) => string): Send =>
  (client, ref) =>
    client.get(path(ref));

const send =
  (method: string, path: (ref: Ref) => string, body: (ref: Ref) => object = () => ({})): Send =>
  (client, ref) =>
    client.request(method, path(ref), {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body(ref)),
    });

export const graphql =
  (query: string, variables: (ref: Ref) => object): Send =>
  (client, ref) =>
    client.request('POST', '/graphql', {
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ query, variables: variables(ref) }),
    });

const node = (type: string): Send =>
  graphql('query ($id: ID!) { node(id: $id) { id } }', (ref) => ({ id: globalId(type, ref) }));

/** A mutation whose input names the object by a global id. */
const mutation = (name: string, type: string, input: object = {}, key = 'id'): Send => {
  const inputType = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${inputType}Input!) { ${name}(input: $input) { __typename ... on UserError { code message path } } }`;
  return graphql(query, (ref) => ({ input: { [key]: globalId(type, ref), ...input } }));
};

const account = (rest: string) => (ref: Ref) => `/api/v4/accounts/account/${ref}/${rest}`;
const addonPath = (rest: string) => (ref: Ref) => `/api/v5/addons/addon/${ref}/${rest}`;
const addonPathV4 = (rest: string) => (ref: Ref) => `/api/v4/addons/addon/${ref}/${rest}`;
export const versionPath = (apiVersion: string, rest: string) => (ref: Ref) =>
  `/api/${apiVersion}/addons/addon/${SHOWN}/versions/${ref}/${rest}`;

const ACCOUNTS: Record<string, Send> = {
  'GET account': get(account('')),
  'GET account, v3': get((ref) => `/api/v3/accounts/account/${ref}`),
  'PATCH account': send('PATCH', account('')),
  'DELETE account': send('DELETE', account('')),
  'DELETE picture': send('DELETE', account('picture')),
  'GET notifications': get(account('notifications/')),
  'POST notifications': send('POST', account('notifications/')),
  account: graphql('query ($by: AccountRefInput!) { account(by: $by) { id } }', (ref) => ({
    by: accountReference(String(ref)),
  })),
};

const ACCOUNT_IDS: Record<string, Send> = {
  ...ACCOUNTS,
  node: node('Account'),
  ...Object.fromEntries(
    ['deleteAccount', 'disableAccount', 'enableAccount', 'updateAccount'].map((name) => [
      name,
      mutation(name, 'Account'),
    ]),
  ),
  updateNotifications: mutation('updateNotifications', 'Account', { changes: [] }),
  setAccountPicture: mutation('setAccountPicture', 'Account', { file: null }),
};

const ADDONS: Record<string, Send> = {
  'GET add-on': get(addonPath('')),
  'GET add-on, v4': get(addonPathV4('')),
  'GET feature_compatibility': get(addonPathV4('feature_compatibility/')),
  'GET eula_policy': get(addonPathV4('eula_policy/')),
  'GET versions': get(addonPath('versions/')),
  'GET versions with a filter': get(addonPath('versions/?filter=all_with_deleted')),
  'GET version': get(addonPath('versions/1.0/')),
  'GET source': get(addonPath('versions/1.0/source/')),
  'GET review notes': get(addonPathV4('versions/1/reviewnotes/')),
  'PATCH add-on': send('PATCH', addonPath('')),
  'PATCH version': send('PATCH', addonPath('versions/1.0/')),
  'POST versions': send('POST', addonPath('versions/')),
  addon: graphql('query ($by: AddonRefInput!) { addon(by: $by) { id } }', (ref) => ({
    by: addonReference(String(ref)),
  })),
};

const ADDON_MUTATIONS = ['deleteAddon', 'reviveAddon', 'updateAddon', 'updatePersona'];

const ADDON_IDS: Record<string, Send> = {
  ...ADDONS,
  node: node('Addon'),
  ...Object.fromEntries(ADDON_MUTATIONS.map((name) => [name, mutation(name, 'Addon')])),
  setAddonIcon: mutation('setAddonIcon', 'Addon', { file: null }),
  setAddonDisabled: mutation('setAddonDisabled', 'Addon', { by: 'DEVELOPER', isDisabled: true }),
  inviteAddonAuthor: mutation('inviteAddonAuthor', 'Addon', { account: { username: 'x' } }),
  submitVersion: mutation('submitVersion', 'Addon', { upload: globalId('Upload', '0'.repeat(32)) }, 'addon'),
  reportAddon: graphql(
    'mutation ($input: ReportAddonInput!) { reportAddon(input: $input) { __typename ... on UserError { code message } } }',
    (ref) => ({ input: { addon: addonReference(String(ref)), message: 'x' } }),
  ),
};

const REVIEWS = [
  'approveVersion',
  'rejectVersion',
  'requestInformation',
  'referVersion',
  'commentOnVersion',
  'replyToReview',
];

const UPLOAD_IDS: Record<string, Send> = {
  ...Object.fromEntries(REVIEWS.map((name) => [name, mutation(name, 'Version', { comments: 'x' })])),
  claimReview: mutation('claimReview', 'Version'),
  setReviewSubscription: mutation('setReviewSubscription', 'Addon', { isSubscribed: true }),
  'GET review notes': get(versionPath('v4', 'reviewnotes/')),
};

const VERSION_NUMBERS: Record<string, Send> = {
  'GET version': get(versionPath('v5', '')),
  'GET source': get(versionPath('v5', 'source/')),
  'PATCH version': send('PATCH', versionPath('v5', '')),
};

const VERSION_IDS: Record<string, Send> = {
  ...VERSION_NUMBERS,
  'GET version, v4': get(versionPath('v4', '')),
  version: graphql('query ($id: ID!) { version(id: $id) { id } }', (ref) => ({ id: globalId('Version', ref) })),
  node: node('Version'),
  updateVersion: mutation('updateVersion', 'Version'),
  attachSource: mutation('attachSource', 'Version', { file: null }, 'version'),
};

/** Probes by the kind of object that they name. */
export const PROBES: Record<string, Record<string, Send>> = {
  accountId: ACCOUNT_IDS,
  accountName: ACCOUNTS,
  goneAccountId: {
    'POST report': send(
      'POST',
      () => '/api/v4/abuse/report/user/',
      (ref) => ({ user: ref, message: 'x' }),
    ),
    reportAccount: graphql(
      'mutation ($input: ReportAccountInput!) { reportAccount(input: $input) { __typename ... on UserError { code message } } }',
      (ref) => ({ input: { account: accountReference(String(ref)), message: 'x' } }),
    ),
  },
  addonId: ADDON_IDS,
  addonGuid: {
    ...ADDONS,
    'GET status': get((ref) => `/api/v4/addons/${ref}/versions/1.0/`),
    'POST report': send(
      'POST',
      () => '/api/v4/abuse/report/addon/',
      (ref) => ({ addon: ref, message: 'x' }),
    ),
  },
  addonSlug: ADDONS,
  previewId: {
    updatePreview: mutation('updatePreview', 'Preview'),
    deletePreview: mutation('deletePreview', 'Preview'),
    node: node('Preview'),
  },
  versionOfDeleted: {
    ...UPLOAD_IDS,
    ...VERSION_IDS,
  },
  upload: UPLOAD_IDS,
  versionId: VERSION_IDS,
  versionNumber: VERSION_NUMBERS,
  fileId: {
    'GET file': get((ref) => `/api/v4/file/${ref}/x.xpi`),
    'GET download': get((ref) => `/downloads/file/${ref}/x.xpi`),
    node: node('File'),
  },
  uploadPk: {
    'GET upload': get((ref) => `/api/v5/addons/upload/${ref}/`),
    'POST add-on': send(
      'POST',
      () => '/api/v5/addons/addon/',
      (ref) => ({ version: { upload: ref } }),
    ),
    submitAddon: graphql(
      'mutation ($input: SubmitAddonInput!) { submitAddon(input: $input) { __typename ... on UserError { code message } } }',
      (ref) => ({ input: { upload: ref } }),
    ),
  },
  keyId: { revokeApiKey: mutation('revokeApiKey', 'ApiKey'), node: node('ApiKey') },
  sessionId: { endSession: mutation('endSession', 'Session'), node: node('Session') },
  addressId: { endUpdateAddress: mutation('endUpdateAddress', 'UpdateAddress'), node: node('UpdateAddress') },
};
