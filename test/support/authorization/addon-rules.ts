/* Who may act on an add-on or its newest version, as rules over the rights that a state gives. */
import type { Rights, Role, VersionRights } from './addon-states.ts';
import type { Outcome } from './outcomes.ts';

/** Who may do something with an object of these rights. */
export type Rule = (rights: Rights, role: Role) => Outcome;

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

/** The status of an upload. */
export const statusRule = change(() => EDITORS);

/** Pages of the catalogue: add-ons that are not public are unknown to others. */
export const seen: Rule = ({ sees }, role) => (sees.includes(role) ? 200 : 404);

export const seenVersion: Rule = (rights, role) =>
  rights.version !== null && seen(rights, role) === 200 && rights.version.sees.includes(role) ? 200 : 404;

/** The pages of the code of versions: not found for all but its readers. */
export const readsCode: Rule = (rights, role) =>
  seenVersion(rights, role) === 200 && rights.version?.readsSource.includes(role) ? 200 : 404;

/** The code of a version: refused to those who see the version without it. */
export const seesCode: Rule = ofVersion((version, rights, role) => {
  const whole = versionRead(rights, role);
  return whole === 200 && !version.readsSource.includes(role) ? refused(role) : whole;
});

/** The statistics of add-ons whose developers do not publish them. */
export const statistics: Rule = (rights, role) => {
  if (seen(rights, role) === 404) return 404;
  return role === 'root' || AUTHORS.includes(role) ? 200 : refused(role);
};

/** Pages of the developer hub. Operators also see deleted add-ons, and change nothing of them. */
export const developer = (who: (rights: Rights) => readonly Role[], deleted: readonly Role[] = []): Rule =>
  signedIn((rights, role): Outcome => {
    if (seen(rights, role) === 404) return 404;
    return (rights.isDeleted ? deleted : who(rights)).includes(role) ? 200 : 403;
  });

/** The same with the notes of reviews, without which these reviewers do not find the page. */
export const withThread =
  (rule: Rule): Rule =>
  (rights, role) =>
    role === 'unlistedReviewer' && rights.version?.sees.includes(role) === false ? 404 : rule(rights, role);
