import type { Site, UploadStatus } from '../clients/site.ts';
import { authorization } from '../crash/support/signing-client.ts';
import { until } from '../crash/support/waiting.ts';
import type { Product } from './products.ts';

const SIGNED_MS = 60_000;

/** Publishes versions as a developer with an API key and a reviewer would. */
export interface Publisher {
  /** Makes an add-on known, with what the catalogue requires of listed versions. */
  register(product: Product): Promise<void>;
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
    register: async ({ guid, type, build }) => {
      await upload(site, { guid, version: '0.9', channel: 'unlisted', content: await build('0.9') });
      await untilStatus(site, guid, '0.9', ({ valid }) => valid);
      await site.completeListing(guid, type);
    },
    publish: async ({ guid, build }, version, channel) => {
      await upload(site, { guid, version, channel, content: await build(version) });
      if (channel === 'listed') await approve(site, token, guid, version);
      await untilStatus(site, guid, version, ({ active, files }) => active && files[0]?.signed === true);
    },
    createUpdateAddress: (guid) => createUpdateAddress(site, guid),
    disable: (guid) => disable(site, guid),
  };
}

interface Content {
  guid: string;
  version: string;
  channel: string;
  content: Buffer;
}

async function upload(site: Site, { guid, version, channel, content }: Content): Promise<void> {
  const body = new FormData();
  body.set('channel', channel);
  body.set('upload', new File([new Uint8Array(content)], 'addon.xpi'));
  const address = `${site.url}/api/v4/addons/${encodeURIComponent(guid)}/versions/${version}/`;
  const response = await fetch(address, { method: 'PUT', headers: { authorization: authorization(site) }, body });
  if (response.status >= 300) throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
}

const VERSION = `query ($guid: String!, $version: String!) { upload(guid: $guid, version: $version) { versionId } }`;

const APPROVE = `mutation ($input: ReviewVersionInput!) {
  approveVersion(input: $input) { __typename ... on UserError { message } }
}`;

async function approve(site: Site, token: string, guid: string, version: string): Promise<void> {
  await untilStatus(site, guid, version, ({ valid }) => valid);
  const found = await site.query<{ upload: { versionId: string } }>(VERSION, { guid, version });
  const input = { id: found.upload.versionId };
  const { approveVersion } = await site.query<Result<'approveVersion'>>(APPROVE, { input }, token);
  if (approveVersion.__typename !== 'ReviewVersionPayload') throw new Error(JSON.stringify(approveVersion));
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

const ADDON = 'query ($guid: String!) { addon(ref: $guid) { id } }';

const DISABLE = `mutation ($input: SetAddonDisabledInput!) {
  setAddonDisabled(input: $input) { __typename ... on UserError { message } }
}`;

async function disable(site: Site, guid: string): Promise<void> {
  const { addon } = await site.query<{ addon: { id: string } }>(ADDON, { guid });
  const input = { id: addon.id, by: 'DEVELOPER', disabled: true };
  const { setAddonDisabled } = await site.query<Result<'setAddonDisabled'>>(DISABLE, { input });
  if (setAddonDisabled.__typename !== 'SetAddonDisabledPayload') throw new Error(JSON.stringify(setAddonDisabled));
}

type Result<Name extends string> = Record<Name, { __typename: string }>;

/** Waits until the status of a version fulfils the condition; a version that is invalid never does. */
function untilStatus(
  site: Site,
  guid: string,
  version: string,
  isMet: (status: UploadStatus) => boolean,
): Promise<UploadStatus> {
  return until(`${guid} ${version}`, SIGNED_MS, async () => {
    const status = await site.status(`${site.url}/api/v4`, guid, version);
    if (status.processed && !status.valid) throw new Error(JSON.stringify(status, null, 2));
    return isMet(status) ? status : null;
  });
}
