/* Who may read each query field, and run each mutation. */
import { globalId } from '../global-ids.ts';
import { badFile, EDITORS, EVERYONE, INSPECTORS, type Role, SIGNED_IN, type World } from './world.ts';

export interface GraphqlCase {
  /** The state of the object, for messages. */
  state: string;
  /** The arguments of the field. */
  values(world: World): object | Promise<object>;
  allowed: readonly Role[];
  /** The code that signed-in roles get; NOT_PERMITTED by default. */
  refusal?: 'NOT_FOUND';
  /** The code that anonymous clients get; NOT_AUTHENTICATED by default. */
  anonymous?: 'NOT_FOUND';
  /** Whether the object does not exist, so that allowed roles get NOT_FOUND. */
  isMissing?: true;
}

type Options = Pick<GraphqlCase, 'refusal' | 'anonymous' | 'isMissing'>;

const HIDDEN: Options = { refusal: 'NOT_FOUND', anonymous: 'NOT_FOUND' };

const query = (values: object, allowed: readonly Role[] = EVERYONE): GraphqlCase[] => [
  { state: 'any', values: () => values, allowed },
];

const SEES_HIDDEN: Role[] = [...EDITORS, ...INSPECTORS, 'unlistedReviewer'];
const ADMINS: Role[] = ['accountAdmin', 'root'];

const account = (state: string, idOf: (world: World) => unknown, allowed: readonly Role[]): GraphqlCase => ({
  ...{ state, allowed, ...HIDDEN },
  values: async (world) => ({ by: { databaseId: await idOf(world) } }),
});

/** By field of `Query`; object-fields.ts has those that take an add-on or a version. */
export const QUERY_TABLE: Readonly<Record<string, readonly GraphqlCase[]>> = {
  abuseReportStatus: [
    { state: 'unknown', values: () => ({ number: 2_000_000_000 }), allowed: EVERYONE, isMissing: true },
  ],
  abuseReports: query({}, ['moderator', 'root']),
  account: [
    account('public', ({ clients }) => clients.owner.accountId, EVERYONE),
    account('own', ({ clients }) => clients.stranger.accountId, ['stranger', ...ADMINS]),
    account('of another', (world) => world.account(), ADMINS),
    account('unknown', () => 2_000_000_000, []),
  ],
  addons: query({}),
  auditLog: query({}, ['auditor', 'root']),
  authorInvitations: query({}, SIGNED_IN),
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
  featuredAddons: query({ app: 'DESKTOP_BROWSER' }),
  groups: query({}, ['groupAdmin', 'root']),
  languageTools: query({ app: 'DESKTOP_BROWSER' }),
  licenses: query({}),
  mailingOfLink: query({ token: 'none' }),
  mailOutbox: query({}, ['mailKeeper', 'root']),
  reviewTimes: query({}),
  sitemap: query({}),
  node: [
    {
      state: 'own account',
      values: ({ clients }) => ({ id: globalId('Account', clients.stranger.accountId) }),
      allowed: ['stranger', ...ADMINS],
      ...HIDDEN,
    },
    {
      state: 'waiting add-on',
      values: ({ addons }) => ({ id: globalId('Addon', addons.waiting.id) }),
      allowed: SEES_HIDDEN,
      ...HIDDEN,
    },
    {
      state: 'group',
      values: async (world) => ({ id: globalId('Group', await world.group()) }),
      allowed: ['accountAdmin', 'groupAdmin', 'root'],
      ...HIDDEN,
    },
    {
      state: 'report',
      values: async (world) => ({ id: globalId('AbuseReport', await world.report()) }),
      allowed: ['moderator', 'root'],
      ...HIDDEN,
    },
  ],
  recommendations: query({}),
  replacements: query({}),
  reviewQueue: query({}),
  reviewQueueParts: query({}),
  search: query({}),
  job: [
    { state: 'ended', values: () => ({ id: globalId('Job', 2e9) }), allowed: ['operator', 'root'], isMissing: true },
  ],
  jobs: query({}, ['operator', 'root']),
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

/** invitation-states.ts has those that exist. */
const UNKNOWN_INVITATION: GraphqlCase[] = [
  {
    ...{ state: 'unknown', allowed: SIGNED_IN, isMissing: true },
    values: () => ({ id: globalId('AuthorInvitation', 2_000_000_000) }),
  },
];

/** By mutation, `values` is its input; object-mutations.ts has those that take an add-on or a version. */
export const MUTATION_TABLE: Readonly<Record<string, readonly GraphqlCase[]>> = {
  acceptAuthorInvitation: UNKNOWN_INVITATION,
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
  declineAuthorInvitation: UNKNOWN_INVITATION,
  deleteAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  deleteCannedResponse: change(() => ({ id: globalId('CannedResponse', 2e9) }), ['chief', 'root'], { isMissing: true }),
  deleteCategory: change(() => category, KEEPERS, { isMissing: true }),
  deleteLicense: change(() => ({ builtin: 'none' }), KEEPERS, { isMissing: true }),
  deletePreview: change(() => ({ id: globalId('Preview', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  disableAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  enableAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  endOtherSessions: change(() => ({}), SIGNED_IN),
  endUpdateAddress: change(() => ({ id: globalId('UpdateAddress', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  endSession: change(() => ({ id: globalId('Session', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  linkIdentity: change(() => ({}), [], { refusal: 'NOT_FOUND' }),
  recordStatistics: change(() => ({ rows: [] }), KEEPERS),
  removeIdentity: change(() => ({ id: globalId('AccountIdentity', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  removeGroupMember: change(
    async (world) => ({ group: globalId('Group', await world.group()), account: await otherAccount(world) }),
    ['groupAdmin', 'root'],
  ),
  replyToAbuseReport: change(
    async (world) => ({ id: globalId('AbuseReport', await world.report()), text: 'x' }),
    ['moderator', 'root'],
  ),
  reportAccount: change(() => ({ account: { databaseId: 1 }, message: 'x' }), EVERYONE),
  reportAddon: change(() => ({ addon: { guid: 'x@example' }, message: 'x' }), EVERYONE),
  resendAuthorInvitation: UNKNOWN_INVITATION,
  dropJob: change(() => ({ id: globalId('Job', 2e9) }), ['operator', 'root'], { isMissing: true }),
  retryJob: change(() => ({ id: globalId('Job', 2e9) }), ['operator', 'root'], { isMissing: true }),
  retryMail: change(() => ({ id: globalId('OutgoingMail', 2e9) }), ['mailKeeper', 'root'], { isMissing: true }),
  revokeApiKey: change(() => ({ id: globalId('ApiKey', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  setAccountPicture: change(async (world) => ({ id: await otherAccount(world), file: badFile() }), ADMINS),
  createCannedResponse: change(() => ({ name: '', text: texts }), ['chief', 'root']),
  updateCannedResponse: change(
    () => ({ id: globalId('CannedResponse', 2e9), name: '', text: texts }),
    ['chief', 'root'],
    { isMissing: true },
  ),
  upsertCategory: change(() => ({ ...category, slug: '' }), KEEPERS),
  upsertCollection: change(() => ({ path: '', guids: [] }), CURATORS),
  deleteCollection: change(() => ({ path: '' }), CURATORS),
  upsertCompatOverride: change(() => ({ guid: 'x@example', versionRanges: [] }), CURATORS),
  deleteCompatOverride: change(() => ({ guid: 'x@example' }), CURATORS),
  createGroup: change(() => ({ name: '' }), ['groupAdmin', 'root']),
  updateGroup: change(() => ({ id: globalId('Group', 2e9), name: '' }), ['groupAdmin', 'root'], { isMissing: true }),
  upsertLicense: change(() => ({ builtin: '' }), KEEPERS),
  setReadOnly: change(() => ({ isReadOnly: false }), ['operator', 'root']),
  setRecommendationFallback: change(() => ({ guids: [] }), CURATORS),
  upsertReplacement: change(() => ({ guid: 'x@example', target: { guids: [] } }), CURATORS),
  deleteReplacement: change(() => ({ guid: 'x@example' }), CURATORS),
  signOut: change(() => ({}), SIGNED_IN),
  submitAddon: change(() => ({ file: badFile(), version: '1.0' }), SIGNED_IN),
  unsubscribe: change(() => ({ token: 'x' }), [], { refusal: 'NOT_FOUND', anonymous: 'NOT_FOUND' }),
  updateAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  updateNotifications: change(async (world) => ({ id: await otherAccount(world), changes: [] }), ADMINS),
  updatePreview: change(() => ({ id: globalId('Preview', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  withdrawAuthorInvitation: UNKNOWN_INVITATION,
};
