import { NotPermittedError } from '../errors.ts';
import { message } from '../texts/messages.ts';
import { requireSignedIn } from './permissions.ts';
import type { SignedIn, Viewer } from './viewer.ts';

/** How long after a sign-in the changes are possible that need a recent one. */
const RECENT_MS = 15 * 60_000;

/**
 * Whether the credential of the request was made by a sign-in of the last 15 minutes: a page session, or the access token of that
 * sign-in. A token that the operator made counts from its creation. A one-time token of an API key proves no sign-in.
 */
export function isRecentSignIn(viewer: Viewer): boolean {
  if (viewer.kind === 'anonymous' || !('signedInAt' in viewer.via)) return false;
  return Date.now() - viewer.via.signedInAt.getTime() < RECENT_MS;
}

/** The viewer after a recent sign-in. @throws {NotAuthenticatedError} for an anonymous one, {NotPermittedError} for others. */
export function requireRecentSignIn(viewer: Viewer): SignedIn {
  const account = requireSignedIn(viewer);
  if (!isRecentSignIn(viewer)) throw new NotPermittedError(message('sign_in.not_recent'));
  return account;
}
