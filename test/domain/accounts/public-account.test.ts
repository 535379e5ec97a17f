import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { png } from '../../support/pictures.ts';
import { sendFile } from '../../support/send-file.ts';

let app: TestApp;
let developer: Client;
let reviewer: Client;
let made: MadeAddon;

beforeAll(async () => {
  app = await startApp();
  [developer, reviewer] = [await app.developer(), await app.reviewer()];
  made = await addon({ authors: [developer.accountId ?? 0] });
  const set = `mutation($input: SetAccountPictureInput!) { result: setAccountPicture(input: $input) {
    ... on SetAccountPicturePayload { account { id } } } }`;
  await sendFile(developer, set, { id: btoa(`Account:${developer.accountId}`) }, await png(20, 20));
});
afterAll(() => app.close());

/** Whether each interface shows the developer's account as public. */
async function publicIn(): Promise<Record<'rest' | 'author' | 'node' | 'facts' | 'picture', boolean>> {
  const id = btoa(`Account:${developer.accountId}`);
  const { json } = await reviewer.get(`/api/v4/addons/addon/${made.id}/`);
  const { addon: shown } = await reviewer.graphql<{ addon: { authors: { url: string | null }[] } }>(
    `{ addon(ref: "${made.id}") { authors { url } } }`,
  );
  const { data } = await app.anonymous.graphqlResult<{ node: object | null }>(
    `{ node(id: "${id}") { ... on Account { id } } }`,
  );
  const { viewer } = await developer.graphql<{ viewer: { isAddonDeveloper: boolean; numAddonsListed: number } }>(
    '{ viewer { isAddonDeveloper numAddonsListed } }',
  );
  const picture = await app.anonymous.get(`/media/accounts/${developer.accountId}/picture.png`);
  return {
    rest: (json as { authors: { url: string | null }[] }).authors[0]?.url !== null,
    author: shown.authors[0]?.url !== null,
    node: data?.node != null,
    facts: viewer.isAddonDeveloper && viewer.numAddonsListed > 0,
    picture: picture.status === 200,
  };
}

const everywhere = (value: boolean) => ({ rest: value, author: value, node: value, facts: value, picture: value });

it('treats an account as public in REST, GraphQL and pictures while it is a listed author of a public add-on', async () => {
  expect(await publicIn()).toEqual(everywhere(true));
  await mutate(developer, 'setAddonDisabled', { id: made.id, by: 'DEVELOPER', disabled: true });
  expect(await publicIn()).toEqual(everywhere(false));
  const other = await addon({ authors: [developer.accountId ?? 0, reviewer.accountId ?? 0] });
  expect(await publicIn()).toEqual(everywhere(true));
  await mutate(developer, 'updateAddonAuthor', { id: other.id, account: developer.accountId, listed: false });
  expect(await publicIn()).toEqual(everywhere(false));
});
