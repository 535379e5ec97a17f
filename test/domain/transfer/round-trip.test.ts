import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../../support/app.ts';
import { exportedLines, importLines } from '../../support/catalogue/lines.ts';
import { normalLine } from '../../support/catalogue/normal-lines.ts';
import { type Line, linesOf, parts } from '../../support/catalogue/random-lines.ts';
import type { Client } from '../../support/client.ts';

type Values = Record<string, unknown>;

const RUNS = 5;
const ID_RANGE = 10_000;

const app = setUpApp();
let admin: Client;

beforeAll(async () => {
  admin = await app.admin();
});

/** The expected current version: the newest public listed one, else the newest listed one that was not refused. */
function currentOf({ type, deleted, versions }: Values): Values | null {
  if (deleted) return null;
  const statuses = (version: Values) => (version.files as Values[]).map(({ status }) => status);
  const listed = (versions as Values[])
    .filter((version) => version.channel === 'listed' && !version.deleted)
    .filter((version) => type === 'persona' || statuses(version).length > 0)
    .sort((one, other) =>
      one.created === other.created
        ? Number(other.id) - Number(one.id)
        : String(one.created) < String(other.created)
          ? 1
          : -1,
    );
  const isPublic = (version: Values) => statuses(version).every((status) => status === 4);
  return listed.find(isPublic) ?? listed.find((version) => !statuses(version).includes(5)) ?? null;
}

const SHARED_KEYS =
  `guid slug type name summary description developer_comments homepage support_email support_url default_locale
  created last_updated tags categories average_daily_users contributions_url is_experimental is_source_public public_stats
  requires_payment requires_sensitive_data_access ratings status`.split(/\s+/);

/** The fields of the REST detail that a line determines. */
function actualDetail(body: Values): Values {
  const { current_version: current, authors, previews, theme_data: theme } = body as Record<string, Values & Values[]>;
  return {
    ...Object.fromEntries(SHARED_KEYS.map((key) => [key, body[key]])),
    has_eula: body.has_eula,
    has_privacy_policy: body.has_privacy_policy,
    is_disabled: body.is_disabled,
    weekly_downloads: body.weekly_downloads ?? null,
    authors: authors?.map(({ username }) => username),
    previews: previews?.map(({ id, caption, image_size, thumbnail_size }) => ({
      id,
      caption,
      image_size,
      thumbnail_size,
    })),
    theme_data: theme ? { accentcolor: theme.accentcolor, textcolor: theme.textcolor } : null,
    current_version: current ? versionFields(current) : null,
  };
}

const versionFields = (version: Values): Values => ({
  ...Object.fromEntries(
    ['id', 'channel', 'compatibility', 'release_notes', 'reviewed', 'is_strict_compatibility_enabled', 'version'].map(
      (key) => [key, version[key]],
    ),
  ),
  // REST v4 has no key for these.
  files: (version.files as Values[]).map(
    ({
      url: _url,
      optional_permissions: _optional,
      host_permissions: _host,
      data_collection_permissions: _data,
      optional_data_collection_permissions: _optionalData,
      status_when_enabled: _later,
      ...file
    }) => file,
  ),
  license: version.license ? { name: (version.license as Values).name, url: (version.license as Values).url } : null,
});

function expectedDetail(line: Values): Values {
  const current = currentOf(line);
  const byPosition = (line.authors as Values[]).toSorted((one, other) => Number(one.position) - Number(other.position));
  return {
    ...Object.fromEntries(SHARED_KEYS.map((key) => [key, line[key]])),
    has_eula: line.eula !== null,
    has_privacy_policy: line.privacy_policy !== null,
    is_disabled: line.status === 'disabled' || line.is_disabled_by_developer,
    weekly_downloads: line.type === 'persona' ? null : line.weekly_downloads,
    authors: byPosition.filter(({ listed }) => listed).map(({ username }) => username),
    previews: line.previews,
    theme_data: line.theme_data,
    current_version: current ? versionFields(current) : null,
  };
}

const DETAIL = `query ($ref: Int!) { addon(by: { databaseId: $ref }) {
  databaseId guid slug averageDailyUsers hotness tags created lastUpdated defaultLocale
  name { all { locale value } } summary { all { locale value } } description { all { locale value } } developerComments { all { locale value } } homepage { all { locale value } } eula { all { locale value } } privacyPolicy { all { locale value } }
  localeDisambiguation ratings { count average }
  currentVersion { databaseId version channel created isStrictCompatibilityEnabled releaseNotes { all { locale value } } license { text { all { locale value } } }
    files { databaseId hash size status permissions } }
} }`;

const STATUS_NAMES: Readonly<Record<number, string>> = { 1: 'AWAITING_REVIEW', 4: 'PUBLIC', 5: 'DISABLED' };

/** Compares the add-on in GraphQL with its line. */
async function checkGraphql(line: Values): Promise<void> {
  const { addon } = await admin.graphql<{ addon: Values }>(DETAIL, { ref: line.id });
  const texts = (field: unknown) => {
    const all = (field as { all: { locale: string; value: string }[] } | null)?.all;
    return all === undefined ? null : Object.fromEntries(all.map(({ locale, value }) => [locale, value]));
  };
  const current = currentOf(line);
  const shown = addon.currentVersion as Values | null;
  for (const [field, key] of Object.entries({
    name: 'name',
    summary: 'summary',
    description: 'description',
    developerComments: 'developer_comments',
    homepage: 'homepage',
    eula: 'eula',
    privacyPolicy: 'privacy_policy',
  })) {
    expect(texts(addon[field]), field).toEqual(line[key]);
  }
  expect(addon).toMatchObject({
    databaseId: line.id,
    guid: line.guid,
    slug: line.slug,
    averageDailyUsers: line.average_daily_users,
    hotness: line.hotness,
    tags: line.tags,
    created: line.created,
    lastUpdated: line.last_updated,
    defaultLocale: line.default_locale,
    localeDisambiguation: line.locale_disambiguation,
    ratings: { count: (line.ratings as Values).count, average: (line.ratings as Values).average },
  });
  expect(shown?.databaseId ?? null).toBe(current?.id ?? null);
  if (!current || !shown) return;
  expect(texts(shown.releaseNotes)).toEqual(current.release_notes);
  expect(texts((shown.license as Values | null)?.text)).toEqual((current.license as Values | null)?.text ?? null);
  expect(shown.created).toBe(current.created);
  const files = (current.files as Values[]).map(({ id: databaseId, hash, size, status, permissions }) => ({
    databaseId,
    hash,
    size,
    status: STATUS_NAMES[Number(status)],
    permissions,
  }));
  expect(shown.files).toEqual(files);
}

/** Compares the add-on in REST and GraphQL with its line. */
async function checkDetail(line: Values): Promise<void> {
  const path = `/api/v4/addons/addon/${encodeURIComponent(String(line.guid))}/`;
  const isPublic = line.status === 'public' && !line.is_disabled_by_developer;
  const anonymous = await app.anonymous.get(path);
  expect([line.guid, anonymous.status]).toEqual([line.guid, line.deleted ? 404 : isPublic ? 200 : 401]);
  if (line.deleted) return;
  const { json: body } = await admin.get(path);
  expect(actualDetail(body as Values)).toEqual(expectedDetail(line));
  const policies = await admin.get(`${path}eula_policy/`);
  expect(policies.json).toEqual({ eula: line.eula, privacy_policy: line.privacy_policy });
  const feature = await admin.get(`${path}feature_compatibility/`);
  expect(feature.json).toEqual({ e10s: line.e10s });
  await checkGraphql(line);
}

describe('an imported catalogue', () => {
  it('is exported unchanged and served as written by REST and GraphQL', async () => {
    let base = 1_000_000;
    await fc.assert(
      fc.asyncProperty(parts, async (catalogue) => {
        base += ID_RANGE;
        const lines = linesOf(catalogue, base);
        const { imported, skipped } = await importLines(lines, { createGroups: true });
        expect(skipped).toEqual([]);
        expect(Object.values(imported).reduce((sum, count) => sum + count)).toBe(lines.length);
        await checkExport(lines);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

/** Lines whose names are compared case-insensitively, with `setCase` applied to the names. */
const linesWithCase = (setCase: (name: string) => string): Line[] => [
  { kind: 'account', id: 900_001, username: setCase('case-y'), email: setCase('case-y@x.example') },
  {
    kind: 'addon',
    id: 900_001,
    guid: setCase('cc@case'),
    slug: setCase('cc-slug'),
    type: 'extension',
    status: 'public',
  },
  { kind: 'recommendation_fallback', guid: setCase('cc@case'), position: 900_001 },
  { kind: 'collection', path: setCase('case/one'), guids: ['cc@case'] },
  { kind: 'replacement', guid: setCase('old@case'), path: '/addon/cc-slug/' },
  { kind: 'compat_override', addon_guid: setCase('over@case'), name: 'Over', version_ranges: [] },
];

describe('an import of existing rows', () => {
  it('applies changes of letter case', async () => {
    const exportedNames = async () =>
      (await exportedLines()).filter((line) => /case/i.test(nameOf(line)) || line.id === 900_001);
    await importLines(linesWithCase((name) => name));
    const capitals = linesWithCase((name) => name.toUpperCase());
    expect(await exportedNames()).not.toMatchObject(capitals);
    await importLines(capitals);
    expect(await exportedNames()).toMatchObject(capitals);
    const { json } = await app.anonymous.get('/api/v4/addons/addon/cc-slug/');
    expect(json).toMatchObject({ guid: 'CC@CASE', slug: 'CC-SLUG' });
  });
});

describe('a username', () => {
  const chosen = async (username: string) => {
    const [row] = await app.sql('SELECT has_chosen_username AS chosen FROM account WHERE username = $1', [username]);
    return row?.chosen;
  };

  it('stays marked as chosen even if it starts with "anonymous-"', async () => {
    const { createAccount } = await import('../../../src/domain/accounts/administration.ts');
    const { id } = await createAccount({ username: 'anonymous-bob', email: 'bob@x.example' });
    const random = `anonymous-${'0123456789abcdef'.repeat(2)}`;
    await importLines(['anonymous-eve', random].map((username) => ({ kind: 'account', username })));
    await importLines((await exportedLines()).filter(({ kind }) => kind === 'account'));
    expect([await chosen('anonymous-bob'), await chosen('anonymous-eve'), await chosen(random)]).toEqual([
      true,
      true,
      false,
    ]);
    await importLines([{ kind: 'account', id, username: 'bob', email: 'bob@x.example' }]);
    expect(await chosen('bob')).toBe(true);
  });
});

const nameOf = ({
  kind,
  id,
  guid,
  extension_id,
  addon_guid,
  addon,
  path,
  uuid,
  edition,
  app,
  ...rest
}: Values): string =>
  JSON.stringify([
    ...[kind, id, guid ?? extension_id ?? addon_guid ?? addon ?? path ?? uuid ?? edition, app],
    ...[rest.version, rest.locale, rest.date],
  ]);

/** The exported line without the version that an import adds to a public persona. */
function withoutAddedVersion(exported: Values | undefined, expected: Values | undefined): Values | undefined {
  if (exported?.type !== 'persona' || exported.status !== 'public') return exported;
  if (currentOf(expected ?? {}) !== null) return exported;
  const versions = exported.versions as Values[];
  expect(versions.at(-1)).toMatchObject({ version: expect.stringMatching(/^1\.\d+$/), channel: 'listed', files: [] });
  return { ...exported, versions: versions.slice(0, -1) };
}

/** Compares the export with the lines and ignores rows of earlier catalogues. Imports both again and expects no change. */
async function checkExport(lines: readonly Line[]): Promise<void> {
  const idOf = (guid: string) => {
    const addon = lines.find((line) => line.kind === 'addon' && line.guid === guid);
    return addon?.status === 'deleted' || addon?.deleted ? null : addon?.id;
  };
  const expected = lines.map((line) => normalLine(line, idOf));
  const exported = new Map(
    (await exportedLines()).map((line) => [
      nameOf({ ...line, ...(line.kind === 'category' ? { app: undefined } : {}) }),
      line,
    ]),
  );
  const found = expected.map((line) =>
    exported.get(nameOf({ ...line, ...(line.kind === 'category' ? { app: undefined } : {}) })),
  );
  expect(found.map((line, index) => withoutAddedVersion(line, expected[index]))).toEqual(expected);
  for (const line of found) if (line?.kind === 'addon') await checkDetail(line);
  const before = await app.sql('SELECT addon_id, row_version FROM addon_document ORDER BY addon_id');
  await importLines(lines, { createGroups: true });
  await importLines(found.filter((line) => line !== undefined));
  expect(await app.sql('SELECT addon_id, row_version FROM addon_document ORDER BY addon_id')).toEqual(before);
  expect((await exportedLines()).length).toBe(exported.size);
}
