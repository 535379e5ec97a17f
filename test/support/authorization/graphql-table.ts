/* Who may read each query field, and run each mutation. */
import { globalId } from '../global-ids.ts';
import { badFile, EVERYONE, type Role, SIGNED_IN, type World } from './world.ts';

export interface GraphqlCase {
  /** The state of the object, for messages. */
  state: string;
  /** The arguments of the field. */
  values(world: World): object | Promise<object>;
  allowed: readonly Role[];
  /** The code that signed-in roles get; NOT_PERMITTED by default. */
  refusal?: 'NOT_FOUND' | 'NOT_AUTHENTICATED';
  /** The code that anonymous clients get; NOT_AUTHENTICATED by default. */
  anonymous?: 'NOT_FOUND';
  /** Whether the object does not exist, so that allowed roles get NOT_FOUND. */
  isMissing?: true;
}

type Options = Pick<GraphqlCase, 'refusal' | 'anonymous' | 'isMissing'>;

const query = (values: object, allowed: readonly Role[] = EVERYONE): GraphqlCase[] => [
  { state: 'any', values: () => values, allowed },
];

const ADMINS: Role[] = ['accountAdmin', 'root'];

/** By field of `Query`. The tables of object states have those that they cover, for more roles and states. */
export const QUERY_TABLE: Readonly<Record<string, readonly GraphqlCase[]>> = {
  abuseReportStatus: [
    { state: 'unknown', values: () => ({ number: 2_000_000_000 }), allowed: EVERYONE, isMissing: true },
  ],
  addons: query({}),
  isCannedResponseKeeper: query({}),
  auditActions: query({}, ['auditor', 'root']),
  auditLog: query({}, ['auditor', 'root']),
  auditVerification: query({}, ['auditor', 'root']),
  autocomplete: query({ q: 'x' }),
  cannedResponses: query({}, [
    'reviewer',
    'themeReviewer',
    'personaReviewer',
    'unlistedReviewer',
    'archivist',
    'chief',
    'root',
  ]),
  applicationVersions: query({ app: 'DESKTOP_BROWSER' }),
  categories: query({}),
  collection: [{ state: 'unknown', values: () => ({ path: 'none' }), allowed: EVERYONE, isMissing: true }],
  compatOverrides: query({}),
  developerAddons: query({}, SIGNED_IN),
  ownData: query({}, SIGNED_IN),
  reviewSubscriptions: query({}, SIGNED_IN),
  featuredAddons: query({ app: 'DESKTOP_BROWSER' }),
  languageTools: query({ app: 'DESKTOP_BROWSER' }),
  licenses: query({}),
  mailingOfLink: query({ token: 'none' }),
  reviewTimes: query({}),
  publishingIssuers: query({}),
  serviceWebhooks: query({}, ['operator', 'root']),
  sitemap: query({}),
  discovery: query({}),
  hero: query({}),
  browserMappings: query({ browser: 'chrome' }),
  recommendations: query({}),
  replacements: query({}),
  reviewedAuthor: query({ by: { username: 'unknown' } }, [
    ...(['reviewer', 'themeReviewer', 'personaReviewer', 'unlistedReviewer', 'archivist', 'root'] as const),
  ]),
  ratingsToModerateByAddon: query({}, ['moderator', 'editor', 'root']),
  reviewQueueParts: query({}),
  search: query({}),
  job: [
    { state: 'ended', values: () => ({ id: globalId('Job', 2e9) }), allowed: ['operator', 'root'], isMissing: true },
  ],
  jobStatus: [
    { state: 'unknown', values: () => ({ id: globalId('Job', 2e9) }), allowed: ['operator', 'root'], isMissing: true },
  ],
  categoryUses: query({ app: 'DESKTOP_BROWSER' }, ['catalogueKeeper', 'root']),
  licenseUses: query({}, ['catalogueKeeper', 'root']),
  collections: query({}, ['curator', 'root']),
  featuredEntries: query({}, ['curator', 'root']),
  discoveryEntries: query({}, ['curator', 'root']),
  heroEntries: query({}, ['curator', 'root']),
  heroEntry: query({ id: globalId('HeroEntry', 2e9) }, ['curator', 'root']),
  recommendationFallback: query({}, ['curator', 'root']),
  recommendationFallbackAddons: query({}, ['curator', 'root']),
  jobHealth: query({}, ['operator', 'root']),
  jobs: query({}, ['operator', 'root']),
  serviceHealth: query({}, ['operator', 'root']),
  serviceState: query({}),
  signatureLog: query({}),
  signatureLogEntry: [{ state: 'unknown', values: () => ({ serial: '00' }), allowed: EVERYONE, isMissing: true }],
  signingRoot: query({}),
  viewer: query({}),
  waitingWork: query({}),
};

const change = (values: GraphqlCase['values'], allowed: readonly Role[], options: Options = {}): GraphqlCase[] => [
  { state: 'any', values, allowed, ...options },
];

const KEEPERS: Role[] = ['catalogueKeeper', 'root'];
const CURATORS: Role[] = ['curator', 'root'];
const category = { app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'none' };
const texts = [{ locale: 'en-US', value: 'x' }];
const otherAccount = async (world: World) => globalId('Account', await world.account());

/** By mutation; `values` is its input, which other suites use, too. The tables of object states have the others that take an object. */
export const MUTATION_TABLE: Readonly<Record<string, readonly GraphqlCase[]>> = {
  acceptDeveloperAgreement: change(() => ({}), SIGNED_IN),
  addApplicationVersion: change(() => ({ app: 'DESKTOP_BROWSER', version: '999.0' }), KEEPERS),
  addGroupMember: [
    {
      state: 'without rules',
      values: async (world) => ({ group: globalId('Group', await world.group()), account: await otherAccount(world) }),
      allowed: ['groupAdmin', 'root'],
    },
    {
      state: 'with a rule that the viewer lacks',
      values: async (world) => ({
        group: globalId('Group', await world.group('Users:Edit')),
        account: await otherAccount(world),
      }),
      allowed: ['root'],
    },
  ],
  createApiKey: change(() => ({}), SIGNED_IN),
  createPersona: change(
    () => ({
      category: globalId('Category', 1),
      header: badFile(),
      license: globalId('License', 1),
      name: texts,
      summary: texts,
    }),
    SIGNED_IN,
  ),
  createUpload: change(() => ({ file: badFile(), channel: 'UNLISTED' }), SIGNED_IN),
  decideAbuseReport: change(
    async (world) => ({ id: globalId('AbuseReport', await world.report()), state: 'VALID' }),
    ['moderator', 'root'],
  ),
  deleteAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  deleteCategory: change(() => category, KEEPERS, { isMissing: true }),
  createLineComment: change(() => ({ version: globalId('Version', 2e9), path: 'x', line: 1, text: 'x' }), [], {
    refusal: 'NOT_FOUND',
  }),
  reviewVersions: change(() => ({ act: 'APPROVE', versions: [{ id: globalId('Version', 2e9) }] }), [], {
    refusal: 'NOT_FOUND',
  }),
  deleteLineComment: change(() => ({ id: globalId('LineComment', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  updateLineComment: change(() => ({ id: globalId('LineComment', 2e9), text: 'x' }), [], { refusal: 'NOT_FOUND' }),
  deleteLicense: change(() => ({ builtin: 'none' }), KEEPERS, { isMissing: true }),
  deletePreview: change(() => ({ id: globalId('Preview', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  disableAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  enableAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  endOtherSessions: change(() => ({}), SIGNED_IN),
  linkIdentity: change(() => ({}), [], { refusal: 'NOT_FOUND' }),
  recordStatistics: change(() => ({ rows: [] }), KEEPERS),
  removeIdentity: change(() => ({ id: globalId('AccountIdentity', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  removeGroupMember: change(
    async (world) => ({ group: globalId('Group', await world.group()), account: await otherAccount(world) }),
    ['groupAdmin', 'root'],
  ),
  addTrustedPublisher: change(() => ({ addon: globalId('Addon', 2e9), issuer: 'x', subject: 'x' }), SIGNED_IN, {
    isMissing: true,
  }),
  createWebhook: change(() => ({ url: 'x', events: [] }), ['operator', 'root']),
  updateWebhook: change(() => ({ id: globalId('Webhook', 2e9) }), SIGNED_IN, { isMissing: true }),
  replaceWebhookSecret: change(() => ({ id: globalId('Webhook', 2e9) }), SIGNED_IN, { isMissing: true }),
  endPreviousWebhookSecret: change(() => ({ id: globalId('Webhook', 2e9) }), SIGNED_IN, { isMissing: true }),
  removeWebhook: change(() => ({ id: globalId('Webhook', 2e9) }), SIGNED_IN, { isMissing: true }),
  replayWebhookDelivery: change(() => ({ id: globalId('WebhookDelivery', 2e9) }), SIGNED_IN, { isMissing: true }),
  exchangePublisherToken: change(() => ({ guid: 'x@example', token: 'x' }), [], { refusal: 'NOT_AUTHENTICATED' }),
  removeTrustedPublisher: change(() => ({ id: globalId('TrustedPublisher', 2e9) }), SIGNED_IN, { isMissing: true }),
  resendAuthorInvitation: change(() => ({ id: globalId('AuthorInvitation', 2e9) }), SIGNED_IN, { isMissing: true }),
  dropJob: change(() => ({ id: globalId('Job', 2e9) }), ['operator', 'root'], { isMissing: true }),
  retryJob: change(() => ({ id: globalId('Job', 2e9) }), ['operator', 'root'], { isMissing: true }),
  revokeApiKey: change(() => ({ id: globalId('ApiKey', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  setAccountPicture: change(async (world) => ({ id: await otherAccount(world), file: badFile() }), ADMINS),
  createCannedResponse: change(() => ({ name: '', text: texts }), ['chief', 'root']),
  upsertCategory: change(() => ({ ...category, slug: '' }), KEEPERS),
  createCollection: change(() => ({ slug: '' }), SIGNED_IN),
  upsertCollection: change(() => ({ path: '', guids: [] }), CURATORS),
  deleteCollection: change(() => ({ path: '' }), CURATORS),
  upsertCompatOverride: change(() => ({ guid: 'x@example', versionRanges: [] }), CURATORS),
  deleteCompatOverride: change(() => ({ guid: 'x@example' }), CURATORS),
  createGroup: change(() => ({ name: '' }), ['groupAdmin', 'root']),
  updateGroup: change(() => ({ id: globalId('Group', 2e9), name: '' }), ['groupAdmin', 'root'], { isMissing: true }),
  upsertLicense: change(() => ({ builtin: '' }), KEEPERS),
  setReadOnly: change(() => ({ isReadOnly: false }), ['operator', 'root']),
  setSiteNotice: change(() => ({ text: [] }), ['operator', 'root']),
  setDiscovery: change(() => ({ entries: [] }), CURATORS),
  upsertDiscoveryEntry: change(() => ({ addon: { databaseId: 2e9 } }), CURATORS),
  deleteDiscoveryEntry: change(() => ({ addon: { databaseId: 2e9 } }), CURATORS),
  upsertBrowserMapping: change(() => ({ browser: '', extensionId: '', addonGuid: '' }), CURATORS),
  deleteBrowserMapping: change(() => ({ browser: '', extensionId: '' }), CURATORS),
  createHeroEntry: change(() => ({ gradientStart: '', gradientEnd: '' }), CURATORS),
  updateHeroEntry: change(() => ({ id: globalId('HeroEntry', 2e9) }), CURATORS, { isMissing: true }),
  deleteHeroEntry: change(() => ({ id: globalId('HeroEntry', 2e9) }), CURATORS),
  updateHeroSecondary: change(() => ({}), CURATORS),
  setHero: change(() => ({}), CURATORS),
  setBrowserMappings: change(() => ({ browser: 'other', mappings: [] }), CURATORS),
  setRecommendationFallback: change(() => ({ guids: [] }), CURATORS),
  upsertReplacement: change(() => ({ guid: 'x@example', target: { guids: [] } }), CURATORS),
  deleteReplacement: change(() => ({ guid: 'x@example' }), CURATORS),
  signOut: change(() => ({}), SIGNED_IN),
  submitAddon: change(() => ({ file: badFile(), version: '1.0' }), SIGNED_IN),
  unsubscribe: change(() => ({ token: 'x' }), [], { refusal: 'NOT_FOUND', anonymous: 'NOT_FOUND' }),
  updateAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  updateNotifications: change(async (world) => ({ id: await otherAccount(world), changes: [] }), ADMINS),
  updatePreview: change(() => ({ id: globalId('Preview', 2e9) }), [], { refusal: 'NOT_FOUND' }),
};
