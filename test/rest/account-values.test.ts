import { beforeAll, describe, expect, it } from 'vitest';
import { accountReference } from '../../src/graphql/references.ts';
import { setUpApp } from '../support/app.ts';
import { authorWithProfile } from '../support/author-profile.ts';
import type { Client } from '../support/client.ts';
import { addon } from '../support/factories.ts';

const app = setUpApp();
let author: Client;
let privateAccount: Client;
let administrator: Client;

beforeAll(async () => {
  author = await authorWithProfile(app);
  privateAccount = await app.developer();
  administrator = await app.memberWith('Users:Edit');
});

const path = (ref: string | number | null) => `/api/v4/accounts/account/${ref}/`;

describe('an account', () => {
  it('without a chosen name, texts and logins has the documented empty values', async () => {
    const client = await app.memberWith('Addons:Review', '*:*', 'Addons:Edit');
    const username = `anonymous-${'0123456789abcdef'.repeat(2)}`;
    await app.sql(
      "UPDATE account SET username = $2, has_chosen_username = false, biography = '', read_dev_agreement = now(), email = NULL WHERE id = $1",
      [client.accountId, username],
    );
    // Reads by this client mark its key as used, and with it the login.
    const { json } = await administrator.get(path(client.accountId));
    expect(json).toMatchObject({
      average_addon_rating: 0,
      biography: null,
      has_anonymous_display_name: true,
      has_anonymous_username: true,
      homepage: null,
      is_addon_developer: false,
      is_artist: false,
      location: null,
      name: 'Add-ons user 012345',
      num_addons_listed: 0,
      occupation: null,
      picture_type: null,
      picture_url: null,
      username,
      display_name: null,
      email: null,
      last_login: null,
      last_login_ip: '',
      permissions: ['*:*', 'Addons:Edit', 'Addons:Review'],
    });
  });

  it('has a wrapped homepage only when the client requests it', async () => {
    const homepage = async (query: string) => {
      const { json } = await app.anonymous.get(`${path('example.developer')}?${query}`);
      return (json as { homepage: string }).homepage;
    };
    expect(await homepage('lang=de')).toBe('https://developer.example/');
    expect(await homepage('wrap_outgoing_links=true&lang=de')).toMatch(
      /\/outgoing\/[0-9a-f]{64}\/https%3A%2F%2Fdeveloper\.example%2F$/,
    );
  });

  it('has the site as address for e-mail changes when none is configured', async () => {
    app.config.IDP_EDIT_EMAIL_URL = undefined;
    expect((await author.get(path('example.developer'))).json).toMatchObject({
      idp_edit_email_url: app.config.BASE_URL,
    });
  });

  it('that is disabled is shown as an author without address and picture, until it is enabled', async () => {
    const { disableAccountByName, enableAccountByName } = await import('../../src/domain/profiles/disable-account.ts');
    const shown = await addon({ authors: [author.accountId ?? 0] });
    const read = async () => {
      const { json } = await app.anonymous.get(`/api/v4/addons/addon/${shown.id}/`);
      const [first] = (json as { authors: { url: string | null; picture_url: string }[] }).authors;
      const picture = await app.anonymous.get(`/media/accounts/${author.accountId}/picture.png`);
      return [first?.url !== null, first?.picture_url.includes('modified'), picture.status === 200];
    };
    expect(await read()).toEqual([true, true, true]);
    await disableAccountByName('example.developer');
    expect(await read()).toEqual([false, false, false]);
    await enableAccountByName('example.developer');
    expect(await read()).toEqual([true, true, true]);
  });
});

describe('the account in GraphQL', () => {
  const FIELDS = `averageAddonRating biography created hasGeneratedName hasGeneratedUsername homepage databaseId
    isAddonDeveloper isArtist location name publicAddonCount occupation pictureType pictureUrl url username
    private { displayName email emailSettingsUrl lastLogin lastLoginIp isVerified permissions developerAgreementAccepted }`;
  const QUERY = `query($by: AccountRefInput!) { account(by: $by) { ${FIELDS} } }`;
  type Node = Record<string, unknown> & { private: Record<string, unknown> | null };

  const RENAMED: Readonly<Record<string, string>> = {
    databaseId: 'id',
    hasGeneratedName: 'has_anonymous_display_name',
    hasGeneratedUsername: 'has_anonymous_username',
    publicAddonCount: 'num_addons_listed',
    developerAgreementAccepted: 'read_dev_agreement',
    emailSettingsUrl: 'idp_edit_email_url',
  };
  const snakeCase = (name: string) => RENAMED[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  function restForm({ private: further, ...shown }: Node): Record<string, unknown> {
    const fields = {
      ...shown,
      pictureUrl: shown.pictureType === null ? null : shown.pictureUrl,
      ...(further
        ? {
            ...further,
            lastLoginIp: further.lastLoginIp ?? '',
            developerAgreementAccepted: further.developerAgreementAccepted !== null,
            deleted: false,
          }
        : {}),
    };
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value]));
  }

  it('is the same as in REST, for each viewer', async () => {
    for (const client of [app.anonymous, privateAccount, author, administrator]) {
      const own = client === app.anonymous ? [] : [String(client.accountId)];
      for (const ref of ['Example.Developer', ...own]) {
        const { account } = await client.graphql<{ account: Node }>(QUERY, { by: accountReference(ref) });
        expect((await client.get(path(ref))).json).toEqual(restForm(account));
      }
      const { viewer } = await client.graphql<{ viewer: Node | null }>(`{ viewer { ${FIELDS} } }`);
      if (viewer !== null) expect((await client.get('/api/v4/accounts/profile/')).json).toEqual(restForm(viewer));
    }
  });

  it('is null with NOT_FOUND where REST has 404', async () => {
    for (const ref of ['unknown', '2147483648', 'a\0b', '\ud800', '', String(privateAccount.accountId)]) {
      const { data, errors } = await app.anonymous.graphqlResult<{ account: null }>(QUERY, {
        by: accountReference(ref),
      });
      expect([ref, data, errors?.[0]?.extensions?.code]).toEqual([ref, { account: null }, 'NOT_FOUND']);
    }
  });
});
