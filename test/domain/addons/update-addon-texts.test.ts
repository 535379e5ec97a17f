import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon } from '../../support/factories.ts';
import { runInternal } from '../../support/internal-graphql.ts';

let app: TestApp;
let owner: Client;
beforeAll(async () => {
  app = await startApp();
  owner = await app.developer();
});
afterAll(() => app.close());

const UPDATE = 'mutation($input: UpdateAddonInput!) { updateAddon(input: $input) { __typename } }';
const updateInternally = (input: object) => runInternal(UPDATE, { input }, owner);

describe('updateAddon on the full schema', () => {
  it('takes texts in the forms of REST', async () => {
    const made = await addon({ authors: [owner.accountId ?? 0], name: { 'en-US': 'Clock', fr: 'Horloge' } });
    const texts = { name: { de: 'Uhr', fr: null }, homepage: 'https://a.example/' };
    await updateInternally({ id: made.id, texts });
    const detail = (await owner.get(`/api/v4/addons/addon/${made.id}/`)).json;
    expect(detail).toMatchObject({
      name: { 'en-US': 'Clock', de: 'Uhr' },
      homepage: { 'en-US': 'https://a.example/' },
    });
    const input = { id: made.id, texts: { homepage: 'https://b.example/' }, textsForm: 'OBJECT' };
    const message = 'You must provide an object of {lang-code:value}.';
    await expect(updateInternally(input)).rejects.toMatchObject({
      message,
      details: { fields: { homepage: [message] } },
    });
  });
});
