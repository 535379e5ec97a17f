/* Requests about collections, and the add-ons that their tests put into them. */
import { expect } from 'vitest';
import type { Client, Reply } from './client.ts';
import { addon, type MadeAddon } from './factories.ts';

/** The path of the collections of an account. */
export const collectionsPath = (account: string | number | null, version = 'v4'): string =>
  `/api/${version}/accounts/account/${account}/collections/`;

/** Sends a JSON body. */
export const sendTo = (client: Client, method: string, path: string, body?: unknown): Promise<Reply> =>
  client.request(method, path, {
    headers: { 'Content-Type': 'application/json', 'Accept-Language': 'en-US' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Requests about the collections of one account. */
export function collectionRequests(owner: () => Client) {
  const own = (slug = '', rest = '', version = 'v4') =>
    `${collectionsPath(owner().accountId, version)}${slug === '' ? '' : `${slug}/`}${rest}`;
  return {
    /** The path of a collection, by default of the list. */
    own,
    async create(slug: string, values: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
      const reply = await sendTo(owner(), 'POST', own(), { slug, name: { 'en-US': slug }, ...values });
      expect(reply.status).toBe(201);
      return reply.json as Record<string, unknown>;
    },
    /** Adds an add-on to a collection. */
    put: (slug: string, name: unknown, notes?: unknown): Promise<Reply> =>
      sendTo(owner(), 'POST', own(slug, 'addons/'), { addon: name, ...(notes === undefined ? {} : { notes }) }),
  };
}

/** The slugs of the add-ons in a page of items. */
export const slugsIn = ({ json }: Reply): string[] =>
  (json as { results: { addon: { slug: string } }[] }).results.map((each) => each.addon.slug);

/** Add-ons that differ in their orders, one that is not public, and a static theme. */
export async function addonsToCollect(): Promise<Record<'clock' | 'alarm' | 'bells' | 'hidden' | 'shade', MadeAddon>> {
  return {
    clock: await addon({ slug: 'clock', guid: 'clock@list', name: { 'en-US': 'Clock' }, averageDailyUsers: 5 }),
    alarm: await addon({ slug: 'alarm', guid: 'alarm@list', name: { 'en-US': 'alarm' }, averageDailyUsers: 50 }),
    bells: await addon({ slug: 'bells', guid: 'bells@list', name: { 'en-US': 'Bells' }, averageDailyUsers: 20 }),
    hidden: await addon({ slug: 'hidden', guid: 'hidden@list', status: 'nominated' }),
    shade: await addon({ slug: 'shade', guid: 'shade@list', type: 'statictheme', averageDailyUsers: 1 }),
  };
}
