/* Every mutation and page that takes an add-on or a version, and who may use it. */
import { globalId } from '../global-ids.ts';
import { type Action, action, addonId, LOOKS_ONLY, type Options, reviewersOf, versionId } from './addon-actions.ts';
import {
  AUTHORS,
  addonRead,
  change,
  developer,
  EDITORS,
  edits,
  owns,
  type Rule,
  readsCode,
  releases,
  reviewed,
  seen,
  seenVersion,
  signedIn,
  statistics,
  submits,
  versionEdit,
  withThread,
} from './addon-rules.ts';
import type { Rights, Role, StateName } from './addon-states.ts';
import { spareAddon, type Target } from './addon-world.ts';
import { mutationOf } from './state-table.ts';
import { badFile } from './world.ts';

/** The states that rights to changes differ in. */
const CHANGED_STATES: readonly StateName[] = [
  ...(['public', 'disabledByOperator', 'disabledByDevelopers', 'waiting', 'processing', 'failed'] as const),
  ...(['withoutVersions', 'unlisted', 'withProcessedUpload', 'withDeletedVersion'] as const),
  ...(['waitingTheme', 'waitingPersona', 'deleted'] as const),
];

/** A mutation. Input that is invalid, which is judged after the rights, changes nothing. */
const mutation = (
  name: string,
  rule: Rule,
  input: (target: Target, role: string) => object,
  options: Options = {},
): Action =>
  action(name, rule, { graphql: mutationOf(name.split(',')[0] ?? '', input), in: CHANGED_STATES, ...options });

const addonChange = (name: string, rule: Rule, input: object = {}, options: Options = {}): Action =>
  mutation(name, rule, (target) => ({ id: addonId(target), ...input }), options);

const authorChange = (name: string, input: object): Action => addonChange(name, owns, input);

const versionChange = (name: string, rule: Rule, input: object = {}, options: Options = {}): Action =>
  mutation(name, rule, (target) => ({ id: versionId(target), ...input }), { ofVersion: true, ...options });

const TOO_LONG = 'x'.repeat(10_001);

/** A review of the version. The text is judged after the rights. */
const review = (name: string, more: readonly Role[] = []): Action =>
  versionChange(name, reviewed(more), { comments: TOO_LONG });

const isPersona = ({ inspects }: Rights) => inspects.includes('personaReviewer');

const byAuthors = change(() => AUTHORS);

/** Rules of roles with a permission for all add-ons. */
const permitted = (roles: readonly Role[], isFound: (rights: Rights) => boolean = () => true): Rule =>
  signedIn((rights, role) => (!roles.includes(role) ? 403 : isFound(rights) ? 200 : 404));

const hasPersona = (rights: Rights) => isPersona(rights) && !rights.isDeleted;
const deletes = change((rights) => rights.deletes);
/** Reviewers of listed versions do not see an add-on without any. */
const subscribes = change((rights) => reviewersOf(rights).filter((role) => rights.sees.includes(role)));

const NO_ACCOUNT = globalId('Account', 2e9);
const previewId = ({ addon, world }: Target, index: number) =>
  globalId('Preview', world.previews.get(addon.id)?.[index]);
const waitingUpload = ({ world }: Target, role: string) => globalId('Upload', world.waitingUploads[role as Role]);

export const ADDON_MUTATIONS: readonly Action[] = [
  addonChange('updateAddon', edits, { slug: '' }, { sameAs: ['PATCH /addons/addon/:addon/'] }),
  addonChange('updateAddon, legal terms', owns, { eula: [{ locale: 'xx', value: 'x' }] }),
  addonChange('updateAddon, what is public of releases', releases, { isSourcePublic: true, slug: '' }),
  addonChange('setAddonIcon', edits, { file: badFile() }),
  mutation('addPreview', edits, (target) => ({ addon: addonId(target), file: badFile() })),
  mutation('updatePreview', edits, (target) => ({
    id: previewId(target, 0),
    caption: [{ locale: 'xx', value: 'x' }],
  })),
  // Each role that may deletes another one.
  mutation('deletePreview', edits, (target, role) => ({ id: previewId(target, EDITORS.indexOf(role as Role) + 1) })),
  addonChange('updatePersona', releases, { accentColor: 'x' }),
  authorChange('inviteAddonAuthor', { account: { id: NO_ACCOUNT } }),
  authorChange('updateAddonAuthor', { account: NO_ACCOUNT }),
  authorChange('removeAddonAuthor', { account: NO_ACCOUNT }),
  authorChange('reorderAddonAuthors', { accounts: [] }),
  mutation('addTrustedPublisher', owns, (target) => ({ addon: addonId(target), issuer: 'x', subject: 'x' })),
  mutation('createWebhook', owns, (target) => ({ addon: addonId(target), url: 'x', events: [] })),
  // To the present state.
  mutation('setAddonDisabled, by developers', byAuthors, (target) => ({
    ...{ id: addonId(target), by: 'DEVELOPER', isDisabled: target.facts.isDisabledByDeveloper ?? false },
  })),
  mutation(
    'setAddonDisabled, by operators',
    change(() => ['editor', 'root']),
    (target) => ({
      ...{ id: addonId(target), by: 'OPERATOR', isDisabled: target.facts.status === 'disabled' },
    }),
  ),
  addonChange('deleteAddon', deletes, {}, { spare: spareAddon }),
  addonChange('reviveAddon', permitted(['editor', 'root']), {}, { spare: spareAddon }),
  addonChange('setReviewSubscription', subscribes, { isSubscribed: true }),
  addonChange('reviewPersona', permitted(['personaReviewer', 'root'], hasPersona), { approve: true, revision: 'x' }),
  mutation('createRating', signedIn(addonRead), (target) => ({
    ...{ addon: { databaseId: target.addon.id }, version: { databaseId: 1 }, score: 0 },
  })),
  mutation('setFeatured', permitted(['official', 'root']), (target) => ({
    ...{ addon: { id: addonId(target) }, app: 'DESKTOP_BROWSER', locale: 'xx', isFeatured: true },
  })),
  mutation('createUpdateAddress', permitted(AUTHORS), ({ addon }) => ({ guid: addon.guid })),
  mutation(
    'submitVersion, of a file',
    submits,
    ({ addon }) => ({ guid: addon.guid, version: '9.0', file: badFile() }),
    { sameAs: ['PUT /addons/:guid/versions/:version/'] },
  ),
  mutation(
    'submitVersion, of an upload by guid',
    submits,
    (target, role) => ({ guid: target.addon.guid, upload: waitingUpload(target, role) }),
    { sameAs: ['PUT /addons/addon/:guid/'] },
  ),
  mutation(
    'submitVersion, of an upload by id',
    byAuthors,
    (target, role) => ({ addon: addonId(target), upload: waitingUpload(target, role) }),
    { sameAs: ['POST /addons/addon/:addon/versions/'] },
  ),
  versionChange(
    'updateVersion',
    versionEdit,
    { approvalNotes: TOO_LONG },
    { sameAs: ['PATCH /addons/addon/:addon/versions/:version_ref/'] },
  ),
  versionChange('deleteVersion', versionEdit, {}, { spare: spareAddon }),
  mutation('attachSource', versionEdit, (target) => ({ version: versionId(target), file: badFile() }), {
    ofVersion: true,
  }),
  review('approveVersion'),
  review('rejectVersion'),
  review('requestInformation'),
  review('referVersion'),
  review('commentOnVersion'),
  review('replyToReview', AUTHORS),
  versionChange('claimReview', reviewed(), { release: true }),
];

/** Public and hidden, deleted, with each kind of channel and review. */
const PAGE_STATES: readonly StateName[] = [
  ...(['public', 'disabledByOperator', 'disabledByDevelopers', 'waiting', 'unlisted'] as const),
  ...(['withUnlistedVersion', 'waitingTheme', 'deleted'] as const),
];

const page = (path: string, rule: Rule, options: Options = {}): Action =>
  action(path, rule, { page: true, in: PAGE_STATES, ...options });

const HUB: readonly Role[] = [...AUTHORS, 'editor', 'root'];
const [editors, owners] = [developer((rights) => rights.edits), developer((rights) => rights.owns)];
const authors = developer(() => AUTHORS);
const authorsAndRoot = developer(() => [...AUTHORS, 'root'], ['root']);

/** Leads reviewers to the newest version; not found for others. */
const reviewPage: Rule = signedIn(({ isDeleted, inspects, version }, role) => {
  const reviews = role === 'unlistedReviewer' || (inspects.includes(role) && !LOOKS_ONLY.includes(role));
  return version !== null && !isDeleted && reviews ? 200 : 404;
});

export const ADDON_PAGES: readonly Action[] = [
  page('/addon/:ref/', seen),
  page('/addon/:ref/reviews/', seen),
  page('/addon/:ref/versions/', seen),
  page('/addon/:ref/report/', seen),
  page('/addon/:ref/collect/', signedIn(seen)),
  page('/addon/:ref/versions/:version/', seenVersion, { ofVersion: true }),
  page('/addon/:ref/versions/:version/files/', readsCode, { ofVersion: true }),
  page('/addon/:ref/versions/:version/source/', readsCode, { ofVersion: true }),
  page('/addon/:ref/compare/:range/', readsCode, { ofVersion: true }),
  page('/addon/:ref/statistics/', statistics),
  page('/addon/:ref/statistics.csv', statistics),
  // An add-on without listed versions has none to lead reviewers of listed ones to.
  page('/reviewers/review/:ref/', reviewPage, { in: PAGE_STATES.filter((name) => name !== 'unlisted') }),
  page('/developers/addon/:ref/', withThread(developer(() => HUB, ['root']))),
  page('/developers/addon/:ref/edit/', editors),
  page('/developers/addon/:ref/media/', editors),
  page('/developers/addon/:ref/authors/', editors),
  page('/developers/addon/:ref/license/', owners),
  page('/developers/addon/:ref/publishing/', authors),
  page('/developers/addon/:ref/webhooks/', owners),
  page('/developers/addon/:ref/danger/', authors),
  page('/developers/addon/:ref/versions/', authorsAndRoot),
  page('/developers/addon/:ref/versions/new/', authors),
  page('/developers/addon/:ref/activity/', withThread(authorsAndRoot)),
];
