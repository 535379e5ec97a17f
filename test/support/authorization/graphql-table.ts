/* Who may read each query field, and run each mutation. */
import { globalId } from '../global-ids.ts';
import {
  AUTHORS,
  badFile,
  EDITORS,
  EVERYONE,
  INSPECTORS,
  type Role,
  SIGNED_IN,
  type State,
  versionId,
  type World,
} from './world.ts';

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
const SEES_UNLISTED: Role[] = [...EDITORS, 'unlistedReviewer'];
const ADMINS: Role[] = ['accountAdmin', 'root'];

const ref = (state: State, allowed: readonly Role[], options: Options = {}): GraphqlCase => ({
  ...{ state, allowed, ...options },
  values: ({ addons }) => ({ ref: addons[state].slug }),
});

const note = (allowed: readonly Role[]): GraphqlCase => ({
  ...{ state: 'waiting', allowed },
  values: ({ addons, noteId }) => ({ version: versionId(addons.waiting), id: noteId }),
});

const account = (state: string, idOf: (world: World) => unknown, allowed: readonly Role[]): GraphqlCase => ({
  ...{ state, allowed, ...HIDDEN },
  values: async (world) => ({ ref: String(await idOf(world)) }),
});

/** By field of `Query`. */
export const QUERY_TABLE: Readonly<Record<string, readonly GraphqlCase[]>> = {
  abuseReports: query({}, ['moderator', 'root']),
  account: [
    account('public', ({ clients }) => clients.owner.accountId, EVERYONE),
    account('own', ({ clients }) => clients.stranger.accountId, ['stranger', ...ADMINS]),
    account('of another', (world) => world.account(), ADMINS),
    account('unknown', () => 2_000_000_000, []),
  ],
  addon: [
    ref('public', EVERYONE),
    ref('disabled', SEES_HIDDEN),
    ref('disabledByDeveloper', SEES_HIDDEN),
    ref('waiting', SEES_HIDDEN),
    ref('unlisted', SEES_UNLISTED),
    ref('waitingUnlisted', SEES_UNLISTED),
    ref('deleted', ['archivist', 'root'], HIDDEN),
  ],
  addons: query({}),
  auditLog: query({}, ['auditor', 'root']),
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
  categories: query({}),
  compatOverrides: query({}),
  featuredAddons: query({ app: 'DESKTOP_BROWSER' }),
  groups: query({}, ['groupAdmin', 'root']),
  languageTools: query({ app: 'DESKTOP_BROWSER' }),
  licenses: query({}),
  mailOutbox: query({}, ['mailKeeper', 'root']),
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
  reviewNote: [note([...AUTHORS, ...INSPECTORS, 'unlistedReviewer'])],
  reviewQueue: query({}),
  search: query({}),
  serviceState: query({}),
  signatureLog: query({}),
  upload: [{ state: 'by number', values: ({ upload: { guid } }) => ({ guid, version: '1.0' }), allowed: EDITORS }],
  version: [
    { state: 'public', values: ({ addons }) => ({ id: versionId(addons.public) }), allowed: EVERYONE },
    {
      state: 'deleted',
      values: ({ addons }) => ({ id: versionId(addons.deleted) }),
      allowed: ['archivist', 'root'],
      ...HIDDEN,
    },
  ],
  viewer: query({}),
};

const addonOf =
  (state: State, values: object = {}) =>
  async (world: World): Promise<object> => ({ id: globalId('Addon', (await world.addon(state)).id), ...values });

const change = (values: GraphqlCase['values'], allowed: readonly Role[], options: Options = {}): GraphqlCase[] => [
  { state: 'any', values, allowed, ...options },
];

const KEEPERS: Role[] = ['catalogueKeeper', 'root'];
const CURATORS: Role[] = ['curator', 'root'];
const OWNERS: Role[] = ['owner', 'editor', 'root'];

/** A mutation of reviewers about a version that waits. */
const review = (values: object = {}): GraphqlCase[] => [
  {
    state: 'waiting',
    values: async (world) => ({ id: versionId(await world.addon('waiting')), ...values }),
    allowed: ['reviewer', 'archivist', 'root'],
  },
  {
    state: 'waiting, unlisted',
    values: async (world) => ({ id: versionId(await world.addon('waitingUnlisted')), ...values }),
    allowed: ['unlistedReviewer', 'root'],
  },
];

const category = { app: 'DESKTOP_BROWSER', type: 'EXTENSION', slug: 'none' };
const texts = [{ locale: 'en-US', value: 'x' }];
const otherAccount = async (world: World) => globalId('Account', await world.account());

/** By mutation; `values` is its input. */
export const MUTATION_TABLE: Readonly<Record<string, readonly GraphqlCase[]>> = {
  addAddonAuthor: change(
    async (world) => ({ ...(await addonOf('public')(world)), account: { id: await otherAccount(world) } }),
    OWNERS,
  ),
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
  addPreview: change(async (world) => ({ addon: globalId('Addon', world.addons.public.id), file: badFile() }), EDITORS),
  approveVersion: review(),
  attachSource: change(async (world) => ({ version: versionId(world.addons.public), file: null }), EDITORS),
  claimReview: review(),
  commentOnVersion: review({ comments: 'x' }),
  createApiKey: change(() => ({}), SIGNED_IN),
  createUpdateAddress: change(({ addons }) => ({ guid: addons.unlisted.guid }), AUTHORS),
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
  deleteAddon: change(addonOf('public'), ['owner']),
  deleteCannedResponse: change(() => ({ id: globalId('CannedResponse', 2e9) }), ['chief', 'root'], { isMissing: true }),
  deleteCategory: change(() => category, KEEPERS, { isMissing: true }),
  deleteLicense: change(() => ({ builtin: 'none' }), KEEPERS, { isMissing: true }),
  deletePreview: change(() => ({ id: globalId('Preview', 2e9) }), [], HIDDEN),
  disableAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  enableAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  endUpdateAddress: change(() => ({ id: globalId('UpdateAddress', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  endSession: change(() => ({ id: globalId('Session', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  recordStatistics: change(() => ({ rows: [] }), KEEPERS),
  referVersion: review({ comments: 'x' }),
  rejectVersion: review({ comments: 'x' }),
  removeAddonAuthor: change(
    async (world) => ({
      ...(await addonOf('public')(world)),
      account: globalId('Account', world.clients.developer.accountId),
    }),
    ['developer', ...OWNERS],
  ),
  removeGroupMember: change(
    async (world) => ({ group: globalId('Group', await world.group()), account: await otherAccount(world) }),
    ['groupAdmin', 'root'],
  ),
  reorderAddonAuthors: change(async (world) => ({ ...(await addonOf('public')(world)), accounts: [] }), OWNERS),
  replyToAbuseReport: change(
    async (world) => ({ id: globalId('AbuseReport', await world.report()), text: 'x' }),
    ['moderator', 'root'],
  ),
  replyToReview: [
    {
      state: 'waiting',
      values: async (world) => ({ id: versionId(await world.addon('waiting')), comments: 'x' }),
      allowed: [...AUTHORS, 'reviewer', 'archivist', 'root'],
    },
  ],
  reportAccount: change(() => ({ user: '1', message: 'x' }), EVERYONE),
  reportAddon: change(() => ({ addon: 'x@example', message: 'x' }), EVERYONE),
  requestInformation: review({ comments: 'x' }),
  retryMail: change(() => ({ id: globalId('OutgoingMail', 2e9) }), ['mailKeeper', 'root'], { isMissing: true }),
  reviewPersona: change(() => ({ id: globalId('Addon', 2e9), approve: true }), ['personaReviewer', 'root'], {
    isMissing: true,
  }),
  reviveAddon: change(addonOf('deleted'), ['editor', 'root']),
  revokeApiKey: change(() => ({ id: globalId('ApiKey', 2e9) }), [], { refusal: 'NOT_FOUND' }),
  setAccountPicture: change(async (world) => ({ id: await otherAccount(world), file: badFile() }), ADMINS),
  setAddonDisabled: [
    { state: 'by developers', values: addonOf('public', { by: 'DEVELOPER', disabled: true }), allowed: EDITORS },
    {
      state: 'by operators',
      values: addonOf('public', { by: 'OPERATOR', disabled: true }),
      allowed: ['editor', 'root'],
    },
  ],
  setAddonIcon: change(async (world) => ({ id: globalId('Addon', world.addons.public.id), file: badFile() }), EDITORS),
  setCannedResponse: change(() => ({ name: '', text: texts }), ['chief', 'root']),
  setCategory: change(() => ({ ...category, slug: '' }), KEEPERS),
  setCollection: change(() => ({ path: '', guids: [] }), CURATORS),
  setCompatOverride: change(() => ({ guid: 'x@example', versionRanges: [] }), CURATORS),
  setFeatured: change(addonOf('public', { app: 'DESKTOP_BROWSER', featured: true }), CURATORS),
  setGroup: change(() => ({ name: '' }), ['groupAdmin', 'root']),
  setLicense: change(() => ({ builtin: '' }), KEEPERS),
  setReadOnly: change(() => ({ on: false }), ['operator', 'root']),
  setRecommendationFallback: change(() => ({ guids: [] }), CURATORS),
  setReplacement: change(() => ({ guid: 'x@example' }), CURATORS),
  signOut: change(() => ({}), SIGNED_IN),
  submitAddon: change(() => ({ file: badFile(), version: '1.0' }), SIGNED_IN),
  submitVersion: change(({ addons }) => ({ guid: addons.public.guid, version: '9.0', file: badFile() }), AUTHORS),
  superCreateAccount: change(() => ({}), [], { refusal: 'NOT_FOUND', anonymous: 'NOT_FOUND' }),
  updateAccount: change(async (world) => ({ id: await otherAccount(world) }), ADMINS),
  updateAddon: change(addonOf('public'), EDITORS),
  updateAddonAuthor: change(
    async (world) => ({
      ...(await addonOf('public')(world)),
      account: globalId('Account', world.clients.developer.accountId),
    }),
    OWNERS,
  ),
  updateNotifications: change(async (world) => ({ id: await otherAccount(world), changes: [] }), ADMINS),
  updatePersona: change(addonOf('public'), EDITORS),
  updatePreview: change(() => ({ id: globalId('Preview', 2e9) }), [], HIDDEN),
  updateVersion: change(async (world) => ({ id: versionId(await world.addon('public')) }), EDITORS),
};
