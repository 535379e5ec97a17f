/* Every route and field that takes an add-on or a version, and who may use it. */
import { addonReference } from '../../../src/graphql/references.ts';
import { globalId } from '../global-ids.ts';
import {
  AUTHORS,
  addonRead,
  change,
  EDITORS,
  edits,
  notesRead,
  ofVersion,
  type Rule,
  refused,
  seen,
  seesCode,
  shownTo,
  signedIn,
  statusRule,
  submits,
  versionEdit,
  versionRead,
} from './addon-rules.ts';
import { type Rights, ROLES, type Role, type StateName, type VersionRights } from './addon-states.ts';
import { type AddonState, newest, type Target } from './addon-world.ts';
import type { Field } from './outcomes.ts';
import { nodeOf, type StateAction } from './state-table.ts';

/** An action with what its states and names have in common. */
export type Action = StateAction<AddonState, Role, Target>;

export interface Options extends Partial<Action> {
  /** Only for states whose add-on has a version. */
  ofVersion?: true;
  /** The names of states; all by default. */
  in?: readonly StateName[];
}

export const action = (name: string, rule: Rule, { ofVersion: needsVersion, in: names, ...rest }: Options): Action => ({
  name,
  rule: ({ rights }, role) => rule(rights, role),
  states: (facts) =>
    (names?.includes(facts.name) ?? true) && (needsVersion === undefined || facts.rights.version !== null),
  ...rest,
});

const route = (name: string, rule: Rule, body: unknown = null, options: Options = {}): Action =>
  action(name, rule, { rest: { body: () => body }, ...options });
const versionRoute = (name: string, rule: Rule, body?: unknown): Action => route(name, rule, body, { ofVersion: true });

const EMPTY_FORM = { file: null, fields: new Map() };
const NO_UPLOAD = { values: {}, source: null };
const WRONG = { values: { slug: 5, is_disabled: 5 }, source: null };
const ADDON = '/addons/addon/:addon/';
const VERSION = `${ADDON}versions/:version_id/`;
const VERSION_V5 = `${ADDON}versions/:version_ref/`;
const STATUS = '/addons/:guid/versions/:version/';

const patchAddon = signedIn((rights, role) =>
  addonRead(rights, role) === 200 ? edits(rights, role) : addonRead(rights, role),
);

export const ADDON_ROUTES: readonly Action[] = [
  route(`GET ${ADDON}`, addonRead),
  route(`GET ${ADDON}feature_compatibility/`, addonRead),
  route(`GET ${ADDON}eula_policy/`, addonRead),
  route(`GET ${ADDON}versions/`, addonRead),
  versionRoute(`GET ${VERSION}`, versionRead),
  versionRoute(`GET ${VERSION_V5}`, versionRead),
  versionRoute(`GET ${VERSION_V5}source/`, signedIn(shownTo((_rights, { readsSource }) => readsSource))),
  versionRoute(`GET ${VERSION}reviewnotes/`, notesRead),
  versionRoute(`GET ${VERSION}reviewnotes/:note_id/`, notesRead),
  route(`PATCH ${ADDON}`, patchAddon, WRONG),
  versionRoute(`PATCH ${VERSION_V5}`, versionEdit, WRONG),
  route(
    `POST ${ADDON}versions/`,
    change(() => AUTHORS),
    NO_UPLOAD,
  ),
  route('PUT /addons/addon/:guid/', submits, NO_UPLOAD),
  route(`PUT ${STATUS}`, submits, EMPTY_FORM),
  versionRoute(`GET ${STATUS}`, statusRule),
  versionRoute(`GET ${STATUS}uploads/:pk/`, statusRule),
  versionRoute('GET /file/:file_id/:base_filename', signedIn(shownTo((_rights, { downloads }) => downloads))),
  versionRoute(
    'GET /downloads/file/:file_id/:base_filename',
    shownTo((_rights, { downloads }) => downloads),
  ),
  // Credentials have no effect.
  versionRoute('GET /downloads/latest/:addon/:base_filename', (rights) => addonRead(rights, 'anonymous')),
];

const isGiven = (shown: unknown): boolean => shown !== null && shown !== undefined && shown !== false;
const part = (value: unknown): unknown => (value as { shown?: unknown } | null)?.shown;

export const addonId = ({ addon }: Target) => globalId('Addon', addon.id);
export const versionId = ({ version }: Target) => globalId('Version', version);

/** `node` of an object that viewers see as this rule says, without a refusal. */
const node = (type: string, rule: Rule, idOf: (target: Target) => unknown, options: Options = {}): Action =>
  action(
    `node, of ${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`,
    (rights, role) => (rule(rights, role) === 200 ? 200 : 404),
    {
      graphql: nodeOf((target) => globalId(type, idOf(target))),
      ...options,
    },
  );

/** A field of the add-on that is null for others, and with the add-on for those who may not see it. */
const addonField = (
  name: string,
  who: (rights: Rights) => readonly Role[],
  selection: string,
  isShown: (shown: unknown) => boolean = isGiven,
): Action =>
  action(`Addon.${name}`, (rights, role) => (rights.sees.includes(role) && who(rights).includes(role) ? 200 : 404), {
    graphql: { ...nodeOf(addonId, 'Addon', selection), isShown: (value) => isShown(part(value)) },
  });

/** A field that is refused to those who see the add-on. */
const refusedField = (name: string, who: (rights: Rights) => readonly Role[], selection: string): Action =>
  action(
    `Addon.${name}`,
    (rights, role) => (!rights.sees.includes(role) ? 404 : who(rights).includes(role) ? 200 : refused(role)),
    { graphql: nodeOf(addonId, 'Addon', selection) },
  );

const versionList = (filter: string, who: (rights: Rights) => readonly Role[]): Action =>
  refusedField(`versions, ${filter}`, who, `versions(filter: ${filter}) { totalCount }`);

/** A field of the version. A switch of it is shown when it is off, too. */
const versionField = (name: string, who: (version: VersionRights) => readonly Role[], selection = name): Action =>
  action(
    `Version.${name}`,
    ofVersion((version, _rights, role) => (version.sees.includes(role) && who(version).includes(role) ? 200 : 404)),
    { graphql: nodeOf(versionId, 'Version', selection), ofVersion: true },
  );

/** A right of the viewer to the add-on. */
const viewerRight = (right: string, who: (rights: Rights) => readonly Role[]): Action =>
  addonField(`viewerRights, ${right}`, who, 'viewerRights', (shown) => ((shown ?? []) as string[]).includes(right));

/** A right to an add-on that is not deleted. */
const presentRight = (right: string, who: (rights: Rights) => readonly Role[]): Action =>
  viewerRight(right, (rights) => (rights.isDeleted ? [] : who(rights)));

/** Roles that see what waits for review and do not decide about it. */
export const LOOKS_ONLY: readonly Role[] = [...AUTHORS, 'contentReviewer'];
/** Who decides about versions of the add-on in one of the channels. */
export const reviewersOf = ({ inspects, isDeleted }: Rights): readonly Role[] =>
  isDeleted ? [] : [...inspects.filter((role) => !LOOKS_ONLY.includes(role)), 'unlistedReviewer'];
const AUTHORS_AND_ROOT: readonly Role[] = [...AUTHORS, 'root'];

/** Reviewers of one channel read the threads of its versions, which may be none. */
const addonThreads = ({ inspects, isDeleted }: Rights): readonly Role[] =>
  isDeleted ? [] : [...inspects, 'unlistedReviewer'];
const readsSource = (version: VersionRights) => version.readsSource;

const SEES_ADDON = ['', 'feature_compatibility/', 'eula_policy/', 'versions/'].map((rest) => `GET ${ADDON}${rest}`);
const SEES_VERSION = [`GET ${VERSION}`, `GET ${VERSION_V5}`];
const READS_NOTES = [`GET ${VERSION}reviewnotes/`, `GET ${VERSION}reviewnotes/:note_id/`];

const byReference = (key: 'slug' | 'guid' | 'id'): Field<Target> => ({
  field: 'addon',
  // A deleted add-on has no slug.
  args: ({ addon }) => ({ by: addonReference(String(addon[key] || addon.id)) }),
  selection: '{ id }',
});

const VERSION_OF_ADDON: Field<Target> = {
  ...byReference('id'),
  selection: (target) => `{ shown: version(by: { number: "${newest(target)}" }) { id } }`,
  isShown: (value) => isGiven(part(value)),
};

const STATUS_FIELD: Field<Target> = {
  field: 'upload',
  args: (target) => ({ by: { addonVersion: { guid: target.addon.guid, version: newest(target) } } }),
  selection: '{ id }',
};

const EXCERPTS: Field<Target> = {
  field: 'upload',
  args: ({ world, version }) => ({ by: { id: globalId('Upload', world.uploads.get(version)) } }),
  selection: '{ shown: sourceExcerpts(places: []) { lines { text } } }',
  isShown: (value) => isGiven(part(value)),
};

export const ADDON_FIELDS: readonly Action[] = [
  ...(['slug', 'guid', 'id'] as const).map((key) =>
    action(`addon, by ${key}`, addonRead, { graphql: byReference(key), sameAs: SEES_ADDON }),
  ),
  action('addonRevision', addonRead, { graphql: { ...byReference('id'), field: 'addonRevision', selection: '' } }),
  node('Addon', seen, ({ addon }) => addon.id),
  action('version', versionRead, {
    ...{ ofVersion: true, sameAs: SEES_VERSION },
    graphql: { field: 'version', args: (target) => ({ id: versionId(target) }), selection: '{ id }' },
  }),
  action('Addon.version', versionRead, { graphql: VERSION_OF_ADDON, ofVersion: true, sameAs: SEES_VERSION }),
  node('Version', versionRead, ({ version }) => version, { ofVersion: true }),
  node('File', versionRead, ({ file }) => file, { ofVersion: true }),
  node('License', versionRead, ({ version, world }) => world.licenses.get(version), { ofVersion: true }),
  node('Preview', seen, ({ addon, world }) => world.previews.get(addon.id)?.[0]),
  action('reviewNote', notesRead, {
    ...{ ofVersion: true, sameAs: READS_NOTES },
    graphql: {
      field: 'reviewNote',
      args: ({ world, version }) => ({ id: globalId('ReviewNote', world.notes.get(version)) }),
      selection: '{ id }',
    },
  }),
  action('reviewThread', notesRead, {
    ...{ ofVersion: true, sameAs: READS_NOTES },
    graphql: {
      field: 'reviewThread',
      args: ({ addon, version }) => ({ addon: { databaseId: addon.id }, version: { databaseId: version } }),
      selection: '{ notes { totalCount } }',
    },
  }),
  action('upload', statusRule, {
    ...{ graphql: STATUS_FIELD, ofVersion: true, sameAs: [`GET ${STATUS}`, `GET ${STATUS}uploads/:pk/`] },
  }),
  action(
    'Upload.sourceExcerpts',
    shownTo((_rights, version) => version.readsSource),
    { graphql: EXCERPTS, ofVersion: true },
  ),
  addonField('allAuthors', () => EDITORS, 'allAuthors { id }'),
  addonField('authorInvitations', ({ isDeleted }) => (isDeleted ? [] : AUTHORS), 'authorInvitations { id }'),
  addonField('trustedPublishers', ({ isDeleted }) => (isDeleted ? [] : AUTHORS), 'trustedPublishers { id }'),
  addonField('webhooks', ({ isDeleted }) => (isDeleted ? [] : ['owner']), 'webhooks { id }'),
  addonField('nextStep', () => EDITORS, 'nextStep { step }'),
  addonField('channelStates', () => EDITORS, 'channelStates { version }'),
  addonField('uploads', () => EDITORS, 'uploads { totalCount }'),
  addonField('openQuestions', addonThreads, 'openQuestions { id }'),
  addonField('thread', addonThreads, 'thread { totalCount }'),
  addonField('updateAddresses', () => EDITORS, 'updateAddresses { id }'),
  presentRight('EDIT', (rights) => rights.edits),
  presentRight('RELEASE', (rights) => rights.releases),
  presentRight('OWN', (rights) => rights.owns),
  presentRight('DELETE', (rights) => rights.deletes),
  presentRight('UPLOAD', () => AUTHORS),
  presentRight('DISABLE', () => AUTHORS),
  presentRight('REVIEW', ({ inspects }) => inspects.filter((role) => !LOOKS_ONLY.includes(role))),
  presentRight('REVIEW_UNLISTED', () => ['unlistedReviewer', 'root']),
  presentRight('RATE', () => ROLES.filter((role) => role !== 'anonymous' && !AUTHORS.includes(role))),
  presentRight('REPLY_TO_RATINGS', () => EDITORS),
  viewerRight('ADMINISTER', () => ['editor', 'root']),
  viewerRight('INSPECT', ({ inspects }) => inspects),
  viewerRight('INSPECT_UNLISTED', () => [...AUTHORS, 'unlistedReviewer', 'root']),
  viewerRight('SEE_STATISTICS', () => AUTHORS_AND_ROOT),
  addonField(
    'visibility',
    ({ isDeleted, inspects }) => (isDeleted ? ROLES : [...EDITORS, ...inspects, 'unlistedReviewer']),
    'visibility { isPublic reasons { code } }',
  ),
  refusedField('statistics', () => AUTHORS_AND_ROOT, 'statistics { from }'),
  versionList('ALL_WITHOUT_UNLISTED', ({ inspects }) => inspects),
  versionList('ALL_WITH_UNLISTED', () => [...AUTHORS, 'unlistedReviewer', 'root']),
  versionList('ALL_WITH_DELETED', () => ['archivist', 'root']),
  versionField('approvalNotes', readsSource),
  versionField('isDisabled', readsSource),
  versionField('source', readsSource, 'source { name }'),
  versionField('contents', readsSource, 'contents { __typename }'),
  // Not while the validator is at work.
  versionField(
    'validation',
    ({ readsSource: readers, isUpload, isEditable }) => (isUpload && isEditable ? [] : readers),
    'validation { errors }',
  ),
  action('packageDiff', seesCode, {
    ofVersion: true,
    graphql: {
      field: 'packageDiff',
      args: (target) => ({ from: versionId(target), to: versionId(target) }),
      selection: '{ __typename }',
    },
  }),
  // False without a subscription; null for others.
  addonField('isSubscribedToReviews', reviewersOf, 'isSubscribedToReviews', (shown) => typeof shown === 'boolean'),
  versionField('reviewFacts', ({ reviews }) => reviews, 'reviewFacts { reportCount }'),
  versionField('reviewNotes', ({ readsNotes }) => readsNotes, 'reviewNotes { totalCount }'),
];
