/* Who may act on an add-on or its newest version, as rules over the rights that a state gives. */
import type { AddonFacts, MadeAddon } from '../factories.ts';
import { globalId } from '../global-ids.ts';
import type { Rights, Role, StateName, VersionRights } from './object-states.ts';
import type { ObjectWorld } from './object-world.ts';

/** A status of REST, or the same as a code of GraphQL; 200 for all that was allowed, invalid input included. */
export type Outcome = 200 | 401 | 403 | 404;

/** The object of an action. `version` is the newest one; 0 without one. */
export interface Target {
  addon: MadeAddon;
  facts: AddonFacts;
  version: number;
  file: number;
  world: ObjectWorld;
  role: Role;
}

/** Who may do something with an object of these rights. */
export type Rule = (rights: Rights, role: Role) => Outcome;

interface ActionFacts {
  /** `METHOD path` of the route table, or the field. */
  name: string;
  rule: Rule;
  /** Only for states whose add-on has a version. */
  needsVersion?: true;
  /** Roles that may do it need an add-on of their own, which they change. */
  consumes?: true;
  /** The states that it is tried in; all by default. */
  states?: readonly StateName[];
}

export interface RestAction extends ActionFacts {
  apiVersion: 'v4' | 'v5';
  path: (target: Target) => string;
  /** What the route's body reader would return. */
  body?: unknown;
}

export interface GraphqlAction extends ActionFacts {
  source: string;
  variables: (target: Target) => Record<string, unknown>;
  /** Whether the result shows that the viewer may see it; not null by default. */
  isShown?: (data: Record<string, unknown>) => boolean;
  /** Actions on the same object by REST, which must have the same outcome for every role and state. */
  sameAs?: string[];
}

export const refused = (role: Role): Outcome => (role === 'anonymous' ? 401 : 403);

export const addonRead: Rule = ({ sees, isDeleted }, role) =>
  sees.includes(role) ? 200 : isDeleted ? 404 : refused(role);

export const ofVersion =
  (rule: (version: VersionRights, rights: Rights, role: Role) => Outcome): Rule =>
  (rights, role) =>
    rights.version === null ? 404 : rule(rights.version, rights, role);

export const versionRead: Rule = ofVersion((version, rights, role) => {
  const whole = addonRead(rights, role);
  if (whole !== 200) return whole;
  return version.sees.includes(role) ? 200 : version.isHidden ? 404 : refused(role);
});

/** Signed-in roles first; deleted add-ons are not found. */
export const signedIn =
  (rule: Rule): Rule =>
  (rights, role) =>
    role === 'anonymous' ? 401 : rule(rights, role);

export const change = (who: (rights: Rights) => readonly Role[]): Rule =>
  signedIn((rights, role) => (rights.isDeleted ? 404 : who(rights).includes(role) ? 200 : 403));

export const AUTHORS: readonly Role[] = ['owner', 'developer'];
export const EDITORS: readonly Role[] = [...AUTHORS, 'editor', 'root'];

export const edits = change((rights) => rights.edits);
export const owns = change((rights) => rights.owns);
export const releases = change((rights) => rights.releases);

/** A change of the version by those who see and edit it. */
export const versionEdit = signedIn((rights, role) => {
  const seen = rights.isDeleted ? 404 : versionRead(rights, role);
  if (seen !== 200) return seen;
  return rights.releases.includes(role) && !rights.version?.isEditable ? 404 : releases(rights, role);
});

/** A review of the version. Uploads that are no versions yet are not found, as deleted versions are. */
export const reviewed = (more: readonly Role[] = []): Rule =>
  signedIn(
    ofVersion(({ reviews, isHidden }, _rights, role) =>
      isHidden ? 404 : reviews.includes(role) || more.includes(role) ? 200 : 403,
    ),
  );

export const notesRead = signedIn(
  ofVersion(({ readsNotes, isUpload }, rights, role) => {
    if (rights.isDeleted) return 404;
    if (readsNotes.includes(role)) return 200;
    const seen = addonRead(rights, role);
    return seen === 200 ? (isUpload ? 404 : 403) : seen;
  }),
);

/** Null, and in REST not found, for all but these. */
export const shownTo = (who: (rights: Rights, version: VersionRights) => readonly Role[]): Rule =>
  ofVersion((version, rights, role) => (who(rights, version).includes(role) ? 200 : 404));

/** A package for a guid: the guid of a deleted add-on is taken for all but its authors, which is no refusal of the client. */
export const submits = signedIn(({ isDeleted }, role) => (isDeleted || AUTHORS.includes(role) ? 200 : 403));

export const addonId = ({ addon }: Target) => globalId('Addon', addon.id);
export const versionId = ({ version }: Target) => globalId('Version', version);

/** The number of the newest version. */
export const newest = ({ addon }: Target) => `${addon.versions.length}.0`;

/** The status of an upload. */
export const statusRule = change(() => EDITORS);
