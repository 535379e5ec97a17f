/* Who may call each REST route, by the state of its object. */
import { AUTHORS, EDITORS, EVERYONE, INSPECTORS, type Role, SIGNED_IN, type State, type World } from './world.ts';

export interface RestCase {
  /** The state of the object, for messages. */
  state: string;
  address(world: World): string | Promise<string>;
  allowed: readonly Role[];
  /** What all other roles get; 401 for anonymous clients and 403 for others by default. */
  refusal?: 404 | 403;
  /** What anonymous clients get if it is something else. */
  anonymous?: 401;
}

const one = (address: string, allowed: readonly Role[], refusal?: 404 | 403): RestCase[] => [
  { state: 'any', address: () => address, allowed, ...(refusal ? { refusal } : {}) },
];

const SEES_HIDDEN: Role[] = [...EDITORS, ...INSPECTORS, 'unlistedReviewer'];
const SEES_UNLISTED: Role[] = [...EDITORS, 'unlistedReviewer'];

/** An address below that of an add-on, which is visible as the add-on is. */
const ofAddon = (rest: (world: World, state: State) => string): RestCase[] => {
  const ofState = (state: State, allowed: readonly Role[], refusal?: 404): RestCase => ({
    ...{ state, allowed, address: (world) => `/addons/addon/${world.addons[state].id}/${rest(world, state)}` },
    ...(refusal ? { refusal } : {}),
  });
  // The table of object states has the others.
  return [
    ofState('public', EVERYONE),
    ofState('disabledByDeveloper', SEES_HIDDEN),
    ofState('unlisted', SEES_UNLISTED),
    ofState('deleted', ['archivist', 'root'], 404),
  ];
};

const notes = (state: State, allowed: readonly Role[], refusal?: 404): RestCase => ({
  ...{ state, allowed, ...(refusal ? { refusal } : {}) },
  address: ({ addons }) => `/addons/addon/${addons[state].id}/versions/${addons[state].versions[0]?.id}/reviewnotes/`,
});

const account = (state: string, idOf: (world: World) => unknown, allowed: readonly Role[], refusal?: 404) => ({
  ...{ state, allowed, ...(refusal ? { refusal } : {}) },
  address: async (world: World) => `/accounts/account/${await idOf(world)}/`,
});

/** The source code of a version. Its archive is any file of the store. */
async function waitingSource({ app, addons, upload }: World): Promise<string> {
  const version = addons.waiting.versions[0]?.id;
  await app.sql(
    `insert into version_source (version_id, name, size, sha256) select $1, 'source.zip', size, sha256 from file where id = $2
     on conflict do nothing`,
    [version, upload.fileId],
  );
  return `/addons/addon/${addons.waiting.id}/versions/${version}/source/`;
}

const ADMINS: Role[] = ['accountAdmin', 'root'];

/** The cases of a change of an account at an address below that of the account. */
const accountChange = (rest: string): RestCase[] =>
  [
    account('own', ({ clients }) => clients.stranger.accountId, ['stranger', ...ADMINS]),
    account('of another', (world) => world.account(), ADMINS),
  ].map(({ address, ...facts }) => ({
    ...facts,
    address: async (world) => `${await address(world)}${rest}`,
  }));

const signing = (rest: (world: World) => string, allowed: readonly Role[]): RestCase[] => [
  { state: 'received', allowed, address: (world) => `/addons/${world.upload.guid}/versions/${rest(world)}` },
];

const ofUnlistedFile: RestCase[] = [
  {
    state: 'not public',
    address: ({ upload }) => `/file/${upload.fileId}/x.xpi`,
    allowed: [...EDITORS, 'unlistedReviewer'],
    refusal: 404,
    anonymous: 401,
  },
];

/** A version of the public add-on by its id. */
const publicVersion = ({ addons }: World) =>
  `/addons/addon/${addons.public.id}/versions/${addons.public.versions[0]?.id}/`;

/** Changes at an address below that of the add-on. `ofUnlisted` may change it while only unlisted versions exist. */
const changes = (
  rest: (world: World, state: State) => string,
  ofUnlisted: readonly Role[],
  ofPublic: readonly Role[] = ofUnlisted,
): RestCase[] =>
  ofAddon(rest)
    .filter(({ state }) => ['public', 'unlisted'].includes(state))
    .map((each) => ({ ...each, allowed: each.state === 'unlisted' ? ofUnlisted : ofPublic }));

/** By method and path of the route table. */
export const REST_TABLE: Readonly<Record<string, readonly RestCase[]>> = {
  'GET /addons/search/': one('/addons/search/', EVERYONE),
  'GET /addons/autocomplete/': one('/addons/autocomplete/?q=x', EVERYONE),
  'GET /addons/addon/:addon/': ofAddon(() => ''),
  'GET /addons/addon/:addon/feature_compatibility/': ofAddon(() => 'feature_compatibility/'),
  'GET /addons/addon/:addon/eula_policy/': ofAddon(() => 'eula_policy/'),
  'GET /addons/addon/:addon/versions/': ofAddon(() => 'versions/'),
  'PATCH /addons/addon/:addon/': changes(() => '', EDITORS),
  'PATCH /addons/addon/:addon/versions/:version_ref/': changes(
    ({ addons }, state) => `versions/${addons[state].versions[0]?.id}/`,
    AUTHORS,
  ),
  'POST /addons/addon/:addon/versions/': ofAddon(() => 'versions/')
    .filter(({ state }) => ['public', 'unlisted'].includes(state))
    .map((each) => ({ ...each, allowed: AUTHORS })),
  'POST /addons/addon/': one('/addons/addon/', SIGNED_IN),
  'PUT /addons/addon/:guid/': [
    { state: 'public', address: ({ addons }) => `/addons/addon/${addons.public.guid}/`, allowed: AUTHORS },
    ...one('/addons/addon/unknown@example/', SIGNED_IN),
    ...one('/addons/addon/no-guid/', [], 404).map((each) => ({ ...each, anonymous: 401 as const })),
  ],
  'POST /addons/upload/': one('/addons/upload/', SIGNED_IN),
  'GET /addons/upload/': one('/addons/upload/', SIGNED_IN),
  'GET /addons/upload/:uuid/': one(`/addons/upload/${'0'.repeat(32)}/`, [], 404).map((each) => ({
    ...each,
    anonymous: 401 as const,
  })),
  'GET /addons/addon/:addon/versions/:version_ref/': [
    { state: 'public', address: publicVersion, allowed: EVERYONE },
    {
      state: 'waiting',
      address: ({ addons }) => `/addons/addon/${addons.waiting.id}/versions/${addons.waiting.versions[0]?.id}/`,
      allowed: [...AUTHORS, ...INSPECTORS],
    },
  ],
  'GET /addons/addon/:addon/versions/:version_ref/source/': [
    { state: 'waiting', address: waitingSource, allowed: [...AUTHORS, ...INSPECTORS], refusal: 404, anonymous: 401 },
  ],
  'GET /addons/addon/:addon/versions/:version_id/': [
    { state: 'public', address: publicVersion, allowed: EVERYONE },
    {
      state: 'deleted',
      address: ({ addons }) => `/addons/addon/${addons.deleted.id}/versions/${addons.deleted.versions[0]?.id}/`,
      allowed: ['archivist', 'root'],
      refusal: 404,
    },
  ],
  'GET /addons/addon/:addon/versions/:version_id/reviewnotes/': [
    notes('public', [...AUTHORS, ...INSPECTORS, 'unlistedReviewer']),
    notes('unlisted', [...AUTHORS, 'unlistedReviewer', 'root']),
  ],
  'GET /addons/addon/:addon/versions/:version_id/reviewnotes/:note_id/': [
    {
      state: 'waiting',
      address: ({ addons: { waiting }, noteId }) =>
        `/addons/addon/${waiting.id}/versions/${waiting.versions[0]?.id}/reviewnotes/${noteId}/`,
      allowed: [...AUTHORS, ...INSPECTORS, 'unlistedReviewer'],
    },
  ],
  'POST /activity/mail': one('/activity/mail', [], 403),
  'GET /addons/featured/': one('/addons/featured/?app=desktop_browser', EVERYONE),
  'GET /addons/language-tools/': one('/addons/language-tools/?app=desktop_browser', EVERYONE),
  'GET /addons/replacement-addon/': one('/addons/replacement-addon/', EVERYONE),
  'GET /addons/compat-override/': one('/addons/compat-override/', EVERYONE),
  'GET /addons/recommendations/': one('/addons/recommendations/', EVERYONE),
  'POST /abuse/report/addon/': one('/abuse/report/addon/', EVERYONE),
  'POST /abuse/report/user/': one('/abuse/report/user/', EVERYONE),
  'GET /accounts/login/start/': one('/accounts/login/start/', [], 404),
  'GET /accounts/authenticate/': one('/accounts/authenticate/', [], 404),
  'DELETE /accounts/session/': one('/accounts/session/', SIGNED_IN),
  'GET /accounts/account/:account/': [
    account('public', ({ clients }) => clients.owner.accountId, EVERYONE),
    account('own', ({ clients }) => clients.stranger.accountId, ['stranger', ...ADMINS], 404),
    account('of another', (world) => world.account(), ADMINS, 404),
    account('unknown', () => 2_000_000_000, [], 404),
  ],
  'PATCH /accounts/account/:account/': accountChange(''),
  'DELETE /accounts/account/:account/': [account('of another', (world) => world.account(), ADMINS)],
  'DELETE /accounts/account/:account/picture': accountChange('picture'),
  'GET /accounts/account/:account/notifications/': accountChange('notifications/'),
  'POST /accounts/account/:account/notifications/': accountChange('notifications/'),
  'GET /accounts/profile/': one('/accounts/profile/', SIGNED_IN),
  'POST /accounts/super-create/': one('/accounts/super-create/', [], 404),
  'PUT /addons/:guid/versions/:version/': signing(() => '9.0/', AUTHORS),
  'POST /addons/': one('/addons/', SIGNED_IN),
  'GET /addons/:guid/versions/:version/': signing(() => '1.0/', EDITORS),
  'GET /addons/:guid/versions/:version/uploads/:pk/': signing(({ upload }) => `1.0/uploads/${upload.pk}/`, EDITORS),
  'GET /file/:file_id/:base_filename': ofUnlistedFile,
};
