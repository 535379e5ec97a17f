import { canEditReleases, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Context } from '../../graphql/context.ts';
import { isOneOf, UNUSABLE_STAGES } from '../addons/stages.ts';
import { requireVisibleVersion, versionWithAddon } from './find-version.ts';

/**
 * Checks that the viewer may see and edit a version, before a change locks its add-on and checks the rights again.
 * @throws {NotAuthenticatedError}; {NotFoundError} for an unknown, deleted or failed version, and for an upload of others that is no
 * version yet; {NotPermittedError}.
 */
export async function requireEditableVersion(
  context: Context,
  id: number,
): Promise<{ addonId: number; editor: SignedIn }> {
  const { viewer } = context;
  const editor = requireSignedIn(viewer);
  const { facts, addon } = await versionWithAddon(context, id);
  if (addon.deletedAt !== null) throw new NotFoundError();
  requireVisibleVersion(viewer, addon, facts);
  if (!canEditReleases(viewer, addon)) throw refuse(viewer);
  if (facts.deletedAt !== null || isOneOf(UNUSABLE_STAGES, facts.stage)) throw new NotFoundError();
  return { addonId: addon.id, editor };
}
