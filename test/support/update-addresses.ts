/* Update addresses of unlisted add-ons, and their manifests. */
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { type AddonFacts, addon, type MadeAddon, type VersionFacts } from './factories.ts';
import { type Entry, FILE } from './updates.ts';

/** Result of `createUpdateAddress`. */
interface Created {
  url?: string;
  updateAddress?: { id: string; guid: string };
  code?: string;
  message?: string;
  path?: string[];
}

const CREATE = `mutation($guid: String!) { result: createUpdateAddress(input: { guid: $guid }) {
  ... on UserError { code message path } ... on CreateUpdateAddressPayload { url updateAddress { id guid } } } }`;

export const create = async (client: Client, guid: string): Promise<Created> =>
  (await client.graphql<{ result: Created }>(CREATE, { guid })).result;

const END = `mutation($id: ID!) { result: endUpdateAddress(input: { id: $id }) {
  ... on UserError { code } ... on EndUpdateAddressPayload { updateAddress { ended } } } }`;

export const end = async (client: Client, id: string | undefined): Promise<object> =>
  (await client.graphql<{ result: object }>(END, { id })).result;

/** A version as signing leaves it. */
export const UNLISTED: VersionFacts = { channel: 'unlisted', files: [FILE] };

/** An unlisted add-on of the author. */
export const makeUnlisted = (
  author: Client,
  versions: VersionFacts[] = [UNLISTED],
  facts: AddonFacts = {},
): Promise<MadeAddon> => addon({ authors: [author.accountId ?? 0], status: 'incomplete', versions, ...facts });

/** An add-on with an address. */
export interface Addressed {
  made: MadeAddon;
  url: string;
  id: string | undefined;
  key: string;
}

export async function withAddress(author: Client, versions?: VersionFacts[], facts?: AddonFacts): Promise<Addressed> {
  const made = await makeUnlisted(author, versions, facts);
  const { url = '', updateAddress } = await create(author, made.guid);
  return { made, url, id: updateAddress?.id, key: url.split('/').at(-2) ?? '' };
}

/** The entries of a manifest; null for `{}`. */
export async function entriesAt(app: TestApp, url: string, guid: string): Promise<Entry[] | null> {
  const { status, text } = await app.anonymous.get(url);
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return (JSON.parse(text) as { addons?: Record<string, { updates: Entry[] }> }).addons?.[guid]?.updates ?? null;
}
