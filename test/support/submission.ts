/** Sends changes of add-ons and versions under API v5 (submission API). */

import { expect } from 'vitest';
import { snakeCase } from '../../src/domain/listing/declared-fields.ts';
import { listingFields } from '../../src/domain/listing/fields.ts';
import { type Client, encodeForm, type FormParts, type Reply } from './client.ts';
import { type AddonFacts, addon, type MadeAddon } from './factories.ts';

/** Sends a PATCH to a path below `/addons/addon/`. A string is sent unchanged, any other body as JSON. */
export function patchJson(client: Client, path: string, body: unknown): Promise<Reply> {
  return client.request('PATCH', `/api/v5/addons/addon/${path}`, {
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Sends the same with a form. */
export function patchForm(client: Client, path: string, form: FormParts): Promise<Reply> {
  return client.request('PATCH', `/api/v5/addons/addon/${path}`, {
    headers: { 'Content-Type': 'multipart/form-data; boundary=----form' },
    body: encodeForm(form, '----form'),
  });
}

/** The path of a version below `/addons/addon/`. */
export const versionPath = ({ id, versions }: MadeAddon, index = 0): string => `${id}/versions/${versions[index]?.id}/`;

/** An upload in responses of REST. */
export interface UploadJson {
  uuid: string;
  channel: string;
  processed: boolean;
  submitted: boolean;
  url: string;
  valid: boolean;
  validation: { errors: number; messages: unknown[] } | null;
  version: string;
}

/** Sends JSON to an address below `/addons`. */
export const sendJson = (client: Client, method: string, path: string, body: unknown): Promise<Reply> =>
  client.request(method, `/api/v5/addons${path}`, {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A public add-on with a summary, of an owner and a developer. */
export const ownedAddon = (owner: Client, developer: Client, facts: AddonFacts = {}): Promise<MadeAddon> =>
  addon({
    authors: [owner.accountId ?? 0, { id: developer.accountId ?? 0, role: 'developer' }],
    summary: { 'en-US': 'Shows the time.' },
    ...facts,
  });

/** The body of a change that is refused with 400. */
export async function patchRefusal(client: Client, path: string, body: unknown): Promise<unknown> {
  const { status, json } = await patchJson(client, path, body);
  expect(status).toBe(400);
  return json;
}

/** Keys under v5, separated by spaces: the documented ones, and those of further listing fields. */
export function withFurtherKeys(documented: string): string {
  const keys = listingFields.filter(({ isInV5 }) => isInV5).map(({ name }) => snakeCase(name));
  return [...new Set([...documented.split(' '), ...keys])].join(' ');
}
