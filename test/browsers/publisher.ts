import type { Site } from '../clients/site.ts';
import { authorization } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import type { Product } from './products.ts';

const SIGNED_MS = 300_000;

/** Publishes versions as a developer with an API key and a reviewer would. */
export interface Publisher {
  /** Uploads a version, approves it if it is listed, and waits until it is signed. */
  publish(product: Product, version: string, channel: 'listed' | 'unlisted'): Promise<void>;
  /** Creates the address at which an unlisted add-on finds its updates. */
  createUpdateAddress(guid: string): Promise<string>;
  /** Switches an add-on off, as its author. */
  disable(guid: string): Promise<void>;
}

/** Creates the reviewer. */
export async function createPublisher(site: Site): Promise<Publisher> {
  const reviewer = ['--user', 'reviewer'];
  await site.run('user', 'create', '--username', 'reviewer', '--email', 'reviewer@example.org');
  await site.run('group', 'grant', 'Reviewers', '--rule', 'Addons:Review', '--rule', 'Addons:ThemeReview', ...reviewer);
  const { token } = JSON.parse(await site.run('token', 'create', ...reviewer, '--json')) as { token: string };
  return {
    publish: async ({ guid, build }, version, channel) => {
      await submit(site, guid, channel, await upload(site, channel, await build(version)));
      if (channel === 'listed') await approve(site, token, guid, version);
      await untilSigned(site, guid, version);
    },
    createUpdateAddress: (guid) => createUpdateAddress(site, guid),
    disable: (guid) => disable(site, guid),
  };
}

interface ValidatedUpload {
  uuid: string;
  processed: boolean;
  valid: boolean;
  validation: unknown;
}

/** Uploads a package, waits for its validation and returns the id of the upload. */
async function upload(site: Site, channel: string, content: Buffer): Promise<string> {
  const body = new FormData();
  body.set('channel', channel);
  body.set('upload', new File([new Uint8Array(content)], 'addon.xpi'));
  const { uuid } = await send<ValidatedUpload>(site, 'POST', 'upload/', body);
  return until(`validation of ${uuid}`, SIGNED_MS, async () => {
    const { processed, valid, validation } = await send<ValidatedUpload>(site, 'GET', `upload/${uuid}/`);
    if (processed && !valid) throw new Error(JSON.stringify(validation, null, 2));
    return processed ? uuid : null;
  });
}

/** Submits an upload as a version of a new or existing add-on, with what the catalogue requires of listed ones. */
async function submit(site: Site, guid: string, channel: string, uuid: string): Promise<void> {
  const listing = channel === 'listed' ? { categories: ['other'] } : {};
  const version = { upload: uuid, ...(channel === 'listed' ? { license: 'MPL-2.0' } : {}) };
  await send(site, 'PUT', `addon/${encodeURIComponent(guid)}/`, JSON.stringify({ ...listing, version }));
}

async function send<T>(site: Site, method: string, path: string, body?: FormData | string): Promise<T> {
  const headers: Record<string, string> = { authorization: authorization(site) };
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  const address = `${site.url}/api/v5/addons/${path}`;
  const response = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
  if (response.status >= 300) throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

const VERSION = `query ($guid: String!, $version: String!) { upload(by: { addonVersion: { guid: $guid, version: $version } }) { versionId } }`;

const APPROVE = `mutation ($input: ApproveVersionInput!) {
  approveVersion(input: $input) { __typename ... on UserError { message } }
}`;

async function approve(site: Site, token: string, guid: string, version: string): Promise<void> {
  const found = await site.query<{ upload: { versionId: string } }>(VERSION, { guid, version });
  const input = { id: found.upload.versionId };
  const { approveVersion } = await site.query<Result<'approveVersion'>>(APPROVE, { input }, token);
  if (approveVersion.__typename !== 'ApproveVersionPayload') throw new Error(JSON.stringify(approveVersion));
}

const CREATE_ADDRESS = `mutation ($input: CreateUpdateAddressInput!) {
  createUpdateAddress(input: $input) { ... on CreateUpdateAddressPayload { url } ... on UserError { message } }
}`;

async function createUpdateAddress(site: Site, guid: string): Promise<string> {
  const { createUpdateAddress: created } = await site.query<{ createUpdateAddress: { url?: string } }>(CREATE_ADDRESS, {
    input: { guid },
  });
  if (created.url === undefined) throw new Error(JSON.stringify(created));
  return created.url;
}

const ADDON = 'query ($guid: String!) { addon(by: { guid: $guid }) { id } }';

const DISABLE = `mutation ($input: SetAddonDisabledInput!) {
  setAddonDisabled(input: $input) { __typename ... on UserError { message } }
}`;

async function disable(site: Site, guid: string): Promise<void> {
  const { addon } = await site.query<{ addon: { id: string } }>(ADDON, { guid });
  const input = { id: addon.id, by: 'DEVELOPER', isDisabled: true };
  const { setAddonDisabled } = await site.query<Result<'setAddonDisabled'>>(DISABLE, { input });
  if (setAddonDisabled.__typename !== 'SetAddonDisabledPayload') throw new Error(JSON.stringify(setAddonDisabled));
}

type Result<Name extends string> = Record<Name, { __typename: string }>;

/** Waits until the file of a version is public and signed. */
async function untilSigned(site: Site, guid: string, version: string): Promise<void> {
  const path = `addon/${encodeURIComponent(guid)}/versions/v${version}/`;
  await until(`${guid} ${version} is signed`, SIGNED_MS, async () => {
    const { file } = await send<{ file: { status: string } }>(site, 'GET', path);
    return file.status === 'public' ? true : null;
  });
}
