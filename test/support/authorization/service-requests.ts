/* Arguments, inputs and addresses for “the service” of test/authorization: what no object of a kind is needed for. */
import { globalId } from '../global-ids.ts';
import { makeJob } from '../jobs.ts';
import { unknownId } from './kinds.ts';
import { badFile, type World } from './world.ts';

type Given = (world: World) => object | Promise<object>;

const ofBrowser = () => ({ app: 'DESKTOP_BROWSER' });

/** The arguments of fields of Query; none by default. */
export const ARGUMENTS: Readonly<Record<string, Given>> = {
  abuseReportStatus: () => ({ number: 2_000_000_000 }),
  autocomplete: () => ({ q: 'x' }),
  auditSubjects: () => ({ text: 'x' }),
  moderatedAccount: () => ({ text: 'x', part: 'REPORTED' }),
  moderatedAddon: () => ({ text: 'x' }),
  ...{ applicationVersions: ofBrowser, featuredAddons: ofBrowser, languageTools: ofBrowser, categoryUses: ofBrowser },
  collection: () => ({ path: 'none' }),
  mailingOfLink: () => ({ token: 'none' }),
  browserMappings: () => ({ browser: 'chrome' }),
  reviewedAuthor: () => ({ by: { username: 'unknown' } }),
  ...{ job: () => ({ id: unknownId('Job') }), jobStatus: () => ({ id: unknownId('Job') }) },
  heroEntry: () => ({ id: unknownId('HeroEntry') }),
  signatureLogEntry: () => ({ serial: '00' }),
};

const category = { app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'none' };
const texts = [{ locale: 'en-US', value: 'x' }];
const none = () => ({});
const unknown =
  (type: string, more: object = {}): Given =>
  () => ({ id: unknownId(type), ...more });
const otherAccount = async (world: World) => globalId('Account', await world.account());
const ofOther =
  (more: object = {}): Given =>
  async (world) => ({ id: await otherAccount(world), ...more });
const member =
  (...rules: string[]): Given =>
  async (world) => ({ group: globalId('Group', await world.group(...rules)), account: await otherAccount(world) });

/** The inputs of mutations, which other suites use, too. A state other than `any` and `unknown` is after a comma. */
export const INPUTS: Readonly<Record<string, Given>> = {
  ...{ acceptDeveloperAgreement: none, createApiKey: none, endOtherSessions: none, linkIdentity: none, signOut: none },
  ...{ setHero: none, updateHeroSecondary: none },
  addApplicationVersion: () => ({ app: 'DESKTOP_BROWSER', version: '999.0' }),
  ...{ addGroupMember: member(), 'addGroupMember, withRule': member('Users:Edit'), removeGroupMember: member() },
  createPersona: () => ({
    ...{ category: globalId('Category', 1), license: globalId('License', 1), header: badFile() },
    ...{ name: texts, summary: texts },
  }),
  createUpload: () => ({ file: badFile(), channel: 'UNLISTED' }),
  decideAbuseReport: async (world) => ({ id: globalId('AbuseReport', await world.report()), state: 'VALID' }),
  ...{ deleteAccount: ofOther(), disableAccount: ofOther(), enableAccount: ofOther(), updateAccount: ofOther() },
  ...{ setAccountPicture: ofOther({ file: badFile() }), updateNotifications: ofOther({ changes: [] }) },
  ...{ deleteCategory: () => category, upsertCategory: () => ({ ...category, slug: '' }) },
  ...{ deleteLicense: () => ({ builtin: 'none' }), upsertLicense: () => ({ builtin: '' }) },
  createLineComment: () => ({ version: unknownId('Version'), path: 'x', line: 1, text: 'x' }),
  updateLineComment: unknown('LineComment', { text: 'x' }),
  deleteLineComment: unknown('LineComment'),
  reviewVersions: () => ({ act: 'APPROVE', versions: [{ id: unknownId('Version') }] }),
  ...{ deletePreview: unknown('Preview'), updatePreview: unknown('Preview') },
  recordStatistics: () => ({ rows: [] }),
  removeIdentity: unknown('AccountIdentity'),
  addTrustedPublisher: () => ({ addon: unknownId('Addon'), issuer: 'x', subject: 'x' }),
  removeTrustedPublisher: unknown('TrustedPublisher'),
  exchangePublisherToken: () => ({ guid: 'x@example', token: 'x' }),
  createWebhook: () => ({ url: 'x', events: [] }),
  ...{ updateWebhook: unknown('Webhook'), replaceWebhookSecret: unknown('Webhook') },
  ...{ endPreviousWebhookSecret: unknown('Webhook'), removeWebhook: unknown('Webhook') },
  replayWebhookDelivery: unknown('WebhookDelivery'),
  resendAuthorInvitation: unknown('AuthorInvitation'),
  ...{ dropJob: unknown('Job'), retryJob: unknown('Job') },
  revokeApiKey: unknown('ApiKey'),
  createCannedResponse: () => ({ name: '', text: texts }),
  createCollection: () => ({ slug: '' }),
  ...{ upsertCollection: () => ({ path: '', guids: [] }), deleteCollection: () => ({ path: '' }) },
  upsertCompatOverride: () => ({ guid: 'x@example', versionRanges: [] }),
  deleteCompatOverride: () => ({ guid: 'x@example' }),
  ...{ createGroup: () => ({ name: '' }), updateGroup: unknown('Group', { name: 'x' }) },
  setReadOnly: () => ({ isReadOnly: false }),
  setSiteNotice: () => ({ text: [] }),
  setDiscovery: () => ({ entries: [] }),
  upsertDiscoveryEntry: () => ({ addon: { databaseId: 2e9 } }),
  deleteDiscoveryEntry: () => ({ addon: { databaseId: 2e9 } }),
  upsertBrowserMapping: () => ({ browser: '', extensionId: '', addonGuid: '' }),
  deleteBrowserMapping: () => ({ browser: '', extensionId: '' }),
  setBrowserMappings: () => ({ browser: 'other', mappings: [] }),
  createHeroEntry: () => ({ gradientStart: '', gradientEnd: '' }),
  ...{ updateHeroEntry: unknown('HeroEntry'), deleteHeroEntry: unknown('HeroEntry') },
  setRecommendationFallback: () => ({ guids: [] }),
  upsertReplacement: () => ({ guid: 'x@example', target: { guids: [] } }),
  deleteReplacement: () => ({ guid: 'x@example' }),
  submitAddon: () => ({ file: badFile(), version: '1.0' }),
  unsubscribe: () => ({ token: 'x' }),
};

type Address = (world: World) => string | Promise<string>;

/** The address with the id of a row that this adds. */
const withRow =
  (path: string, insert: string): Address =>
  async ({ app }) => {
    const [row] = await app.sql<{ id: number | string }>(`${insert} RETURNING id`);
    return path + row?.id;
  };

/** Addresses of routes, below the version of the API, and of pages; by default the path. */
export const ADDRESSES: Readonly<Record<string, Address>> = {
  'GET /addons/autocomplete/': () => '/addons/autocomplete/?q=x',
  'GET /addons/featured/': () => '/addons/featured/?app=desktop_browser',
  'GET /addons/language-tools/': () => '/addons/language-tools/?app=desktop_browser',
  'GET /ratings/rating/': () => '/ratings/rating/?user=2000000000',
  'GET /addons/browser-mappings/': () => '/addons/browser-mappings/?browser=chrome',
  'GET /themes/update-check/:id': () => '/themes/update-check/2000000000',
  // For guids that no add-on has.
  'PUT /addons/addon/:guid/': () => '/addons/addon/unknown@example/',
  'PUT /addons/addon/:guid/, noGuid': () => '/addons/addon/no-guid/',
  '/reviewers/queue/:part/': () => '/reviewers/queue/listed/',
  '/reviewers/author/:username/': async ({ app, clients }) => {
    const values = [clients.owner.accountId];
    const [row] = await app.sql<{ username: string }>('SELECT username FROM account WHERE id = $1', values);
    return `/reviewers/author/${row?.username}/`;
  },
  '/reviewers/canned/:id/': async (world) => {
    const insert = `INSERT INTO canned_response (name, text) VALUES ('Of roles', '{"en-US": "x"}')`;
    return `${await withRow('/reviewers/canned/', insert)(world)}/`;
  },
  '/moderation/:id/': async (world) => `/moderation/${await world.report()}/`,
  '/admin/jobs/:job/': async ({ app }) => `/admin/jobs/${await makeJob(app)}/`,
  '/admin/webhooks/:id/': async (world) => {
    const insert = `INSERT INTO webhook (url, sealed_secret, actions) VALUES ('https://x.example/', '', '{}')`;
    return `${await withRow('/admin/webhooks/', insert)(world)}/`;
  },
  '/admin/collections/edit/': async ({ app }) => {
    await app.sql("INSERT INTO collection (path, guids) VALUES ('of-roles', '{x@example}')");
    return '/admin/collections/edit/?path=of-roles';
  },
  '/admin/replacements/edit/': async ({ app }) => {
    await app.sql("INSERT INTO replacement (guid, path) VALUES ('of-roles@legacy', '/addon/x/')");
    return '/admin/replacements/edit/?guid=of-roles%40legacy';
  },
  '/admin/discovery/edit/': async ({ app, addons }) => {
    await app.sql('INSERT INTO discovery_entry (position, addon_id) VALUES (0, $1)', [addons.public.id]);
    return `/admin/discovery/edit/?addon=${encodeURIComponent(addons.public.guid)}`;
  },
  '/admin/hero/edit/': withRow(
    '/admin/hero/edit/?id=',
    `INSERT INTO hero_entry (position, external, gradient_start, gradient_end)
     VALUES (0, '{"name":"x","homepage":"https://x.example/","guid":"","type":"extension"}', '#000000', '#000000')`,
  ),
  '/admin/browser-mappings/edit/': async ({ app }) => {
    const columns = 'browser, extension_id, addon_guid';
    await app.sql(`INSERT INTO browser_mapping (${columns}) VALUES ('chrome', 'of-roles', 'x@y')`);
    return '/admin/browser-mappings/edit/?browser=chrome&extension=of-roles';
  },
  '/admin/overrides/edit/': async ({ app }) => {
    await app.sql("INSERT INTO compat_override (guid) VALUES ('of-roles@legacy')");
    return '/admin/overrides/edit/?guid=of-roles%40legacy';
  },
  '/admin/categories/edit/': () => '/admin/categories/edit/?app=desktop_browser&type=extension&slug=other',
  '/admin/licenses/edit/': () => '/admin/licenses/edit/?builtin=MIT',
  '/admin/users/:id/': async (world) => `/admin/users/${await world.account()}/`,
  '/admin/groups/:id/': async (world) => `/admin/groups/${await world.group()}/`,
  '/admin/mail/:id/': async (world) => {
    const columns = 'address, cause, subject, text, html';
    const insert = `INSERT INTO outgoing_mail (${columns}) VALUES ('x@example.org', 'x', 'x', 'x', 'x')`;
    return `${await withRow('/admin/mail/', insert)(world)}/`;
  },
};
