/* Every query field that takes an add-on or a version, and their fields that not all viewers get. */
import { addonReference } from '../../../src/graphql/references.ts';
import { globalId } from '../global-ids.ts';
import {
  AUTHORS,
  addonId,
  addonRead,
  EDITORS,
  type GraphqlAction,
  newest,
  notesRead,
  ofVersion,
  refused,
  statusRule,
  versionId,
  versionRead,
} from './object-rules.ts';
import { type Rights, ROLES, type Role, type VersionRights } from './object-states.ts';

const SEES_ADDON = [
  'GET /addons/addon/:addon/',
  'GET /addons/addon/:addon/feature_compatibility/',
  'GET /addons/addon/:addon/eula_policy/',
  'GET /addons/addon/:addon/versions/',
];
const SEES_VERSION = [
  'GET /addons/addon/:addon/versions/:version_id/',
  'GET /addons/addon/:addon/versions/:version_ref/',
];
const READS_NOTES = [
  'GET /addons/addon/:addon/versions/:version_id/reviewnotes/',
  'GET /addons/addon/:addon/versions/:version_id/reviewnotes/:note_id/',
];

/** A field of the add-on that is null for others, and with the add-on for those who may not see it. */
const addonField = (name: string, who: (rights: Rights) => readonly Role[], selection: string): GraphqlAction => ({
  name: `Addon.${name}`,
  source: `query ($id: ID!) { node(id: $id) { ... on Addon { shown: ${selection} } } }`,
  variables: (target) => ({ id: addonId(target) }),
  rule: (rights, role) => (rights.sees.includes(role) && who(rights).includes(role) ? 200 : 404),
  isShown: ({ node }) => isGiven((node as { shown?: unknown } | null)?.shown),
});

const isGiven = (shown: unknown): boolean => shown !== null && shown !== undefined && shown !== false;

/** The same of a version. */
const versionField = (
  name: string,
  who: (version: VersionRights) => readonly Role[],
  selection = name,
): GraphqlAction => ({
  name: `Version.${name}`,
  source: `query ($id: ID!) { node(id: $id) { ... on Version { shown: ${selection} } } }`,
  variables: (target) => ({ id: versionId(target) }),
  rule: ofVersion((version, _rights, role) => (version.sees.includes(role) && who(version).includes(role) ? 200 : 404)),
  // A switch of the version is shown when it is off, too.
  isShown: ({ node }) => ((node as { shown?: unknown } | null)?.shown ?? null) !== null,
  needsVersion: true,
});

/** A list of versions with a filter, which is refused. */
const versionList = (filter: string, who: (rights: Rights) => readonly Role[]): GraphqlAction => ({
  ...addonField(`versions, ${filter}`, who, `versions(filter: ${filter}) { totalCount }`),
  rule: (rights, role) => (!rights.sees.includes(role) ? 404 : who(rights).includes(role) ? 200 : refused(role)),
});

/** Roles that see what waits for review and do not decide about it. */
const LOOKS_ONLY: readonly Role[] = [...AUTHORS, 'contentReviewer'];

/** A right of the viewer to the add-on. */
const viewerRight = (right: string, who: (rights: Rights) => readonly Role[]): GraphqlAction => ({
  ...addonField(`viewerRights, ${right}`, who, 'viewerRights'),
  isShown: ({ node }) => ((node as { shown?: string[] } | null)?.shown ?? []).includes(right),
});

const progress = () => EDITORS;

/** Reviewers of one channel read the threads of its versions, which may be none. */
const addonThreads = ({ inspects, isDeleted }: Rights): readonly Role[] =>
  isDeleted ? [] : [...inspects, 'unlistedReviewer'];

const threadReaders = ({ readsSource }: VersionRights) => readsSource;

export const OBJECT_FIELDS: readonly GraphqlAction[] = [
  ...(['slug', 'guid', 'id'] as const).map(
    (key): GraphqlAction => ({
      name: `addon, by ${key}`,
      source: 'query ($by: AddonRefInput!) { addon(by: $by) { id } }',
      // A deleted add-on has no slug.
      variables: ({ addon }) => ({ by: addonReference(String(addon[key] || addon.id)) }),
      rule: addonRead,
      sameAs: SEES_ADDON,
    }),
  ),
  {
    name: 'addonRevision',
    source: 'query ($by: AddonRefInput!) { addonRevision(by: $by) }',
    variables: ({ addon }) => ({ by: { databaseId: addon.id } }),
    rule: addonRead,
  },
  {
    name: 'node, of an Addon',
    source: 'query ($id: ID!) { node(id: $id) { id } }',
    variables: (target) => ({ id: addonId(target) }),
    rule: (rights, role) => (rights.sees.includes(role) ? 200 : 404),
  },
  {
    name: 'version',
    source: 'query ($id: ID!) { version(id: $id) { id } }',
    variables: (target) => ({ id: versionId(target) }),
    ...{ rule: versionRead, needsVersion: true, sameAs: SEES_VERSION },
  },
  {
    name: 'Addon.version',
    source:
      'query ($ref: Int!, $number: String!) { addon(by: { databaseId: $ref }) { version(by: { number: $number }) { id } } }',
    variables: (target) => ({ ref: target.addon.id, number: newest(target) }),
    isShown: ({ addon }) => isGiven((addon as { version?: unknown } | null)?.version),
    ...{ rule: versionRead, needsVersion: true, sameAs: SEES_VERSION },
  },
  {
    name: 'node, of a Version',
    source: 'query ($id: ID!) { node(id: $id) { id } }',
    variables: (target) => ({ id: versionId(target) }),
    rule: (rights, role) => (versionRead(rights, role) === 200 ? 200 : 404),
    needsVersion: true,
  },
  {
    name: 'node, of a File',
    source: 'query ($id: ID!) { node(id: $id) { id } }',
    variables: ({ file }) => ({ id: globalId('File', file) }),
    rule: (rights, role) => (versionRead(rights, role) === 200 ? 200 : 404),
    needsVersion: true,
  },
  {
    name: 'node, of a License',
    source: 'query ($id: ID!) { node(id: $id) { id } }',
    variables: ({ version, world }) => ({ id: globalId('License', world.licenses.get(version)) }),
    rule: (rights, role) => (versionRead(rights, role) === 200 ? 200 : 404),
    needsVersion: true,
  },
  {
    name: 'node, of a Preview',
    source: 'query ($id: ID!) { node(id: $id) { id } }',
    variables: ({ addon, world }) => ({ id: globalId('Preview', world.previews.get(addon.id)?.[0]) }),
    rule: (rights, role) => (rights.sees.includes(role) ? 200 : 404),
  },
  {
    name: 'reviewNote',
    source: 'query ($id: ID!) { reviewNote(id: $id) { id } }',
    variables: (target) => ({ id: globalId('ReviewNote', target.world.notes.get(target.version)) }),
    ...{ rule: notesRead, needsVersion: true, sameAs: READS_NOTES },
  },
  {
    name: 'reviewThread',
    source: `query ($addon: Int!, $version: Int!) {
      reviewThread(addon: { databaseId: $addon }, version: { databaseId: $version }) { notes { totalCount } } }`,
    variables: ({ addon, version }) => ({ addon: addon.id, version }),
    ...{ rule: notesRead, needsVersion: true, sameAs: READS_NOTES },
  },
  {
    name: 'upload',
    source:
      'query ($guid: String!, $version: String!) { upload(by: { addonVersion: { guid: $guid, version: $version } }) { id } }',
    variables: (target) => ({ guid: target.addon.guid, version: newest(target) }),
    ...{ rule: statusRule, needsVersion: true },
    sameAs: ['GET /addons/:guid/versions/:version/', 'GET /addons/:guid/versions/:version/uploads/:pk/'],
  },
  {
    name: 'Upload.sourceExcerpts',
    source: 'query ($id: ID!) { upload(by: { id: $id }) { shown: sourceExcerpts(places: []) { lines { text } } } }',
    variables: ({ world, version }) => ({ id: globalId('Upload', world.uploads.get(version)) }),
    rule: ofVersion(({ readsSource }, _rights, role) => (readsSource.includes(role) ? 200 : 404)),
    isShown: ({ upload }) => isGiven((upload as { shown?: unknown } | null)?.shown),
    needsVersion: true,
  },
  addonField('allAuthors', () => EDITORS, 'allAuthors { id }'),
  addonField('authorInvitations', ({ isDeleted }) => (isDeleted ? [] : AUTHORS), 'authorInvitations { id }'),
  addonField('nextStep', progress, 'nextStep { step }'),
  addonField('channelStates', progress, 'channelStates { version }'),
  addonField('uploads', progress, 'uploads { totalCount }'),
  addonField('openQuestions', addonThreads, 'openQuestions { id }'),
  addonField('thread', addonThreads, 'thread { totalCount }'),
  addonField('updateAddresses', () => EDITORS, 'updateAddresses { id }'),
  ...(
    [
      ['EDIT', ({ edits }) => edits],
      ['RELEASE', ({ releases }) => releases],
      ['OWN', ({ owns }) => owns],
      ['DELETE', ({ deletes }) => deletes],
      ['UPLOAD', () => AUTHORS],
      ['DISABLE', () => AUTHORS],
      ['REVIEW', ({ inspects }) => inspects.filter((role) => !LOOKS_ONLY.includes(role))],
      ['REVIEW_UNLISTED', () => ['unlistedReviewer', 'root']],
    ] satisfies [string, (rights: Rights) => readonly Role[]][]
  ).map(([right, who]) => viewerRight(right, (rights) => (rights.isDeleted ? [] : who(rights)))),
  viewerRight('ADMINISTER', () => ['editor', 'root']),
  viewerRight('INSPECT', ({ inspects }) => inspects),
  viewerRight('INSPECT_UNLISTED', () => [...AUTHORS, 'unlistedReviewer', 'root']),
  viewerRight('SEE_STATISTICS', () => [...AUTHORS, 'root']),
  addonField(
    'visibility',
    ({ isDeleted, inspects }) => (isDeleted ? ROLES : [...EDITORS, ...inspects, 'unlistedReviewer']),
    'visibility { isPublic reasons { code } }',
  ),
  {
    ...addonField('statistics', () => [...AUTHORS, 'root'], 'statistics { from }'),
    rule: (rights, role) =>
      !rights.sees.includes(role) ? 404 : [...AUTHORS, 'root'].includes(role) ? 200 : refused(role),
  },
  versionList('ALL_WITHOUT_UNLISTED', ({ inspects }) => inspects),
  versionList('ALL_WITH_UNLISTED', () => [...AUTHORS, 'unlistedReviewer', 'root']),
  versionList('ALL_WITH_DELETED', () => ['archivist', 'root']),
  versionField('approvalNotes', threadReaders),
  versionField('isDisabled', threadReaders),
  versionField('source', ({ readsSource }) => readsSource, 'source { name }'),
  versionField('contents', ({ readsSource }) => readsSource, 'contents { __typename }'),
  // Not while the validator is at work.
  versionField(
    'validation',
    ({ readsSource, isUpload, isEditable }) => (isUpload && isEditable ? [] : readsSource),
    'validation { errors }',
  ),
  {
    name: 'packageDiff',
    source: 'query ($id: ID!) { packageDiff(from: $id, to: $id) { __typename } }',
    variables: (target) => ({ id: versionId(target) }),
    // Who sees a version without its code is refused.
    rule: ofVersion((version, rights, role) => {
      const seen = versionRead(rights, role);
      return seen === 200 && !version.readsSource.includes(role) ? refused(role) : seen;
    }),
    needsVersion: true,
  },
  versionField('reviewNotes', ({ readsNotes }) => readsNotes, 'reviewNotes { totalCount }'),
];
