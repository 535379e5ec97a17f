import { holds, permit } from './permissions.ts';
import type { SignedIn, Viewer } from './viewer.ts';

/* Permission rules of those who run the service: moderators and operators. Pure functions, as in permissions.ts. */

/** Holders of `AbuseReports:Edit` read and decide abuse reports (people.md D112). */
export function canModerate(viewer: Viewer): boolean {
  return holds(viewer, 'AbuseReports:Edit');
}

/** The moderator's account. @throws what `refuse` returns for viewers without `AbuseReports:Edit`. */
export function requireModerator(viewer: Viewer): SignedIn {
  return permit(viewer, canModerate(viewer));
}

/** Holders of `Admin:Mail` read the outbox and send mails again. */
export function canKeepMail(viewer: Viewer): boolean {
  return holds(viewer, 'Admin:Mail');
}

/** The administrator of mail. @throws what `refuse` returns for viewers without `Admin:Mail`. */
export function requireMailKeeper(viewer: Viewer): SignedIn {
  return permit(viewer, canKeepMail(viewer));
}
