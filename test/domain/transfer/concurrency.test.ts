import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { importLines, refusalsOf } from '../../support/catalogue/lines.ts';
import { manyAddons } from '../../support/catalogue/many-addons.ts';
import type { Client } from '../../support/client.ts';
import { addon, type MadeAddon } from '../../support/factories.ts';
import { untilSessionsWait } from '../../support/locks.ts';

const app = setUpApp();
let admin: Client;

beforeAll(async () => {
  admin = await app.admin();
});

/** A stream of lines that pauses before the last line until `resume` is called. */
function pausingStream(...lines: unknown[]) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  async function* stream(): AsyncGenerator<string> {
    for (const line of lines.slice(0, -1)) yield JSON.stringify(line);
    reached.resolve();
    await released.promise;
    yield JSON.stringify(lines.at(-1));
  }
  return { lines: stream(), reached: reached.promise, resume: released.resolve };
}

const account = (username: string) => ({ kind: 'account', username });
const version = (number: string, facts: object = {}) => ({
  ...{ version: number, channel: 'listed', license: { builtin: 'MIT' } },
  ...{ files: [{ hash: `sha256:${'ab'.repeat(32)}`, size: 5, status: 4, is_webextension: true }], ...facts },
});
const line = (guid: string, facts: object = {}) => ({
  ...{ kind: 'addon', guid, slug: guid.split('@')[0], type: 'extension', status: 'public' },
  ...{ name: { 'en-US': 'From the file' }, versions: [version('1.0')], ...facts },
});

const EDIT = `mutation($input: UpdateAddonInput!) { updateAddon(input: $input) { __typename ... on UserError { code message } } }`;

async function idOf(guid: string): Promise<string> {
  const query = 'query($guid: String!) { addon(by: { guid: $guid }) { id } }';
  return (await admin.graphql<{ addon: { id: string } }>(query, { guid })).addon.id;
}

async function setHomepage({ guid }: MadeAddon, homepage: string): Promise<unknown> {
  const input = { id: await idOf(guid), homepage: [{ locale: 'en-US', value: homepage }] };
  return (await admin.graphql<{ updateAddon: unknown }>(EDIT, { input })).updateAddon;
}

async function enable(guid: string): Promise<void> {
  const input = { id: await idOf(guid), by: 'OPERATOR', isDisabled: false };
  const text = 'mutation($input: SetAddonDisabledInput!) { setAddonDisabled(input: $input) { __typename } }';
  expect(await admin.graphql(text, { input })).toEqual({ setAddonDisabled: { __typename: 'SetAddonDisabledPayload' } });
}

async function detail(guid: string) {
  const { json } = await app.anonymous.get(`/api/v4/addons/addon/${guid}/?lang=en-US`);
  return json as Record<string, unknown>;
}

describe('an import', () => {
  it('refuses a concurrent import', async () => {
    const { ImportRunningError, importCatalogue } = await import('../../../src/domain/transfer/import-catalogue.ts');
    const first = pausingStream(account('first-a'), account('first-b'));
    const running = importCatalogue({ lines: first.lines });
    await first.reached;
    await expect(importLines([account('second')])).rejects.toThrow(ImportRunningError);
    first.resume();
    expect((await running).imported.account).toBe(2);
    expect((await importLines([account('second')])).imported.account).toBe(1);
  });

  it('keeps concurrent changes while it reads lines', async () => {
    const { importCatalogue } = await import('../../../src/domain/transfer/import-catalogue.ts');
    const [named, other] = [await addon(), await addon()];
    const file = pausingStream(line(named.guid, { slug: named.slug }), account('last-line'));
    const running = importCatalogue({ lines: file.lines });
    await file.reached;
    const saved = { __typename: 'UpdateAddonPayload' };
    expect(await setHomepage(other, 'https://other.example/')).toMatchObject(saved);
    expect(await setHomepage(named, 'https://named.example/')).toMatchObject(saved);
    expect(await detail(named.guid)).toMatchObject({ homepage: 'https://named.example/' });
    const created = await addon();
    file.resume();
    await running;
    expect(await detail(other.guid)).toMatchObject({ homepage: 'https://other.example/' });
    expect(await detail(created.guid)).toMatchObject({ slug: created.slug });
    // The add-ons in the file are overwritten after its last line.
    expect(await detail(named.guid)).toMatchObject({ name: 'From the file', homepage: null });
    const actions = await app.sql(`SELECT action FROM activity WHERE addon_id = $1`, [named.id]);
    expect(actions).toContainEqual({ action: 'addon-edited' });
  });

  it('blocks changes of an add-on while it is loaded, and applies them to the loaded state', async () => {
    const made = await addon();
    const holder = new pg.Client({ connectionString: app.config.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE replacement IN SHARE MODE');
    const running = importLines([
      line(made.guid, { slug: made.slug, summary: { 'en-US': 'File summary' } }),
      { kind: 'replacement', guid: 'old@concurrent.example', path: `/addon/${made.slug}/` },
    ]);
    await untilSessionsWait(app, '%replacement%');
    const edit = setHomepage(made, 'https://later.example/');
    await untilSessionsWait(app, '%addon%FOR%UPDATE%');
    expect(await detail(made.guid)).not.toMatchObject({ name: 'From the file' });
    await holder.query('COMMIT');
    await holder.end();
    await running;
    expect(await edit).toMatchObject({ __typename: 'UpdateAddonPayload' });
    expect(await detail(made.guid)).toMatchObject({
      name: 'From the file',
      summary: 'File summary',
      homepage: 'https://later.example/',
    });
  });

  it('matches existing rows if lines have no ids', async () => {
    const lines = [
      account('without-ids'),
      line('without-ids@concurrent.example', {
        authors: [{ username: 'without-ids', role: 'owner' }],
        previews: [{ caption: { 'en-US': 'One' } }, { caption: { 'en-US': 'Two' } }],
        versions: [
          version('2.0', { license: { name: { 'en-US': 'Own' }, text: { 'en-US': 'Words' } } }),
          version('1.0'),
        ],
      }),
      {
        kind: 'featured',
        addon: 'without-ids@concurrent.example',
        app: 'desktop_browser',
        locale: null,
        category: null,
      },
    ];
    const rows = () =>
      app.sql(`SELECT a.id, d.row_version, w.account_id, (SELECT count(*) FROM license) AS licenses,
          (SELECT array_agg(id ORDER BY id) FROM preview WHERE addon_id = a.id) AS previews,
          (SELECT array_agg(ARRAY[v.id, f.id, v.license_id] ORDER BY v.id) FROM version v JOIN file f ON f.version_id = v.id
            WHERE v.addon_id = a.id) AS versions,
          (SELECT array_agg(id) FROM featured_entry WHERE addon_id = a.id) AS featured
        FROM addon a JOIN addon_document d ON d.addon_id = a.id JOIN addon_author w ON w.addon_id = a.id
        WHERE a.guid = 'without-ids@concurrent.example'`);
    await importLines(lines);
    const before = await rows();
    expect(before).toHaveLength(1);
    await importLines(lines);
    expect(await rows()).toEqual(before);
  });

  it('overwrites existing rows and keeps those that the file does not name', async () => {
    const owner = await app.developer();
    const made = await addon({
      ...{ authors: [owner.accountId ?? 0], tags: ['old', 'both'], summary: { 'en-US': 'Here' }, averageDailyUsers: 7 },
      ...{ categories: [{ app: 'desktop_browser', slug: 'here' }], previews: [{ position: 0 }] },
      versions: [{ version: '1.0', releaseNotes: { 'en-US': 'Here' } }, { version: '9.0' }],
    });
    await importLines([
      account('of-the-file'),
      line(made.guid, {
        ...{
          slug: 'renamed-by-file',
          tags: ['both', ' New ', 'NEW'],
          average_daily_users: 9,
          created: '2010-01-01T00:00:00Z',
        },
        authors: [{ username: 'of-the-file', role: 'owner' }],
        versions: [version('1.0', { release_notes: { 'en-US': 'File' } }), version('2.0')],
      }),
    ]);
    const found = await detail(made.guid);
    expect(found).toMatchObject({
      ...{ id: made.id, slug: 'renamed-by-file', name: 'From the file', summary: null, tags: ['both', 'new'] },
      ...{ average_daily_users: 9, created: '2010-01-01T00:00:00Z', categories: {}, previews: [] },
      authors: [{ username: 'of-the-file' }],
    });
    const versions = await app.sql(
      'SELECT id, version, release_notes FROM version WHERE addon_id = $1 ORDER BY version',
      [made.id],
    );
    expect(versions).toMatchObject([
      { id: made.versions[0]?.id, version: '1.0', release_notes: { 'en-US': 'File' } },
      { version: '2.0' },
      { id: made.versions[1]?.id, version: '9.0' },
    ]);
    expect((await app.anonymous.get(`/api/v4/addons/addon/${made.slug}/`)).status).toBe(404);
  });

  it('moves slugs between add-ons in any order of rows', async () => {
    const [first, second, third, fourth] = [await addon(), await addon(), await addon(), await addon()];
    const without = { slug: null, status: 'deleted', versions: [] };
    await importLines([
      line(second.guid, { slug: first.slug }),
      line(first.guid, without),
      line(fourth.guid, without),
      line(third.guid, { slug: fourth.slug }),
    ]);
    const slugs = await app.sql('SELECT slug::text FROM addon WHERE id >= $1 ORDER BY id LIMIT 4', [first.id]);
    expect(slugs.map(({ slug }) => slug)).toEqual([null, first.slug, fourth.slug, null]);
  });

  it('deletes accounts that the file marks as deleted, and no others with the same id', async () => {
    const deleted = { ...account(`anonymous-${'0123456789abcdef'.repeat(2)}`), email: null, deleted: true };
    const carl = { ...account('carl'), id: 900_002, email: 'carl@concurrent.example', created: '2015-01-01T00:00:00Z' };
    const other = {
      ...account('dora'),
      id: 900_003,
      email: 'dora@concurrent.example',
      created: '2015-01-01T00:00:00Z',
    };
    await importLines([carl, other]);
    await importLines([{ ...deleted, id: carl.id, created: carl.created }]);
    expect(
      await app.sql(
        `SELECT id, username::text, email, deleted_at IS NOT NULL AS deleted, created, has_chosen_username AS chosen
        FROM account WHERE id = $1 OR username = 'carl'`,
        [carl.id],
      ),
    ).toEqual([
      {
        ...{ id: carl.id, username: deleted.username, email: null },
        deleted: true,
        chosen: false,
        created: new Date(carl.created),
      },
    ]);
    const elsewhere = { ...deleted, id: other.id, username: 'anonymous-2', created: '2016-01-01T00:00:00Z' };
    for (const line of [elsewhere, { ...elsewhere, created: undefined }]) {
      expect(await refusalsOf([line])).toEqual(['line 1: account.id: is another account here, "dora"']);
    }
    expect(await refusalsOf([{ ...elsewhere, created: other.created, deleted: false }])).toHaveLength(1);
  });

  it('disables add-ons so that enabling restores their status', async () => {
    const made = [await addon({ type: 'persona', versions: [] }), await addon(), await addon()];
    const [persona, whole, deleted] = made as [MadeAddon, MadeAddon, MadeAddon];
    await app.sql(`UPDATE addon SET status = 'deleted', deleted_at = now() WHERE id = $1`, [deleted.id]);
    const statuses = async () => {
      const rows = await app.sql('SELECT status FROM addon WHERE id = ANY($1) ORDER BY id', [made.map(({ id }) => id)]);
      return rows.map(({ status }) => status);
    };
    const disabled = { slug: persona.slug, type: 'persona', status: 'disabled', versions: [] };
    const lines = [line(persona.guid, disabled), line(whole.guid, { slug: whole.slug, status: 'disabled' })];
    await importLines([...lines, line(deleted.guid, { slug: deleted.slug, status: 'disabled', versions: [] })]);
    await importLines(lines);
    expect(await statuses()).toEqual(['disabled', 'disabled', 'disabled']);
    for (const { guid } of made) await enable(guid);
    expect(await statuses()).toEqual(['public', 'public', 'public']);
  });

  it('accepts HTML up to the limit of the API, in characters and with entities', async () => {
    const longest = `${'𝒳'.repeat(49_000)}${'&amp;'.repeat(10_200)}`;
    const [text, tooLong] = [{ 'en-US': longest }, { 'en-US': `${longest}x` }];
    await importLines([line('long@concurrent.example', { description: text })]);
    const [stored] = await app.sql(`SELECT description FROM addon WHERE guid = 'long@concurrent.example'`);
    expect(stored).toEqual({ description: text });
    expect(await refusalsOf([line('long@concurrent.example', { description: tooLong })])).toEqual([
      'line 1: addon.description.en-US: expected at most 100000 characters',
    ]);
  });

  it('leaves one facet row per kind of add-on and no pending index rows', async () => {
    const size = 1_200;
    // Facet changes that no nightly run has compacted yet.
    await app.sql(`INSERT INTO search_facet (type, apps, platforms, n)
      SELECT 0, 0, 0, n FROM generate_series(1, 2000), unnest(ARRAY[1, -1]) AS n`);
    expect((await importLines(manyAddons(size))).imported.addon).toBe(size);
    const pages = `SELECT pg_relation_size('search_facet')::int / 8192 AS pages`;
    expect(await app.sql(pages)).toEqual([{ pages: 1 }]);
    const kind =
      'type, apps, platforms, desktop_min, desktop_max, mobile_min, mobile_max, suite_min, suite_max, mail_min, mail_max';
    const [facets] = await app.sql(
      `SELECT count(*)::int AS rows, count(DISTINCT (${kind}))::int AS kinds, sum(n)::int AS n FROM search_facet`,
    );
    const [listed] = await app.sql<{ n: number }>('SELECT count(*)::int AS n FROM search_listing');
    expect(facets).toEqual({ rows: facets?.kinds, kinds: facets?.kinds, n: listed?.n });
    const { json } = await app.anonymous.get('/api/v4/addons/search/');
    expect(json).toMatchObject({ count: listed?.n });
    const merged = await app.sql(`SELECT gin_clean_pending_list('addon_search_lexemes')::int AS pages`);
    expect(merged).toEqual([{ pages: 0 }]);
  });
});
