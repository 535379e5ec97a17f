/* Accounts under REST, and how tests change them. */
import { type Client, encodeForm, type FormParts } from './client.ts';

/** The address of a client's own account. */
export const accountPath = (client: Client, version = 'v4') => `/api/${version}/accounts/account/${client.accountId}/`;

/** Sends a PATCH with JSON. */
export const patchAccount = (client: Client, path: string, values: unknown) =>
  client.request('PATCH', path, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(values) });

/** Sends the same with a form. */
export const patchAccountForm = (client: Client, path: string, form: FormParts) =>
  client.request('PATCH', path, {
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: encodeForm(form, 'x'),
  });

/** Requests about the account of one client; the changes may be by another client, or about another account. */
export function accountRequests(owner: () => Client) {
  return {
    patch: (client: Client, values: unknown, path = accountPath(owner())) => patchAccount(client, path, values),
    patchForm: (client: Client, form: FormParts, path = accountPath(owner())) => patchAccountForm(client, path, form),
    read: async () => (await owner().get(accountPath(owner()))).json as Record<string, unknown>,
  };
}
