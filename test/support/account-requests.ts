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
