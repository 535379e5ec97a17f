import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importLines, refusalsOf } from '../../support/catalogue/lines.ts';
import { createTestDatabase } from '../../support/database.ts';
import { addon as createAddon } from '../../support/factories.ts';

const database = await createTestDatabase();
const { closeDatabase, db } = await import('../../../src/infra/db.ts');
const { englishText } = await import('../../../src/texts/messages.ts');

const HASH = `sha256:${'ab'.repeat(32)}`;
const file = (facts: object = {}) => ({ hash: HASH, size: 1, status: 4, ...facts });
const version = (facts: object = {}) => ({ version: '1.0', channel: 'listed', files: [file()], ...facts });
const addon = (facts: object = {}) => ({
  kind: 'addon',
  guid: 'bad@example',
  slug: 'bad',
  type: 'extension',
  status: 'public',
  ...facts,
});
const account = (facts: object = {}) => ({ kind: 'account', username: 'new-user', ...facts });

let existing: Awaited<ReturnType<typeof createAddon>>;

beforeAll(async () => {
  const owner = await db.account.create({ data: { username: 'present', email: 'present@example.org' } });
  await db.group.create({ data: { name: 'Existing', rules: [] } });
  existing = await createAddon({ guid: 'present@example', slug: 'present', authors: [owner.id], previews: [{}] });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

/** Invalid lines and the beginnings of their messages. */
const INVALID: [problem: string, line: unknown][] = [
  ["not JSON: Expected property name or '}' in JSON at position 1", '{'],
  ['expected an object with a kind', '[]'],
  ['expected an object with a kind', '7'],
  [
    'kind: expected one of application_version, category, account, addon, featured, recommendation_fallback, collection, account_collection, discovery, hero, browser_mapping, replacement, compat_override, rating, daily_statistics',
    { kind: 'add-on' },
  ],
  ['addon.colour: unknown key', addon({ colour: 'red' })],
  ['addon.__proto__: unknown key', '{"kind":"addon","guid":"a@b","__proto__":{"x":1}}'],
  ['addon.guid: missing', { kind: 'addon', slug: 'x', type: 'extension', status: 'public' }],
  ['addon.guid: expected an add-on id of at most 255 characters', addon({ guid: 'x'.repeat(256) })],
  ['addon.slug: missing', addon({ slug: null })],
  ['addon.slug: expected a slug: no spaces, slashes, ? or #, and not only digits', addon({ slug: '42' })],
  ['addon.id: expected a whole number from 1 to 2000000000', addon({ id: 2 ** 31 - 1 })],
  ['addon.id: expected a whole number from 1 to 2000000000', addon({ id: '7' })],
  ['addon.average_daily_users: expected a whole number from 0 to 2147483647', addon({ average_daily_users: -1 })],
  ['addon.average_daily_users: expected a whole number from 0 to 2147483647', addon({ average_daily_users: 1.5 })],
  [
    'addon.hotness: expected a number from -1000000000000000 to 1000000000000000',
    '{"kind":"addon","guid":"a@b","slug":"a","type":"extension","status":"public","hotness":1e999}',
  ],
  ['addon.ratings.average: expected a number from 0 to 1000000', addon({ ratings: { average: '5' } })],
  [
    'addon.type: expected one of "extension", "theme", "dictionary", "search", "language", "persona", "statictheme"',
    addon({ type: 'plugin' }),
  ],
  ['addon.is_experimental: expected true or false', addon({ is_experimental: 1 })],
  ['addon.created: expected a date such as 2018-10-25T09:30:00Z', addon({ created: '2018-02-31T00:00:00Z' })],
  ['addon.created: expected a date such as 2018-10-25T09:30:00Z', addon({ created: 1_540_459_800 })],
  ['addon.name: expected an object of texts, or null', addon({ name: 'Plain' })],
  ['addon.name.xx: expected a supported language', addon({ name: { xx: 'a' } })],
  ['addon.name.en-us: the same language twice', addon({ name: { 'en-US': 'a', 'en-us': 'b' } })],
  ['addon.name.de: expected text', addon({ name: { de: 3 } })],
  ['addon.name.de: expected text without NUL characters', addon({ name: { de: 'a\0b' } })],
  [
    'addon.name.de: expected well-formed Unicode, not half a surrogate pair',
    '{"kind":"addon","guid":"a@b","slug":"a","type":"extension","status":"public","name":{"de":"\\ud800"}}',
  ],
  ['addon.description.de: expected at most 100000 characters', addon({ description: { de: 'x'.repeat(100_001) } })],
  // Below the limit as it is, above it after the sanitiser writes "&" as an entity.
  ['addon.description.de: expected at most 100000 characters', addon({ description: { de: 'a & b '.repeat(15_000) } })],
  [
    'addon.versions[0].release_notes.de: expected at most 100000 characters',
    addon({ versions: [version({ release_notes: { de: 'a & b '.repeat(15_000) } })] }),
  ],
  ['addon.tags[1]: expected a tag', addon({ tags: ['a', ''] })],
  ['addon.categories.browser: unknown key', addon({ categories: { browser: [] } })],
  ['addon.previews[0].image_size: expected width and height', addon({ previews: [{ image_size: [1] }] })],
  ['addon.theme_data.accentcolor: expected a colour such as #0c0c0d', addon({ theme_data: { accentcolor: 'red' } })],
  [
    'addon.authors[0].role: expected "owner" or "developer"',
    addon({ authors: [{ username: 'present', role: 'boss' }] }),
  ],
  [
    'addon.authors[1].username: the same author twice',
    addon({
      authors: [
        { username: 'present', role: 'owner' },
        { username: 'PRESENT', role: 'owner' },
      ],
    }),
  ],
  [
    'addon.authors[0].username: there is no account "unknown"',
    addon({ authors: [{ username: 'unknown', role: 'owner' }] }),
  ],
  [
    'addon.categories.mail_client[0]: there is no category "none" of mail_client for the type extension',
    addon({ categories: { mail_client: ['none'] } }),
  ],
  ['addon.versions[0].channel: expected "listed" or "unlisted"', addon({ versions: [version({ channel: 'beta' })] })],
  [
    'addon.versions[0].compatibility.desktop_browser.max: expected an application version such as 57.0, 57.* or *',
    addon({ versions: [version({ compatibility: { desktop_browser: { min: '1.0', max: 'x' } } })] }),
  ],
  [
    'addon.versions[0].files[0].status: expected 1, 4 or 5',
    addon({ versions: [version({ files: [file({ status: 2 })] })] }),
  ],
  [
    'addon.versions[0].files[0].hash: missing, as there is no path',
    addon({ versions: [version({ files: [{ status: 4 }] })] }),
  ],
  [
    'addon.versions[0].files[0].hash: expected sha256: and 64 hex digits',
    addon({ versions: [version({ files: [file({ hash: 'md5:00' })] })] }),
  ],
  [
    'addon.versions[0].files[0].size: expected a whole number from 0 to 2147483647',
    addon({ versions: [version({ files: [file({ size: 2 ** 31 })] })] }),
  ],
  [
    'addon.versions[0].files[0].path: expected a path below the folder of the catalogue',
    addon({ versions: [version({ files: [file({ path: '../secret' })] })] }),
  ],
  [
    'addon.versions[0].license.builtin: expected one of',
    addon({ versions: [version({ license: { builtin: 'WTFPL' } })] }),
  ],
  ['addon.versions[1].version: the same as on line 1', addon({ versions: [version(), version()] })],
  ['addon.slug: is the slug of another add-on here, "present@example"', addon({ slug: 'Present' })],
  ['account.username: expected a username: no slashes, ? or #, and not only digits', account({ username: '123' })],
  ['account.email: expected an e-mail address', account({ email: 'nowhere' })],
  ['account.email: is the address of another account here, "present"', account({ email: 'Present@example.org' })],
  ['account.username: is the name of a built-in account', account({ username: 'Automatic-Review' })],
  [
    'addon.authors[0].username: there is no account "automatic-review"',
    addon({ authors: [{ username: 'automatic-review', role: 'owner', listed: true }] }),
  ],
  ['account.groups[0]: expected the name of a group', account({ groups: [' Existing '] })],
  ['account.groups: there is no group "Unknown"', account({ groups: ['Unknown'] })],
  ['category.app: expected one of', { kind: 'category', app: 'browser', type: 'extension', slug: 'x' }],
  [
    'application_version.version: expected an application version such as 57.0, 57.* or *',
    { kind: 'application_version', app: 'mail_client', version: '' },
  ],
  [
    'featured.addon: there is no add-on "unknown@example"',
    { kind: 'featured', addon: 'unknown@example', app: 'mail_client' },
  ],
  [
    'featured.category: there is no category "none" of mail_client',
    { kind: 'featured', addon: 'present@example', app: 'mail_client', category: 'none' },
  ],
  ['replacement.path: expected either a path or a replacement', { kind: 'replacement', guid: 'a@b' }],
  ['replacement.path: expected a path or an http address', { kind: 'replacement', guid: 'a@b', path: 'javascript:1' }],
  ...['//elsewhere.example/', 'https://', 'https:// x', 'http:///x', 'https://?x'].map((path): [string, unknown] => [
    'replacement.path: expected a path or an http address',
    { kind: 'replacement', guid: 'a@b', path },
  ]),
  ['collection.path: expected a path without slashes around it', { kind: 'collection', path: '/x/', guids: [] }],
  [
    'compat_override.version_ranges[0].applications[0].name: expected one of',
    {
      kind: 'compat_override',
      addon_guid: 'a@b',
      version_ranges: [
        {
          addon_min_version: '0',
          addon_max_version: '*',
          applications: [{ name: 'x', min_version: '1.0', max_version: '*' }],
        },
      ],
    },
  ],
  [
    'compat_override.version_ranges[0].applications: expected at least one entry',
    {
      kind: 'compat_override',
      addon_guid: 'a@b',
      version_ranges: [{ addon_min_version: '0', addon_max_version: '*', applications: [] }],
    },
  ],
  [
    'daily_statistics.guid: there is no add-on "unknown@example"',
    { kind: 'daily_statistics', guid: 'unknown@example', date: '2018-01-01' },
  ],
  [
    'daily_statistics.date: expected a day such as 2018-10-25',
    { kind: 'daily_statistics', guid: 'present@example', date: '2018-13-01' },
  ],
  [
    'recommendation_fallback.position: expected a whole number from 0 to 2147483647',
    { kind: 'recommendation_fallback', guid: 'a@b', position: -1 },
  ],
];

describe('a bad line', () => {
  it.each(INVALID)('is refused with "%s"', async (problem, line) => {
    const [refusal = '', ...more] = await refusalsOf([line]);
    expect(refusal.slice(0, `line 1: ${problem}`.length)).toBe(`line 1: ${problem}`);
    expect(more).toEqual([]);
    expect(await db.addon.count()).toBe(1);
  });

  it('is refused if it repeats an earlier line', async () => {
    const lines = [
      addon({ id: 900_001 }),
      addon({ id: 900_002, slug: 'other' }),
      addon({ id: 900_001, guid: 'third@example', slug: 'third' }),
      addon({ guid: 'fourth@example' }),
    ];
    expect(await refusalsOf(lines)).toEqual([
      'line 2: addon.guid: the same as on line 1',
      'line 3: addon.id: the same as on line 1',
      'line 4: addon.slug: the same as on line 1',
    ]);
  });

  it('is refused if it refers to a later line', async () => {
    const lines = [addon({ authors: [{ username: 'late', role: 'owner' }] }), account({ username: 'late' })];
    expect(await refusalsOf(lines)).toEqual(['line 1: addon.authors[0].username: there is no account "late"']);
  });

  it('is refused if its ids belong to other rows', async () => {
    const [{ id: versionId, files = [] }] = existing.versions as [(typeof existing.versions)[number]];
    const [preview] = await db.preview.findMany();
    const lines = [
      addon({ id: existing.id }),
      addon({ id: existing.id + 1000, guid: 'Present@example', slug: 'one' }),
      addon({ guid: 'b@example', slug: 'b', versions: [version({ id: versionId })] }),
      addon({ guid: 'c@example', slug: 'c', versions: [version({ files: [file({ id: files[0]?.id })] })] }),
      addon({ guid: 'd@example', slug: 'd', previews: [{ id: preview?.id }] }),
    ];
    expect(await refusalsOf(lines)).toEqual([
      'line 1: addon.id: is another add-on here, "present@example"',
      `line 2: addon.guid: is the add-on ${existing.id} here`,
      'line 3: addon.versions[0].id: is version "1.0" of "present@example" here',
      'line 4: addon.versions[0].files[0].id: is a file of version "1.0" of "present@example" here',
      'line 5: addon.previews[0].id: is a preview of "present@example" here',
    ]);
  });

  it('is skipped with --skip-bad, together with every line that refers to it', async () => {
    const lines = [
      account({ username: '1' }),
      account({ username: 'kept' }),
      'broken',
      addon({ authors: [{ username: '1', role: 'owner' }] }),
      addon({
        guid: 'kept@example',
        slug: 'kept',
        authors: [{ username: 'kept', role: 'owner' }],
        versions: [version()],
      }),
      { kind: 'featured', addon: 'bad@example', app: 'mail_client' },
      { kind: 'featured', addon: 'kept@example', app: 'mail_client' },
    ];
    const { imported, skipped } = await importLines(lines, { skipBad: true });
    expect(skipped.map(({ line, key }) => [line, key])).toEqual([
      [1, 'account.username'],
      [3, ''],
      [4, 'addon.authors[0].username'],
      [6, 'featured.addon'],
    ]);
    expect(imported).toMatchObject({ account: 1, addon: 1, featured: 1 });
    expect(await db.addon.findMany({ select: { guid: true }, orderBy: { id: 'asc' } })).toEqual([
      { guid: 'present@example' },
      { guid: 'kept@example' },
    ]);
  });

  it('does not release its slug when it is skipped', async () => {
    const lines = ['one', 'two', 'three'].map((name) => addon({ guid: `${name}@chain`, slug: `chain-${name}` }));
    await importLines(lines);
    const unknown = [{ username: 'unknown', role: 'owner' }];
    const exchanged = [
      addon({ guid: 'one@chain', slug: 'chain-free', authors: unknown }),
      addon({ guid: 'three@chain', slug: 'chain-two' }),
      addon({ guid: 'two@chain', slug: 'chain-one' }),
      addon({ guid: 'four@chain', slug: 'chain-three' }),
    ];
    const { imported, skipped } = await importLines(exchanged, { skipBad: true });
    expect(imported.addon).toBe(0);
    expect(skipped.map(({ line, key, problem }) => [line, key, englishText(problem)])).toEqual([
      [1, 'addon.authors[0].username', 'there is no account "unknown"'],
      [2, 'addon.slug', 'is the slug of another add-on here, "two@chain"'],
      [3, 'addon.slug', 'is the slug of another add-on here, "one@chain"'],
      [4, 'addon.slug', 'is the slug of another add-on here, "three@chain"'],
    ]);
  });
});
