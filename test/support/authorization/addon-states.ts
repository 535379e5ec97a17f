/* The states of add-ons and their newest versions, and who may do what in each: the specification of the table of object states. */
import type { AddonFacts } from '../factories.ts';
import { RULES as ALL_RULES } from './world.ts';

const { anonymous, stranger, owner, developer, reviewer, contentReviewer, themeReviewer, personaReviewer } = ALL_RULES;
const { unlistedReviewer, archivist, editor, root } = ALL_RULES;

/** The permission rules of each role. */
export const RULES = {
  ...{ anonymous, stranger, owner, developer, reviewer, contentReviewer, themeReviewer, personaReviewer },
  ...{ unlistedReviewer, archivist, editor },
  // Has an open invitation to become an owner of every add-on, which gives no right before it is accepted.
  invited: [],
  // Every rule that gives no right to an add-on: together they must not either.
  official: [
    ...['Users:Edit', 'Accounts:SuperCreate', 'AbuseReports:Edit', 'Admin:Curation', 'Admin:Catalogue', 'Admin:Groups'],
    ...['Admin:Audit', 'Admin:Mail', 'Admin:Service', 'Admin:Review', 'Addons:SubmitPrivileged', 'Experiments:Submit'],
  ],
  root,
} as const satisfies Record<string, readonly string[] | null>;

export type Role = keyof typeof RULES;
export const ROLES = Object.keys(RULES) as Role[];

/** What the roles may do with an add-on and its newest version. */
export interface Rights {
  /** See the add-on. */
  sees: readonly Role[];
  /** See its newest version; null without one. */
  version: VersionRights | null;
  /** Edit the listing. */
  edits: readonly Role[];
  /** Edit versions, their source and the pictures of a persona. */
  releases: readonly Role[];
  /** Edit legal terms and authors. */
  owns: readonly Role[];
  deletes: readonly Role[];
  /** List its listed versions that are not public. */
  inspects: readonly Role[];
  isDeleted: boolean;
}

export interface VersionRights {
  sees: readonly Role[];
  /** Not found for roles that may see the add-on but not the version: a deleted version, or an upload that is none yet. */
  isHidden: boolean;
  isUpload: boolean;
  /** Can be edited: neither deleted nor failed. */
  isEditable: boolean;
  /** Decide about it and comment on it. */
  reviews: readonly Role[];
  readsNotes: readonly Role[];
  readsSource: readonly Role[];
  downloads: readonly Role[];
}

export interface ObjectState {
  facts: AddonFacts;
  rights: Rights;
}

const AUTHORS: readonly Role[] = ['owner', 'developer'];
const EDITORS: readonly Role[] = [...AUTHORS, 'editor', 'root'];

/** The reviewers of a kind of version: who decides, and who may also look at what waits. */
const REVIEWERS = {
  listed: {
    decide: ['reviewer', 'archivist', 'root'],
    inspect: ['reviewer', 'contentReviewer', 'archivist', 'root'],
    inspectDeleted: ['archivist', 'root'],
  },
  theme: { decide: ['themeReviewer', 'root'], inspect: ['themeReviewer', 'root'], inspectDeleted: ['root'] },
  persona: { decide: ['personaReviewer', 'root'], inspect: ['personaReviewer', 'root'], inspectDeleted: ['root'] },
  unlisted: { decide: ['unlistedReviewer', 'root'], inspect: ['unlistedReviewer', 'root'], inspectDeleted: ['root'] },
} as const satisfies Record<string, Record<string, readonly Role[]>>;

type Kind = keyof typeof REVIEWERS;

interface StateOptions {
  /** Who reviews the add-on, by what it has; without versions only reviewers of unlisted ones see it. */
  addon?: Kind;
  /** The reviewers of its newest version. */
  version?: Kind | null;
  isPublic?: boolean;
  /** The version is public as far as its add-on is. */
  isPublicVersion?: boolean;
  /** No version yet, or failed. */
  isUpload?: boolean;
  isFailed?: boolean;
  isVersionDeleted?: boolean;
  isDeleted?: boolean;
  isDisabledByOperator?: boolean;
}

function rightsOf({ addon = 'listed', version = addon, ...is }: StateOptions): Rights {
  const reviewers = REVIEWERS[addon];
  const seesHidden: Role[] = is.isDeleted
    ? [...reviewers.inspectDeleted]
    : [...EDITORS, ...reviewers.inspect, 'unlistedReviewer'];
  const sees = is.isPublic ? ROLES : seesHidden;
  return {
    sees,
    version: version === null ? null : versionRights(REVIEWERS[version], sees, is),
    edits: is.isDisabledByOperator ? ['editor', 'root'] : EDITORS,
    releases: is.isDisabledByOperator ? [] : AUTHORS,
    owns: is.isDisabledByOperator ? [] : ['owner'],
    deletes: is.isDisabledByOperator ? [] : ['owner'],
    inspects: [...AUTHORS, ...(addon === 'unlisted' ? REVIEWERS.listed : reviewers).inspect],
    isDeleted: is.isDeleted ?? false,
  };
}

function versionRights(
  { decide, inspect, inspectDeleted }: (typeof REVIEWERS)[Kind],
  seesAddon: readonly Role[],
  is: StateOptions,
): VersionRights {
  const isDeleted = is.isDeleted || is.isVersionDeleted;
  const whole: readonly Role[] = is.isDeleted
    ? inspectDeleted
    : is.isVersionDeleted
      ? ['archivist', 'root']
      : is.isPublicVersion
        ? seesAddon
        : [...AUTHORS, ...inspect];
  return {
    sees: whole.filter((role) => seesAddon.includes(role)),
    isHidden: Boolean(isDeleted || is.isUpload),
    isUpload: Boolean(is.isUpload),
    isEditable: !(isDeleted || is.isFailed),
    reviews: isDeleted || is.isUpload ? [] : decide,
    readsNotes: is.isDeleted ? [] : [...AUTHORS, ...inspect, 'unlistedReviewer'],
    readsSource: isDeleted ? inspectDeleted : [...AUTHORS, ...inspect],
    downloads: isDeleted ? inspectDeleted : is.isPublic && is.isPublicVersion ? ROLES : [...EDITORS, ...inspect],
  };
}

const state = (facts: AddonFacts, options: StateOptions): ObjectState => ({ facts, rights: rightsOf(options) });

const WAITING = { stage: 'awaiting_review', reviewed: null, files: [{ status: 1 }] };
const REJECTED = { stage: 'rejected', files: [{ status: 5 }] };
const PROCESSING = { stage: 'validating', reviewed: null, files: [{ status: 1 }] };
const INVALID = { stage: 'invalid', reviewed: null, files: [{ status: 5 }] };
const UNLISTED = { channel: 'unlisted' } as const;
const deletedAt = new Date('2020-01-01T00:00:00Z');
const DELETED = { status: 'deleted', slug: null, deletedAt } as const;

/** By name. All but the theme and the persona are extensions. */
export const STATES = {
  public: state({}, { isPublic: true, isPublicVersion: true }),
  experimental: state({ isExperimental: true }, { isPublic: true, isPublicVersion: true }),
  disabledByOperator: state({ status: 'disabled' }, { isDisabledByOperator: true, isPublicVersion: true }),
  disabledByDevelopers: state({ isDisabledByDeveloper: true }, { isPublicVersion: true }),
  disabledByBoth: state(
    { status: 'disabled', isDisabledByDeveloper: true },
    { isDisabledByOperator: true, isPublicVersion: true },
  ),
  waiting: state({ status: 'nominated', versions: [WAITING] }, {}),
  rejected: state({ status: 'incomplete', versions: [REJECTED] }, {}),
  processing: state({ status: 'incomplete', versions: [PROCESSING] }, { isUpload: true }),
  failed: state({ status: 'incomplete', versions: [INVALID] }, { isUpload: true, isFailed: true }),
  withoutVersions: state({ status: 'incomplete', versions: [] }, { addon: 'unlisted', version: null }),
  unlisted: state({ status: 'incomplete', versions: [UNLISTED] }, { addon: 'unlisted' }),
  waitingUnlisted: state({ status: 'incomplete', versions: [{ ...UNLISTED, ...WAITING }] }, { addon: 'unlisted' }),
  disabledUnlisted: state(
    { status: 'disabled', versions: [UNLISTED] },
    { addon: 'unlisted', isDisabledByOperator: true },
  ),
  withWaitingVersion: state({ versions: [{}, WAITING] }, { isPublic: true }),
  withProcessedUpload: state({ versions: [{}, PROCESSING] }, { isPublic: true, isUpload: true }),
  withDisabledVersion: state({ versions: [{}, { files: [{ status: 5 }] }] }, { isPublic: true }),
  withUnlistedVersion: state({ versions: [{}, UNLISTED] }, { isPublic: true, version: 'unlisted' }),
  withDeletedVersion: state({ versions: [{}, { deletedAt }] }, { isPublic: true, isVersionDeleted: true }),
  waitingTheme: state({ type: 'statictheme', status: 'nominated', versions: [WAITING] }, { addon: 'theme' }),
  waitingPersona: state({ type: 'persona', status: 'pending', versions: [] }, { addon: 'persona', version: null }),
  deleted: state({ ...DELETED, versions: [{ deletedAt }] }, { isDeleted: true }),
  deletedUnlisted: state(
    { ...DELETED, versions: [{ ...UNLISTED, deletedAt }] },
    { addon: 'unlisted', isDeleted: true },
  ),
} as const satisfies Record<string, ObjectState>;

export type StateName = keyof typeof STATES;
export const STATE_NAMES = Object.keys(STATES) as StateName[];
