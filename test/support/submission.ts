/** Sends changes of add-ons and versions under API v5 (submission API). */
import { type Client, encodeForm, type FormParts, type Reply } from './client.ts';
import type { MadeAddon } from './factories.ts';

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
