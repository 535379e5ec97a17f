/* Why an add-on is not in the public catalogue. */
import type { Stage } from '../addons/stages.ts';
import type { HubAddonFacts, HubVersionFacts } from './addon-facts.ts';

/** Each reason, with its description for clients. */
export const VISIBILITY_REASONS = {
  deleted: 'The add-on is deleted.',
  disabled_by_operator: 'The operator disabled the add-on.',
  disabled_by_developers: 'Its developers disabled the add-on.',
  no_version: 'It has no version.',
  only_unlisted_versions: 'It has unlisted versions only.',
  processing: 'A listed version is being validated.',
  invalid: 'A listed version did not pass validation.',
  failed: 'The service could not process a listed version.',
  awaiting_review: 'A listed version, or a persona, awaits review.',
  information_requested: 'A reviewer waits for a reply of the developers.',
  signing: 'A listed version is approved and being signed.',
  uploader_disabled: 'A listed version is not signed, because the account that uploaded it is disabled.',
  rejected: 'A reviewer rejected a listed version, or a persona.',
  version_disabled: 'Its developers disabled the newest listed version.',
  version_withdrawn: 'The operator withdrew the newest listed version.',
  version_without_file: 'The newest listed version has no file.',
  not_approved: 'It was imported in a state that is not public, or is an incomplete persona.',
};

export type VisibilityCode = keyof typeof VISIBILITY_REASONS;

/** A reason. Without a version it concerns the whole add-on. */
export interface VisibilityReason {
  code: VisibilityCode;
  version: HubVersionFacts | null;
}

const whole = (code: VisibilityCode): VisibilityReason => ({ code, version: null });

const LIVE_STAGES: readonly Stage[] = ['received', 'validating', 'valid', 'awaiting_review', 'signing', 'signed'];

/** Whether a version can become public without its developers or the operator. */
const isLive = ({ stage, hasFile, isDisabledByDevelopers, isWithdrawn }: HubVersionFacts): boolean =>
  LIVE_STAGES.includes(stage) && hasFile && !isDisabledByDevelopers && !isWithdrawn;

const STAGE_CODES: Readonly<Record<Stage, VisibilityCode | null>> = {
  received: 'processing',
  validating: 'processing',
  valid: 'processing',
  invalid: 'invalid',
  awaiting_review: 'awaiting_review',
  signing: 'signing',
  // Files decide.
  signed: null,
  rejected: 'rejected',
  error: 'failed',
};

function codesOf(version: HubVersionFacts): VisibilityCode[] {
  const { stage, hasFile, isDisabledByDevelopers, isWithdrawn, isUploaderDisabled, isInformationRequested } = version;
  const isBlocked = isUploaderDisabled && (stage === 'valid' || stage === 'signing');
  const byStage = isBlocked ? 'uploader_disabled' : STAGE_CODES[stage];
  const isApproved = stage === 'signed';
  return [
    ...(stage === 'awaiting_review' && isInformationRequested ? (['information_requested'] as const) : []),
    ...(byStage === null ? [] : [byStage]),
    ...(isDisabledByDevelopers ? (['version_disabled'] as const) : []),
    ...(isApproved && isWithdrawn && !isDisabledByDevelopers ? (['version_withdrawn'] as const) : []),
    ...(isApproved && !hasFile ? (['version_without_file'] as const) : []),
  ];
}

/**
 * The reasons of listed versions: of those since the newest that can still become public, each code once. Older versions were
 * replaced by it.
 */
function versionReasons(listed: readonly HubVersionFacts[]): VisibilityReason[] {
  const newestLive = listed.findIndex(isLive);
  const relevant = newestLive === -1 ? listed : listed.slice(0, newestLive + 1);
  const all = relevant.flatMap((version) => codesOf(version).map((code): VisibilityReason => ({ code, version })));
  return all.filter(({ code }, index) => all.findIndex((other) => other.code === code) === index);
}

const AWAITING: readonly string[] = ['pending', 'review-pending', 'nominated', 'lite-nominated'];

/** The reason that the status of an add-on gives, where versions give none. Personas have no other. */
function statusReason(status: string | null): VisibilityReason {
  if (status !== null && AWAITING.includes(status)) return whole('awaiting_review');
  return whole(status === 'rejected' ? 'rejected' : 'not_approved');
}

/** Why an add-on would not be public if neither its developers nor the operator had disabled it. Empty if it would. */
export function approvalReasons(addon: HubAddonFacts): VisibilityReason[] {
  const isDisabled = addon.status === 'disabled';
  const status = isDisabled ? addon.statusBeforeDisabling : addon.status;
  if (addon.type === 'persona') return status === 'public' ? [] : [statusReason(status)];
  // An enabled add-on gets the status of its versions.
  if (isDisabled ? addon.hasPublicVersion : status === 'public' && addon.hasPublicVersion) return [];
  const listed = addon.versions.filter(({ channel }) => channel === 'listed');
  if (listed.length === 0) return [whole(addon.versions.length > 0 ? 'only_unlisted_versions' : 'no_version')];
  const reasons = versionReasons(listed);
  return reasons.length > 0 ? reasons : [statusReason(status)];
}

/** Every reason why the catalogue does not show an add-on; empty exactly if it does. */
export function visibilityReasons(addon: HubAddonFacts): VisibilityReason[] {
  if (addon.isSearchable) return [];
  if (addon.status === 'deleted') return [whole('deleted')];
  return [
    ...(addon.status === 'disabled' ? [whole('disabled_by_operator')] : []),
    ...(addon.isDisabledByDeveloper ? [whole('disabled_by_developers')] : []),
    ...approvalReasons(addon),
  ];
}

/**
 * Whether the catalogue does not show an add-on only because its developers distribute it themselves: it has unlisted versions alone.
 * That is a choice, not a fault.
 */
export function isSelfDistributed(addon: HubAddonFacts): boolean {
  const reasons = visibilityReasons(addon);
  return reasons.length === 1 && reasons[0]?.code === 'only_unlisted_versions';
}

/** The page of the developer hub, below that of the add-on, where developers can do something about a reason; null for none. */
export function fixPage({ type, status }: HubAddonFacts, { code, version }: VisibilityReason): string | null {
  if (code === 'disabled_by_developers') return 'danger';
  // Developers can neither edit an add-on that the operator has disabled nor upload versions of it.
  if (status === 'disabled' || status === 'deleted') return null;
  switch (code) {
    case 'no_version':
    case 'version_withdrawn':
      return 'versions/new';
    case 'information_requested':
      return 'activity';
    case 'invalid':
    case 'failed':
    case 'version_disabled':
    case 'version_without_file':
      return version === null ? 'versions/new' : `versions/${version.id}`;
    case 'rejected':
    case 'not_approved':
      if (type === 'persona') return 'media';
      return version === null ? 'versions/new' : `versions/${version.id}`;
    default:
      return null;
  }
}
