import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { addon, type MadeAddon } from '../support/factories.ts';

const app = setUpApp();
let author: Client;
let coAuthor: Client;
let stranger: Client;
let reviewer: Client;
let unlistedReviewer: Client;
let archivist: Client;
let onlyArchivist: Client;
let administrator: Client;

const UNAUTHENTICATED = 'Authentication credentials were not provided.';
const FORBIDDEN = 'You do not have permission to perform this action.';
const BELOW = (made: MadeAddon) => [
  '',
  'versions/',
  `versions/${made.versions[0]?.id}/`,
  'feature_compatibility/',
  'eula_policy/',
];
const address = (made: MadeAddon, path = '') => `/api/v4/addons/addon/${made.id}/${path}`;
const authors = () => [author.accountId ?? 0, { id: coAuthor.accountId ?? 0, listed: false }];

beforeAll(async () => {
  author = await app.developer();
  coAuthor = await app.developer();
  stranger = await app.developer();
  reviewer = await app.memberWith('Addons:Review');
  unlistedReviewer = await app.memberWith('Addons:ReviewUnlisted');
  archivist = await app.memberWith('Addons:Review', 'Addons:ReviewUnlisted', 'Addons:ViewDeleted');
  onlyArchivist = await app.memberWith('Addons:ViewDeleted');
  administrator = await app.admin();
});

async function statuses(made: MadeAddon, client: Client): Promise<number[]> {
  return Promise.all(BELOW(made).map(async (path) => (await client.get(address(made, path))).status));
}
const all = (status: number) => Array.from({ length: 5 }, () => status);

describe('an add-on that is not public', () => {
  it.each([
    ['waits for review', { status: 'nominated', versions: [{ files: [{ status: 1 }] }] }, false, false],
    ['was disabled by its developer', { isDisabledByDeveloper: true }, true, false],
    ['was disabled by the operator', { status: 'disabled' }, false, true],
    ['was disabled by both', { status: 'disabled', isDisabledByDeveloper: true }, true, true],
  ] as const)('and %s is for its authors and reviewers', async (_what, facts, byDeveloper, byVendor) => {
    const made = await addon({ authors: authors(), ...structuredClone(facts) } as Parameters<typeof addon>[0]);
    const flags = { is_disabled_by_developer: byDeveloper, is_disabled_by_vendor: byVendor };
    for (const path of BELOW(made)) {
      const anonymous = await app.anonymous.get(address(made, path));
      expect([anonymous.status, anonymous.json]).toEqual([401, { detail: UNAUTHENTICATED, ...flags }]);
      expect(anonymous.headers['www-authenticate']).toBe('bearer realm="api"');
      const other = await stranger.get(address(made, path));
      expect([other.status, other.json]).toEqual([403, { detail: FORBIDDEN, ...flags }]);
    }
    for (const client of [author, coAuthor, reviewer, administrator])
      expect(await statuses(made, client)).toEqual(all(200));
  });

  it('with only unlisted versions is visible to its authors and to reviewers of unlisted versions', async () => {
    const made = await addon({ authors: authors(), status: 'incomplete', versions: [{ channel: 'unlisted' }] });
    const flags = { is_disabled_by_developer: false, is_disabled_by_vendor: false };
    expect(await statuses(made, app.anonymous)).toEqual(all(401));
    expect(await statuses(made, reviewer)).toEqual(all(403));
    expect((await reviewer.get(address(made))).json).toEqual({ detail: FORBIDDEN, ...flags });
    for (const client of [author, unlistedReviewer]) expect(await statuses(made, client)).toEqual(all(200));
  });

  it('and deleted is visible only to reviewers of deleted add-ons', async () => {
    const deletedAt = new Date();
    const made = await addon({
      authors: authors(),
      status: 'deleted',
      slug: null,
      deletedAt,
      versions: [{ deletedAt }],
    });
    for (const client of [app.anonymous, author, stranger, reviewer, unlistedReviewer, onlyArchivist]) {
      expect(await statuses(made, client)).toEqual(all(404));
      expect((await client.get(address(made))).json).toEqual({ detail: 'Not found.' });
    }
    for (const client of [archivist, administrator]) expect(await statuses(made, client)).toEqual(all(200));
    expect((await archivist.get(address(made))).json).toMatchObject({
      slug: null,
      status: 'deleted',
      current_version: null,
    });
  });

  it('shows the newest version that was not rejected to viewers with access', async () => {
    const made = await addon({
      authors: authors(),
      status: 'nominated',
      currentVersionId: undefined,
      versions: [{ stage: 'awaiting_review', files: [{ status: 1 }] }],
    });
    await app.sql('update addon set current_version_id = $1 where id = $2', [made.versions[0]?.id, made.id]);
    const { publishAddons } = await import('../../src/domain/listing/publish-addons.ts');
    const { db } = await import('../../src/infra/db.ts');
    await db.$transaction((tx) => publishAddons(tx, [made.id]));
    const shown = (await author.get(address(made))).json as { current_version: { id: number } };
    expect(shown.current_version.id).toBe(made.versions[0]?.id);
  });
});

describe('latest_unlisted_version', () => {
  it('is present for authors and reviewers of unlisted versions only', async () => {
    const made = await addon({
      authors: authors(),
      versions: [
        { version: '1.0' },
        { version: '1.1', channel: 'unlisted' },
        { version: '1.2', channel: 'unlisted', stage: 'rejected', files: [{ status: 5 }] },
        { version: '1.3', channel: 'unlisted', deletedAt: new Date() },
        { version: '1.4' },
      ],
    });
    for (const client of [author, coAuthor, unlistedReviewer]) {
      const reply = await client.get(address(made));
      expect(reply.json).toMatchObject({
        current_version: { version: '1.4' },
        latest_unlisted_version: { version: '1.1' },
      });
      const keys = Object.keys(reply.json as object);
      expect(keys[keys.indexOf('last_updated') + 1]).toBe('latest_unlisted_version');
      expect(reply.headers['cache-control']).toBe('private, no-store');
      expect(reply.headers.etag).toBeUndefined();
    }
    for (const client of [app.anonymous, stranger, reviewer]) {
      expect(Object.keys((await client.get(address(made))).json as object)).not.toContain('latest_unlisted_version');
    }
  });

  it('is null without an unlisted version', async () => {
    const made = await addon({ authors: authors() });
    expect((await author.get(address(made))).json).toMatchObject({ latest_unlisted_version: null });
  });
});

describe('authors', () => {
  it('are the listed ones in order, with URLs of the pages that the viewer can open', async () => {
    const [first, second] = [await app.developer(), await app.developer()];
    const ids = [second.accountId ?? 0, { id: author.accountId ?? 0, listed: false }, first.accountId ?? 0];
    const open = await addon({ authors: ids });
    const shownTo = async (client: Client, made: MadeAddon) =>
      ((await client.get(address(made))).json as { authors: { id: number; url: string | null }[] }).authors;
    expect(await shownTo(app.anonymous, open)).toMatchObject([
      { id: second.accountId, url: expect.stringMatching(/\/user\/user-[0-9a-f]+\/$/) },
      { id: first.accountId, url: expect.any(String) },
    ]);
    const newcomer = await app.developer();
    const waiting = await addon({ authors: [newcomer.accountId ?? 0, second.accountId ?? 0], status: 'nominated' });
    expect(await shownTo(reviewer, waiting)).toMatchObject([{ url: null }, { url: expect.any(String) }]);
    expect(await shownTo(newcomer, waiting)).toMatchObject([{ url: expect.any(String) }, { url: expect.any(String) }]);
    expect(await shownTo(administrator, waiting)).toMatchObject([{ url: expect.any(String) }, {}]);
  });

  it('have a placeholder name until they choose one', async () => {
    const { db } = await import('../../src/infra/db.ts');
    const username = `anonymous-${'0123456789abcdef'.repeat(2)}`;
    const data = { username, email: 'nobody@visibility.test', hasChosenUsername: false };
    const { id } = await db.account.create({ data });
    const made = await addon({ authors: [id] });
    const nameOf = async () => {
      const { authors } = (await app.anonymous.get(address(made))).json as { authors: { name: string }[] };
      return authors[0]?.name;
    };
    expect(await nameOf()).toBe('Add-ons user 012345');
    const tag = (await app.anonymous.get(address(made))).headers.etag;
    app.config.SITE_NAME = 'Our';
    expect(await nameOf()).toBe('Our user 012345');
    const again = await app.anonymous.get(address(made), { 'If-None-Match': String(tag) });
    app.config.SITE_NAME = 'Add-ons';
    expect(again.status).toBe(200);
  });
});
