import { beforeAll, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { globalId } from '../../support/global-ids.ts';
import { runInternal } from '../../support/internal-graphql.ts';

const app = setUpApp();
let author: Client;
let made: MadeAddon;

beforeAll(async () => {
  author = await app.developer();
  made = await addon({ authors: [author.accountId ?? 0] });
});

const admission = async (to: object, accountId = author.accountId) =>
  (
    await runInternal<{ admission: string | null }>(
      'query ($to: AdmissionInput!) { admission(to: $to) }',
      { to },
      { accountId },
    )
  ).admission;

it('is the global id of the account, the add-on or the version that the viewer may change', async () => {
  const by = { databaseId: made.id };
  expect(await admission({ account: { databaseId: author.accountId } })).toBe(globalId('Account', author.accountId));
  expect(await admission({ listing: by })).toBe(globalId('Addon', made.id));
  expect(await admission({ newVersion: by })).toBe(globalId('Addon', made.id));
});

it('is null for what names no object yet', async () => {
  expect(await admission({ upload: { guid: 'new@admission.example' } })).toBeNull();
  expect(await admission({ abuseReport: true })).toBeNull();
  expect(await admission({ profile: { databaseId: author.accountId } })).toBeNull();
});

it('fails as the change would', async () => {
  const stranger = await app.developer();
  const listing = { guid: made.guid };
  await expect(admission({ listing }, stranger.accountId)).rejects.toMatchObject({ code: 'NOT_PERMITTED' });
  await expect(admission({ listing }, null)).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' });
  await expect(admission({ newVersion: { guid: 'none@admission.example' } })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(admission({ upload: { guid: 'no guid', isNamed: true } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
