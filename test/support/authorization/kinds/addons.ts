/* Add-ons and their newest versions. */
import { randomBytes } from 'node:crypto';
import { addonReference } from '../../../../src/graphql/references.ts';
import { type AddonFacts, addon, type MadeAddon } from '../../factories.ts';
import { globalId } from '../../global-ids.ts';
import { xpi } from '../../packages.ts';
import { storePackage } from '../../store-package.ts';
import { markStored } from '../../stored-files.ts';
import {
  type Act,
  DELETED,
  DISABLED,
  kind,
  LATER,
  type Made,
  PAST,
  UNLISTED,
  unknownId,
  WAITING,
  WAITING_UNLISTED,
} from '../kinds.ts';
import { ROLE_SETS } from '../roles.ts';
import { badFile } from '../world.ts';

const REJECTED = { stage: 'rejected', files: [{ status: 5 }] };
const PROCESSING = { stage: 'validating', reviewed: null, files: [{ status: 1 }] };
const INVALID = { stage: 'invalid', reviewed: null, files: [{ status: 5 }] };
const [AWAITING = {}] = WAITING.versions ?? [];
const UNLISTED_VERSION = { channel: 'unlisted' } as const;

/** By name. All but the theme and the persona are extensions. */
export const STATES = {
  public: {},
  experimental: { isExperimental: true },
  disabledByOperator: DISABLED,
  disabledByDevelopers: { isDisabledByDeveloper: true },
  disabledByBoth: { ...DISABLED, isDisabledByDeveloper: true },
  waiting: WAITING,
  rejected: { status: 'incomplete', versions: [REJECTED] },
  processing: { status: 'incomplete', versions: [PROCESSING] },
  failed: { status: 'incomplete', versions: [INVALID] },
  withoutVersions: { status: 'incomplete', versions: [] },
  unlisted: UNLISTED,
  waitingUnlisted: WAITING_UNLISTED,
  disabledUnlisted: { ...UNLISTED, ...DISABLED },
  withWaitingVersion: { versions: [{}, AWAITING] },
  withProcessedUpload: { versions: [{}, PROCESSING] },
  withDisabledVersion: { versions: [{}, { files: [{ status: 5 }] }] },
  withUnlistedVersion: { versions: [{}, UNLISTED_VERSION] },
  withDeletedVersion: { versions: [{}, { deletedAt: PAST }] },
  waitingTheme: { ...WAITING, type: 'statictheme' },
  waitingPersona: { type: 'persona', status: 'pending', versions: [] },
  deleted: { ...DELETED, versions: [{ deletedAt: PAST }] },
  deletedUnlisted: { ...DELETED, versions: [{ ...UNLISTED_VERSION, deletedAt: PAST }] },
} as const satisfies Record<string, AddonFacts>;

interface Target extends Made {
  addon: MadeAddon;
  facts: AddonFacts;
  /** The number of the newest version. */
  version: string;
  nodes: Readonly<Record<string, string>>;
  previews: readonly number[];
}

/** One to look at, and one for each role that may delete one. */
const DELETES_PREVIEWS = ['owner', 'developer', 'editor', 'root'];
const previews = [{}, ...DELETES_PREVIEWS.map(() => ({}))];

/** The `pk` of a valid upload of each role that is not submitted, and a stored package. */
let uploads: Readonly<Record<string, string>>;
let stored: string;

/** What the factory made, with the global ids of what belongs to its newest version. */
function targetOf(
  made: MadeAddon,
  facts: AddonFacts,
  more: { pk?: string; ids?: Record<string, unknown> } = {},
): Target {
  const newest = made.versions.at(-1);
  const version = `${made.versions.length}.0`;
  const ids = { Addon: made.id, Version: newest?.id ?? 0, File: newest?.files[0]?.id ?? 0, ...more.ids };
  return {
    ...{ addon: made, facts, version, previews: [], id: globalId('Addon', made.id) },
    nodes: Object.fromEntries(Object.entries(ids).map(([type, id]) => [type, globalId(type, id)])),
    params: {
      ...{ addon: made.id, guid: made.guid, version_id: ids.Version, version_ref: ids.Version, file_id: ids.File },
      ...{ version, range: `${version}...${version}`, base_filename: 'x.xpi', pk: more.pk ?? '' },
      ...{ ref: facts.slug === null ? made.id : made.slug, note_id: Number(more.ids?.ReviewNote ?? 0) },
    },
  };
}

const byReference = (key: 'slug' | 'guid' | 'id'): Act<Target> => ({
  // A deleted add-on has no slug.
  args: ({ addon: made }) => ({ by: addonReference(String(made[key] || made.id)) }),
  selection: '{ id }',
});
const isShown = (value: unknown): boolean => ((value as { shown?: unknown }).shown ?? null) !== null;

const NO_UPLOAD = { body: () => ({ values: {}, source: null }) };
const WRONG = { body: () => ({ values: { slug: 5, is_disabled: 5 }, source: null }) };
const EMPTY_FORM = { body: () => ({ file: null, fields: new Map() }) };
const TOO_LONG = 'x'.repeat(10_001);
const REVIEWS = ['approveVersion', 'rejectVersion', 'requestInformation', 'referVersion', 'commentOnVersion'];

/** Input that is invalid, which is judged after the rights, changes nothing. */
const ofAddon = (input: object = {}): Act<Target> => ({ input: ({ id }) => ({ id, ...input }) });
const ofVersion = (input: object = {}): Act<Target> => ({ input: ({ nodes }) => ({ id: nodes.Version, ...input }) });
const ofUpload = (role: string) => globalId('Upload', uploads[role] ?? '0'.repeat(32));
const preview = ({ previews: all }: Target, index: number) => globalId('Preview', all[index]);
const ACCOUNT = unknownId('Account');

const READS: Readonly<Record<string, Act<Target>>> = {
  'PATCH /addons/addon/:addon/': WRONG,
  'PATCH /addons/addon/:addon/versions/:version_ref/': WRONG,
  'POST /addons/addon/:addon/versions/': NO_UPLOAD,
  'PUT /addons/addon/:guid/': NO_UPLOAD,
  'PUT /addons/:guid/versions/:version/': EMPTY_FORM,
  ...{
    'addon, by slug': byReference('slug'),
    'addon, by guid': byReference('guid'),
    'addon, by id': byReference('id'),
  },
  addonRevision: { ...byReference('id'), selection: '' },
  version: { args: ({ nodes }) => ({ id: nodes.Version }), selection: '{ id }' },
  'Addon.version': {
    ...byReference('id'),
    ...{ selection: ({ version }) => `{ shown: version(by: { number: "${version}" }) { id } }`, isShown },
  },
  reviewNote: { args: ({ nodes }) => ({ id: nodes.ReviewNote }), selection: '{ id }' },
  reviewThread: {
    args: ({ addon: { id, versions } }) => ({
      addon: { databaseId: id },
      version: { databaseId: versions.at(-1)?.id },
    }),
    selection: '{ notes { totalCount } }',
  },
  upload: {
    args: ({ addon: { guid }, version }) => ({ by: { addonVersion: { guid, version } } }),
    selection: '{ id }',
  },
  'Upload.sourceExcerpts': { selection: 'sourceExcerpts(places: []) { lines { text } }' },
  'Addon.visibility': { selection: 'visibility { isPublic reasons { code } }' },
  'Addon.versions, ALL_WITHOUT_UNLISTED': { selection: 'versions(filter: ALL_WITHOUT_UNLISTED) { totalCount }' },
  'Addon.versions, ALL_WITH_UNLISTED': { selection: 'versions(filter: ALL_WITH_UNLISTED) { totalCount }' },
  'Addon.versions, ALL_WITH_DELETED': { selection: 'versions(filter: ALL_WITH_DELETED) { totalCount }' },
  packageDiff: { args: ({ nodes }) => ({ from: nodes.Version, to: nodes.Version }), selection: '{ __typename }' },
};

const CHANGES: Readonly<Record<string, Act<Target>>> = {
  updateAddon: ofAddon({ slug: '' }),
  'updateAddon, legal terms': ofAddon({ eula: [{ locale: 'xx', value: 'x' }] }),
  'updateAddon, what is public of releases': ofAddon({ isSourcePublic: true, slug: '' }),
  setAddonIcon: ofAddon({ file: badFile() }),
  addPreview: { input: ({ id }) => ({ addon: id, file: badFile() }) },
  updatePreview: { input: (target) => ({ id: preview(target, 0), caption: [{ locale: 'xx', value: 'x' }] }) },
  // Each role that may deletes another one.
  deletePreview: { input: (target, role) => ({ id: preview(target, DELETES_PREVIEWS.indexOf(role) + 1) }) },
  updatePersona: ofAddon({ accentColor: 'x' }),
  inviteAddonAuthor: ofAddon({ account: { id: ACCOUNT } }),
  updateAddonAuthor: ofAddon({ account: ACCOUNT }),
  removeAddonAuthor: ofAddon({ account: ACCOUNT }),
  reorderAddonAuthors: ofAddon({ accounts: [] }),
  addTrustedPublisher: { input: ({ id }) => ({ addon: id, issuer: 'x', subject: 'x' }) },
  createWebhook: { input: ({ id }) => ({ addon: id, url: 'x', events: [] }) },
  // To the present state.
  'setAddonDisabled, by developers': {
    input: ({ id, facts }) => ({ id, by: 'DEVELOPER', isDisabled: facts.isDisabledByDeveloper ?? false }),
  },
  'setAddonDisabled, by operators': {
    input: ({ id, facts }) => ({ id, by: 'OPERATOR', isDisabled: facts.status === 'disabled' }),
  },
  deleteAddon: { spare: true },
  reviveAddon: { spare: true },
  setReviewSubscription: ofAddon({ isSubscribed: true }),
  reviewPersona: ofAddon({ approve: true, revision: 'x' }),
  createRating: {
    input: ({ addon: { id } }) => ({ addon: { databaseId: id }, version: { databaseId: 1 }, score: 0 }),
  },
  setFeatured: { input: ({ id }) => ({ addon: { id }, app: 'DESKTOP_BROWSER', locale: 'xx', isFeatured: true }) },
  createUpdateAddress: { input: ({ addon: { guid } }) => ({ guid }) },
  'submitVersion, of a file': {
    input: ({ addon: { guid } }) => ({ guid, version: '9.0', file: badFile() }),
  },
  'submitVersion, of an upload by guid': {
    input: ({ addon: { guid } }, role) => ({ guid, upload: ofUpload(role) }),
  },
  'submitVersion, of an upload by id': { input: ({ id }, role) => ({ addon: id, upload: ofUpload(role) }) },
  updateVersion: ofVersion({ approvalNotes: TOO_LONG }),
  deleteVersion: { ...ofVersion(), spare: true },
  attachSource: { input: ({ nodes }) => ({ version: nodes.Version, file: badFile() }) },
  ...Object.fromEntries([...REVIEWS, 'replyToReview'].map((name) => [name, ofVersion({ comments: TOO_LONG })])),
  claimReview: ofVersion({ release: true }),
};

export const ADDON = kind<AddonFacts, Target>({
  kind: 'an add-on or a version',
  states: STATES,
  prepare: async ({ insert, idOf }) => {
    stored = (await storePackage(await xpi())).originalSha256;
    const manifest = { guid: 'other@example', version: '9.0', isVendorSigned: false };
    const valid = { file_name: 'x.xpi', channel: 'listed', stage: 'valid', sha256: '0'.repeat(64), size: 1, manifest };
    const made: Record<string, string> = {};
    for (const role of Object.keys(ROLE_SETS.authors) as (keyof typeof ROLE_SETS.authors)[]) {
      made[role] = randomBytes(16).toString('hex');
      await insert('upload', { ...valid, pk: made[role], account_id: idOf(role), expires: LATER });
    }
    uploads = made;
  },
  make: async (facts, { app, insert, idOf }) => {
    const [owner, invited] = [idOf('owner'), idOf('invited')];
    const made = await addon({ authors: [owner, idOf('developer')], previews, ...facts });
    const addon_id = made.id;
    const invitation = { account_id: invited, role: 'owner', listed: true, invited_by: owner, expires: LATER };
    await insert('author_invitation', { addon_id, ...invitation });
    const rows = await app.sql<{ id: number }>('SELECT id FROM preview WHERE addon_id = $1 ORDER BY id', [addon_id]);
    const version_id = made.versions.at(-1)?.id;
    const all = rows.map(({ id }) => id);
    if (version_id === undefined) {
      return { ...targetOf(made, facts, { ids: { Preview: all[0] } }), previews: all };
    }
    const pk = randomBytes(16).toString('hex');
    const validation = { errors: 0, notices: 0, warnings: 0, messages: [] };
    await insert('upload', { pk, addon_id, version_id, account_id: owner, file_name: 'x.xpi', validation });
    await insert('version_source', { version_id, name: 'source.zip', size: 1, sha256: stored });
    const ReviewNote = await insert('activity', { action: 'review-note', addon_id, version_id, comments: 'x' });
    // No other version has it.
    const License = await insert('license', { name: { 'en-US': 'Own terms' } });
    await app.sql('UPDATE version SET license_id = $1 WHERE id = $2', [License, version_id]);
    const ids = { Preview: all[0], ReviewNote, License, Upload: pk };
    return { ...targetOf(made, facts, { pk, ids }), previews: all };
  },
  finish: async ({ app }) => {
    await app.sql('UPDATE file SET original_sha256 = $1', [stored]);
    await markStored(app);
  },
  another: async (_made, { idOf }, facts) =>
    targetOf(await addon({ authors: [idOf('owner'), idOf('developer')], ...facts }), facts),
  acts: { ...READS, ...CHANGES },
});
