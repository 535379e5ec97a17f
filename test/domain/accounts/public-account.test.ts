import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { mutate } from '../../support/mutate.ts';
import { png } from '../../support/pictures.ts';
import { sendFile } from '../../support/send-file.ts';

const app = setUpApp();
let developer: Client;
let reviewer: Client;
let made: MadeAddon;

beforeAll(async () => {
  [developer, reviewer] = [await app.developer(), await app.reviewer()];
  made = await addon({ authors: [developer.accountId ?? 0] });
  const set = `mutation($input: SetAccountPictureInput!) { result: setAccountPicture(input: $input) {
    ... on SetAccountPicturePayload { account { id } } } }`;
  await sendFile(developer, set, { id: btoa(`Account:${developer.accountId}`) }, await png(20, 20));
});

const PLACES = ['rest', 'profile', 'author', 'account', 'node', 'facts', 'picture'] as const;

/** Whether each interface shows the developer's account as public. */
async function publicIn(): Promise<Record<(typeof PLACES)[number], boolean>> {
  const id = btoa(`Account:${developer.accountId}`);
  const { json } = await reviewer.get(`/api/v4/addons/addon/${made.id}/`);
  const { addon: shown } = await reviewer.graphql<{
    addon: { authors: { url: string | null; account: object | null }[] };
  }>(`{ addon(by: { databaseId: ${made.id} }) { authors { url account { id } } } }`);
  const { data } = await app.anonymous.graphqlResult<{ node: object | null }>(
    `{ node(id: "${id}") { ... on Account { id } } }`,
  );
  const { viewer } = await developer.graphql<{ viewer: { isAddonDeveloper: boolean; publicAddonCount: number } }>(
    '{ viewer { isAddonDeveloper publicAddonCount } }',
  );
  const account = await app.anonymous.get(`/api/v4/accounts/account/${developer.accountId}/`);
  const picture = await app.anonymous.get(`/media/accounts/${developer.accountId}/picture.png`);
  return {
    rest: (json as { authors: { url: string | null }[] }).authors[0]?.url !== null,
    profile: account.status === 200,
    author: shown.authors[0]?.url !== null,
    account: shown.authors[0]?.account !== null,
    node: data?.node != null,
    facts: viewer.isAddonDeveloper && viewer.publicAddonCount > 0,
    picture: picture.status === 200,
  };
}

const everywhere = (value: boolean) => Object.fromEntries(PLACES.map((place) => [place, value]));

it('treats an account as public in REST, GraphQL and pictures while it is a listed author of a public add-on', async () => {
  expect(await publicIn()).toEqual(everywhere(true));
  await mutate(developer, 'setAddonDisabled', { id: made.id, by: 'DEVELOPER', isDisabled: true });
  expect(await publicIn()).toEqual(everywhere(false));
  const other = await addon({ authors: [developer.accountId ?? 0, reviewer.accountId ?? 0] });
  expect(await publicIn()).toEqual(everywhere(true));
  await mutate(developer, 'updateAddonAuthor', { id: other.id, account: developer.accountId, isListed: false });
  expect(await publicIn()).toEqual(everywhere(false));
});

it('hides the profile and picture of a disabled author of a public add-on, except from administrators', async () => {
  const [owner, disabled, admin] = [await app.developer(), await app.developer(), await app.admin()];
  const { id } = await addon({ authors: [owner.accountId ?? 0, disabled.accountId ?? 0] });
  await app.sql(`UPDATE account SET biography = 'Buy this' WHERE id = $1`, [disabled.accountId]);
  const account = btoa(`Account:${disabled.accountId}`);
  await mutate(admin, 'disableAccount', { id: account });
  const authorTo = async (viewer: Client) => {
    const { addon: shown } = await viewer.graphql<{ addon: { authors: object[] } }>(
      `{ addon(by: { databaseId: ${id} }) { authors { accountId account { biography } } } }`,
    );
    return shown.authors[1];
  };
  for (const viewer of [app.anonymous, owner, reviewer]) {
    expect(await authorTo(viewer)).toEqual({ accountId: account, account: null });
  }
  expect(await authorTo(admin)).toEqual({ accountId: account, account: { biography: 'Buy this' } });
});
