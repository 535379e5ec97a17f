import { canEditReleases, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { givenFields, mutation } from '../../graphql/mutation.ts';
import { db } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { changedAddon } from '../addons/addon.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { UNUSABLE_STAGES } from '../addons/stages.ts';
import { EXPECTED_DESCRIPTION } from '../listing/expected-listing.ts';
import { lockExistingAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { withSource } from '../sources/receive-source.ts';
import { ExpectedVersionInput, expectedVersionIn } from './expected-version.ts';
import { requireEditableVersion } from './find-version.ts';
import { updateVersion } from './update-version.ts';
import { Version } from './version.ts';
import { versionChangesIn, versionInputFields } from './version-input.ts';

mutation('updateVersion', {
  description: 'Changes a version. For the developers of its add-on, and holders of Addons:Edit who may see it.',
  input: 'Changes to a version. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the version.' }),
    isDisabled: t.boolean({ description: 'Whether its developers disable it: its files are not public then.' }),
    ...versionInputFields(t),
    expected: t.field({ type: ExpectedVersionInput, description: EXPECTED_DESCRIPTION }),
  }),
  resolve: async ({ id, isDisabled, source, expected, ...input }, context) => {
    const versionId = idOf('Version', id);
    const changes = { ...versionChangesIn(input), ...givenFields({ isDisabled }) };
    await requireEditableVersion(context, versionId);
    const before = expectedVersionIn(expected);
    await updateVersion(context.viewer, versionId, await withSource(context.viewer, changes, source), before);
    return { versionId };
  },
  payloadFields: (t) => ({
    version: t.field({ type: Version, description: 'The changed version.', resolve: ({ versionId }) => versionId }),
  }),
});

mutation('deleteVersion', {
  description:
    'Deletes a version. Its number stays taken. For the developers of its add-on, and holders of Addons:Edit who may see it.',
  input: 'The version to delete.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the version.' }) }),
  resolve: async ({ id }, context) => {
    const versionId = idOf('Version', id);
    const { addonId } = await requireEditableVersion(context, versionId);
    await deleteVersion(context.viewer, addonId, versionId);
    return { addonId, versionId };
  },
  payloadFields: (t) => ({
    ...changedAddon(t),
    deletedId: t.id({
      description: 'Global id of the deleted version.',
      resolve: ({ versionId }) => globalId('Version', versionId),
    }),
  }),
});

/**
 * Soft-deletes a version in any stage that has not failed. It leaves the review queue, its files are not public any more, and
 * its number stays taken. `addonId` is that of its add-on, whose status and current version are derived again.
 * @throws {NotAuthenticatedError}; {NotFoundError} for a deleted or failed version; {NotPermittedError} unless the viewer is
 * an author, or while the operator has disabled the add-on.
 */
async function deleteVersion(viewer: Viewer, addonId: number, versionId: number): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockExistingAddon(tx, addonId);
    if (!canEditReleases(viewer, addon)) throw refuse(viewer);
    const where = { id: versionId, addonId, deletedAt: null, stage: { notIn: [...UNUSABLE_STAGES] } };
    const version = await tx.version.findFirst({ where, select: { version: true, channel: true, stage: true } });
    if (version === null) throw new NotFoundError();
    await tx.version.update({ where: { id: versionId }, data: { deletedAt: new Date() }, select: { id: true } });
    await refreshAddonStatus(tx, addonId);
    await recordActivity(tx, { action: 'version-deleted', accountId, addonId, versionId, details: version });
    await publishAddons(tx, [addonId]);
  });
}
