/* An account with a number of everything that pages list, and the address of every page in it. */
import { message } from '../../src/texts/messages.ts';
import type { TestApp } from './app.ts';
import { type AddonFacts, addon, type VersionFacts } from './factories.ts';
import { makeJobs } from './jobs.ts';
import { addNotes } from './notes.ts';
import { xpi } from './packages.ts';
import { addCollections, addLists } from './page-lists.ts';
import { type Visitor, visitorOf } from './pages.ts';
import { addRatings } from './ratings.ts';
import { addStaffObjects, addWebhook, STAFF_ADDRESSES } from './staff-world.ts';
import { addSources, storePackage } from './store-package.ts';

/** Texts that pages show to developers and reviewers only. */
export const SECRET = { name: 'Withheld add-on', unlisted: '4321.7', comment: 'For reviewers only' } as const;

export interface PageWorld {
  /** An author of all add-ons. */
  owner: Visitor;
  /** The name of the add-on that the addresses are about. */
  name: string;
  /** Slug of an add-on that is not public. */
  hidden: string;
  /** The parameters of paths, by name. */
  values: Readonly<Record<string, string>>;
  /** Those that differ by path. */
  idOf: Readonly<Record<string, number>>;
  /** The `pk` of an upload that is not submitted. */
  waiting: string;
}

/** Makes `size` items of each kind. */
export async function makePageWorld(app: TestApp, size: number): Promise<PageWorld> {
  const client = await app.developer();
  const accountId = Number(client.accountId);
  const username = `author-${size}`;
  await app.sql("UPDATE account SET username = $2::text, email = $2::text || '@secret.example' WHERE id = $1", [
    accountId,
    username,
  ]);
  const authors = [accountId, ...(await otherAccounts(app, size))];
  const guids = await addAddons(size, authors);
  const stored = await storePackage(await xpi());
  const big = await addon(bigAddon(size, authors, stored));
  const [first, last] = [big.versions[0]?.id ?? 0, big.versions.at(-1)?.id ?? 0];
  const fileId = big.versions[0]?.files[0]?.id ?? 0;
  await addRecords(app, { size, addonId: big.id, guid: big.guid, fileId });
  await addLists(app, size, guids);
  const versions = [{ license: { builtin: 'MIT' }, files: [stored] }];
  const hidden = await addon({ slug: `withheld-${size}`, authors, versions, ...HIDDEN });
  await addSources(app, [big.id, hidden.id], stored.originalSha256);
  await app.sql(
    'INSERT INTO recommendation (addon_id, recommended) SELECT $1, array_agg(id) FROM addon WHERE guid = ANY($2)',
    [big.id, guids],
  );
  const { pk, waiting } = await addUploads(app, { size, accountId, addonId: big.id });
  await addNotes(
    app,
    first,
    times(size, () => ({ action: 'comment', comments: SECRET.comment })),
  );
  await addNotes(
    app,
    last,
    times(size, (index) => ({ action: 'more-information-requested', comments: `Question ${index}` })),
  );
  const { createApiKeyFor } = await import('../../src/domain/accounts/administration.ts');
  for (let made = 0; made < size; made++) await createApiKeyFor({ username });
  for (let made = 1; made < size; made++) await visitorOf(app, client);
  const [key] = await app.sql<{ id: number }>('SELECT max(id) AS id FROM api_key WHERE account_id = $1', [accountId]);
  const [report] = await app.sql<{ id: number }>(
    `INSERT INTO abuse_report (reporter_id, addon_guid, message)
     SELECT $1, $2, 'Look.' FROM generate_series(1, $3::int) RETURNING id`,
    [accountId, `reported-${size}@example`, size],
  );
  const [canned] = await app.sql<{ id: number }>(
    `INSERT INTO canned_response (name, text)
     SELECT 'Topic ' || $1 || ': ' || n, '{"en-US": "x"}' FROM generate_series(1, $1::int) AS n RETURNING id`,
    [size],
  );
  const uuid = await addCollections(app, { size, accountId, guids });
  const { unsubscribeUrl } = await import('../../src/domain/mail/unsubscribe.ts');
  return {
    ...{ owner: await visitorOf(app, client), name: `Pencil ${size}`, hidden: hidden.slug },
    values: {
      place: '1',
      ...{ ref: big.slug, version: '1.0', range: '1.0...1.0', username, type: 'extension', slug: 'tools-0' },
      ...{ tag: 'pen', part: '0.xml', pk, rating: await addRatings(app, big.id, size) },
      ...{ folder: 'shelf', owner: username, path: 'list', serial: `${size}a00`, number: String(report?.id), uuid },
      job: await makeJobs(app, size),
      token: new URL(unsubscribeUrl(accountId, 'new_features')).pathname.split('/').at(-2) ?? '',
    },
    idOf: {
      ...{ version: first, webhook: await addWebhook(app, big.id, size) },
      key: key?.id ?? 0,
      file: fileId,
      canned: canned?.id ?? 0,
      ...(await addStaffObjects(app, authors)),
    },
    waiting,
  };
}

const times = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index));

const HIDDEN = {
  name: { 'en-US': SECRET.name },
  tags: ['pen'],
  categories: [{ app: 'desktop_browser', slug: 'tools-0' }],
  isDisabledByDeveloper: true,
  eula: { 'en-US': 'Agree.' },
  privacyPolicy: { 'en-US': 'None.' },
  previews: [{ position: 0 }],
} satisfies AddonFacts;

async function otherAccounts(app: TestApp, size: number): Promise<number[]> {
  const rows = await app.sql<{ id: number }>(
    `INSERT INTO account (username, email) SELECT 'other-' || $1 || '-' || n, 'other-' || $1 || '-' || n || '@secret.example'
     FROM generate_series(1, $1::int) AS n RETURNING id`,
    [size],
  );
  return rows.map(({ id }) => id);
}

/** Small add-ons of each type that has lists of its own; returns the guids of the extensions. */
async function addAddons(size: number, authors: number[]): Promise<string[]> {
  const guids: string[] = [];
  for (let index = 0; index < size; index++) {
    const { guid } = await addon({
      ...{ authors, tags: ['pen'], slug: `pen-${size}-${index}`, name: { 'en-US': `Pen ${size} ${index}` } },
      categories: [{ app: 'desktop_browser', slug: 'tools-0' }],
      featured: [{ app: 'desktop_browser' }],
      versions: [{ license: { builtin: 'MIT' }, files: [{ isStored: true }] }],
    });
    guids.push(guid);
    await addon({ authors, type: 'language', targetLocale: 'de', slug: `pack-${size}-${index}` });
    await addon({ authors, type: 'dictionary', targetLocale: 'he', slug: `words-${size}-${index}` });
  }
  return guids;
}

const LOCALES = ['de', 'fr', 'he', 'es', 'it', 'nl', 'pl', 'ru', 'sv', 'tr', 'cs', 'da', 'el', 'fi', 'hu'];

/** An add-on with many versions, public, unlisted, failed and waiting, with texts in many languages. */
function bigAddon(size: number, authors: number[], stored: object): AddonFacts {
  const texts = (text: string) =>
    Object.fromEntries(['en-US', ...LOCALES.slice(0, size)].map((locale) => [locale, text]));
  const versions: VersionFacts[] = times(size, () => ({
    license: { name: texts('Own licence'), text: texts('All allowed.') },
    releaseNotes: texts('Faster.'),
    compatibility: { desktop_browser: ['57.0', '*'], mobile_browser: ['57.0', '*'] },
    files: [{ ...stored, permissions: ['storage', 'tabs'], certificateSerial: `${size}a00` }],
  }));
  const failed: VersionFacts[] = times(size, (index) => ({
    ...{
      version: `50.${index}`,
      stage: 'invalid',
      reasonMessage: { ...message('validation.errors_found', { count: 1 }) },
      reviewed: null,
    },
    files: [{ status: 5 }],
  }));
  const waiting: VersionFacts[] = times(size, (index) => ({
    ...{ version: `60.${index}`, stage: 'awaiting_review', reviewed: null },
    files: [{ status: 1 }],
  }));
  return {
    ...{
      authors,
      slug: `pencil-${size}`,
      guid: `pencil-${size}@example`,
      publicStats: true,
      isSourcePublic: true,
      tags: times(size, (index) => `tag-${index}`),
    },
    ...{ name: texts(`Pencil ${size}`), summary: texts('Draws lines.'), description: texts('In every colour.') },
    ...{ eula: texts('Agree.'), privacyPolicy: texts('None.') },
    categories: times(size, (index) => ({ app: 'desktop_browser', slug: `tools-${index}` })),
    previews: times(size, (position) => ({ position, caption: texts('The window') })),
    versions: [...versions, { version: SECRET.unlisted, channel: 'unlisted' }, ...failed, ...waiting],
  };
}

interface Records {
  size: number;
  addonId: number;
  guid: string;
  fileId: number;
}

/** Statistics and certificates. */
async function addRecords(app: TestApp, { size, addonId, guid, fileId }: Records): Promise<void> {
  await app.sql(
    `INSERT INTO daily_statistics (addon_id, day, users, downloads)
     SELECT $1, current_date - n, 100, 10 FROM generate_series(1, $2::int) AS n`,
    [addonId, size],
  );
  await app.sql(
    `INSERT INTO update_check (addon_id, day, app, version, count)
     SELECT $1, current_date - 1, 'desktop_browser', n || '.0', 9 FROM generate_series(1, $2::int) AS n`,
    [addonId, size],
  );
  const { logCertificate } = await import('../../src/domain/signature-log/signature-log.ts');
  for (let index = 0; index < size; index++) {
    const serial = `${size}a${String(index).padStart(2, '0')}`;
    await logCertificate({
      serial,
      issuer: 'CN=Test',
      guid,
      version: `${index}.0`,
      fileId,
      inputSha256: 'cd'.repeat(32),
    });
  }
}

/** Collections and replacements of these add-ons. */
/** Uploads of all versions, the first with messages, and further ones that wait. Returns the `pk` of each kind. */
async function addUploads(
  app: TestApp,
  { size, accountId, addonId }: { size: number; accountId: number; addonId: number },
): Promise<Record<'pk' | 'waiting', string>> {
  const message = { id: ['rule'], type: 'warning', message: 'A message', description: '', file: 'a.js', column: 1 };
  const messages = times(size, (index) => ({ ...message, line: index + 1 }));
  const uploads = await app.sql<{ pk: string }>(
    `INSERT INTO upload (pk, addon_id, version_id, account_id, file_name, validation)
     SELECT md5(random()::text), addon_id, id, $1, 'x.xpi', $3 FROM version WHERE addon_id = $2 ORDER BY id RETURNING pk`,
    [accountId, addonId, { errors: 0, warnings: size, notices: 0, messages }],
  );
  const waiting = await app.sql<{ pk: string }>(
    `INSERT INTO upload (pk, account_id, file_name, channel, stage, sha256, size, manifest, expires)
     SELECT md5(random()::text), $1, 'x.xpi', 'listed', 'valid', repeat('0', 64), 1, $2, now() + interval '1 day'
     FROM generate_series(1, $3::int) RETURNING pk`,
    [accountId, manifestOf(size), size],
  );
  return { pk: uploads[0]?.pk ?? '', waiting: waiting[0]?.pk ?? '' };
}

const manifestOf = (size: number) => ({
  ...{ guid: `new-${size}@example`, version: '9.0', type: 'extension', isVendorSigned: false },
  ...{ defaultLocale: null, name: { 'en-US': 'New' }, summary: {} },
});

const ADDRESSES: Readonly<Record<string, (world: PageWorld) => string>> = {
  '/search/': () => '/search/?tag=pen&sort=users',
  '/search/suggest': () => '/search/suggest?q=pen',
  '/report/': () => '/report/?guid=unknown@example',
  '/account/collections/:slug/': () => '/account/collections/mine/',
  '/replacements/': ({ name }) => `/replacements/?guid=old-${name.split(' ')[1]}@example`,
  '/reviewers/author/:username/': ({ values }) => `/reviewers/author/${values.username}/`,
  '/reviewers/canned/:id/': ({ idOf }) => `/reviewers/canned/${idOf.canned}/`,
  '/admin/categories/edit/': () => '/admin/categories/edit/?app=desktop_browser&type=extension&slug=tools-0',
  '/admin/licenses/edit/': () => '/admin/licenses/edit/?builtin=MIT',
  '/admin/overrides/edit/': ({ name }) => `/admin/overrides/edit/?guid=over-${name.split(' ')[1]}-1@example`,
  '/admin/collections/edit/': () => '/admin/collections/edit/?path=list',
  '/admin/replacements/edit/': ({ name }) => `/admin/replacements/edit/?guid=old-${name.split(' ')[1]}@example`,
  '/admin/discovery/edit/': ({ name }) =>
    `/admin/discovery/edit/?edition=of-${name.split(' ')[1]}&addon=pencil-${name.split(' ')[1]}@example`,
  '/admin/hero/edit/': ({ name }) => `/admin/hero/edit/?id=${1000 * Number(name.split(' ')[1]) + 1}`,
  '/admin/browser-mappings/edit/': ({ name }) =>
    `/admin/browser-mappings/edit/?browser=chrome&extension=${name.split(' ')[1]}-1`,
  '/reviewers/queue/:part/': () => '/reviewers/queue/listed/',
  '/login/': () => '/login/?next=/docs/',
  '/docs/api/:version/': () => '/docs/api/v4/',
  '/docs/api/:version/try/': () => '/docs/api/v4/try/',
  '/developers/submit/:pk/': ({ waiting }) => `/developers/submit/${waiting}/`,
  '/developers/addon/:ref/versions/:id/': ({ values, idOf }) =>
    `/developers/addon/${values.ref}/versions/${idOf.version}/`,
  '/developers/file/:id/:name': ({ idOf }) => `/developers/file/${idOf.file}/x.xpi`,
  ...STAFF_ADDRESSES,
  '/moderation/:id/': ({ values }) => `/moderation/${values.number}/`,
  '/account/keys/:id/revoke/': ({ idOf }) => `/account/keys/${idOf.key}/revoke/`,
};

/** The address of a row of the page table; `ref` names another add-on. @throws {Error} for a row without sample. */
export function addressOf(path: string, world: PageWorld, ref?: string): string {
  const given = ADDRESSES[path];
  if (given !== undefined) return given(world);
  return path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = parameter === 'ref' ? (ref ?? world.values.ref) : world.values[parameter];
    if (value === undefined) throw new Error(`The page ${path} has no sample: add one to test/support/page-world.ts.`);
    return encodeURIComponent(value);
  });
}
