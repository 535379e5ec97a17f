/* The pages of an add-on and its newest version, and who may open them. */
import { AUTHORS, newest, type Outcome, type Rule, signedIn, type Target } from './object-rules.ts';
import type { Rights, Role, StateName } from './object-states.ts';

export interface PageAction {
  /** The path in the table of pages. */
  path: string;
  rule: Rule;
  needsVersion?: true;
}

/** Pages of the catalogue: add-ons that are not public are unknown to others. */
const seen: Rule = ({ sees }, role) => (sees.includes(role) ? 200 : 404);

const seenVersion: Rule = (rights, role) =>
  rights.version !== null && seen(rights, role) === 200 && rights.version.sees.includes(role) ? 200 : 404;

/** The code of versions: not found for all but its readers. */
const readsCode: Rule = (rights, role) =>
  seenVersion(rights, role) === 200 && rights.version?.readsSource.includes(role) ? 200 : 404;

/** The statistics of add-ons whose developers do not publish them. */
const STATISTICIANS: readonly Role[] = [...AUTHORS, 'root'];
const statistics: Rule = (rights, role) => {
  if (seen(rights, role) === 404) return 404;
  return STATISTICIANS.includes(role) ? 200 : role === 'anonymous' ? 401 : 403;
};

/** Pages of the developer hub. Operators also see deleted add-ons, and change nothing of them. */
const developer = (who: (rights: Rights) => readonly Role[], deleted: readonly Role[] = []): Rule =>
  signedIn((rights, role): Outcome => {
    if (seen(rights, role) === 404) return 404;
    return (rights.isDeleted ? deleted : who(rights)).includes(role) ? 200 : 403;
  });

/** The same with the notes of reviews, without which these reviewers do not find the page. */
const withThread =
  (rule: Rule): Rule =>
  (rights, role) =>
    role === 'unlistedReviewer' && rights.version?.sees.includes(role) === false ? 404 : rule(rights, role);

const HUB: readonly Role[] = [...AUTHORS, 'editor', 'root'];
const INSPECTORS: readonly Role[] = [...AUTHORS, 'root'];

/** Public and hidden, deleted, with each kind of channel and review. */
export const PAGE_STATES: readonly StateName[] = [
  ...(['public', 'disabledByOperator', 'disabledByDevelopers', 'waiting', 'unlisted'] as const),
  ...(['withUnlistedVersion', 'waitingTheme', 'deleted'] as const),
];

export const PAGE_ACTIONS: readonly PageAction[] = [
  { path: '/addon/:ref/', rule: seen },
  { path: '/addon/:ref/reviews/', rule: seen },
  { path: '/addon/:ref/versions/', rule: seen },
  { path: '/addon/:ref/report/', rule: seen },
  { path: '/addon/:ref/versions/:version/', rule: seenVersion, needsVersion: true },
  { path: '/addon/:ref/versions/:version/files/', rule: readsCode, needsVersion: true },
  { path: '/addon/:ref/compare/:range/', rule: readsCode, needsVersion: true },
  { path: '/addon/:ref/statistics/', rule: statistics },
  { path: '/addon/:ref/statistics.csv', rule: statistics },
  { path: '/developers/addon/:ref/', rule: withThread(developer(() => HUB, ['root'])) },
  { path: '/developers/addon/:ref/edit/', rule: developer(({ edits }) => edits) },
  { path: '/developers/addon/:ref/media/', rule: developer(({ edits }) => edits) },
  { path: '/developers/addon/:ref/license/', rule: developer(({ owns }) => owns) },
  { path: '/developers/addon/:ref/authors/', rule: developer(({ edits }) => edits) },
  { path: '/developers/addon/:ref/danger/', rule: developer(() => AUTHORS) },
  { path: '/developers/addon/:ref/versions/', rule: developer(() => INSPECTORS, ['root']) },
  { path: '/developers/addon/:ref/versions/new/', rule: developer(() => AUTHORS) },
  { path: '/developers/addon/:ref/activity/', rule: withThread(developer(() => INSPECTORS, ['root'])) },
];

/** The address of a page for an add-on. */
export function addressOf({ path }: PageAction, target: Target): string {
  const { addon, facts } = target;
  const ref = facts.slug === null ? String(addon.id) : addon.slug;
  return path
    .replace(':ref', ref)
    .replace(':version', newest(target))
    .replace(':range', `${newest(target)}...${newest(target)}`);
}
