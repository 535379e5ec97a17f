import { canDeleteAddon, canDisableAddon, refuse, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { NotFoundError, refusedField } from '../../errors.ts';
import { enumOf } from '../../graphql/builder.ts';
import { globalId, idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { changedAddon } from '../addons/addon.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { recordAddonDecision } from '../addons/record-addon-act.ts';
import { FAILED_STAGES } from '../addons/stages.ts';
import { addonChangesIn, addonInputFields } from './addon-input.ts';
import { randomSlug } from './check-listing.ts';
import { initialStatus, setAddonDisabled } from './disable-addon.ts';
import { EXPECTED_DESCRIPTION, ExpectedAddonInput, expectedListingIn } from './expected-listing.ts';
import { licenseChangeIn, licenseInputFields } from './license-input.ts';
import { lockAddon, lockExistingAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';
import { updateAddon } from './update-addon.ts';

mutation('updateAddon', {
  description: 'Changes the listing of an add-on. For its developers and holders of Addons:Edit.',
  input:
    'Changes to the listing of an add-on. Absent fields stay unchanged. Translations are merged; null deletes a language.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    ...addonInputFields(t),
    ...licenseInputFields(t),
    expected: t.field({ type: ExpectedAddonInput, description: EXPECTED_DESCRIPTION }),
  }),
  resolve: async ({ id, expected, ...input }, context) => {
    const addonId = idOf('Addon', id);
    const changes = { ...addonChangesIn(input), ...licenseChangeIn(input) };
    await updateAddon(context.viewer, addonId, changes, expectedListingIn(expected));
    return { addonId };
  },
  payloadFields: changedAddon,
});

const REASON = 'Recorded in the activity of the add-on.';

mutation('deleteAddon', {
  description: 'Deletes an add-on and its versions. For its owners and holders of Addons:Edit.',
  input: 'The add-on to delete.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async (input, { viewer }) => {
    const id = idOf('Addon', input.id);
    await deleteAddon(viewer, id, input.reason ?? '');
    return db.addon.findUniqueOrThrow({ where: { id }, select: { id: true, guid: true } });
  },
  payloadFields: (t) => ({
    deletedId: t.id({
      description: 'Global id of the deleted add-on.',
      resolve: ({ id }) => globalId('Addon', id),
    }),
    guid: t.exposeString('guid', { description: 'Guid of the deleted add-on, which no other add-on can take.' }),
  }),
});

mutation('reviveAddon', {
  description: 'Restores a deleted add-on and the versions deleted with it. For holders of Addons:Edit.',
  input: 'The add-on to restore.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async ({ id, reason }, context) => {
    const addonId = idOf('Addon', id);
    await reviveAddon(context.viewer, addonId, reason ?? '');
    return { addonId };
  },
  payloadFields: changedAddon,
});

const DisabledByEnum = enumOf('DisabledBy', 'On whose behalf an add-on is disabled or enabled.', {
  developer: 'Its developers.',
  operator: 'The operator; needs Addons:Edit.',
});

mutation('setAddonDisabled', {
  description: 'Disables or enables an add-on. For its developers, or for the operator.',
  input: 'The add-on to disable or enable. Developers and operator disable independently of each other.',
  inputFields: (t) => ({
    id: t.id({ required: true, description: 'Global id of the add-on.' }),
    by: t.field({ type: DisabledByEnum, required: true, description: 'On whose behalf.' }),
    isDisabled: t.boolean({ required: true, description: 'Whether it is disabled from now on.' }),
    reason: t.string({ description: REASON }),
  }),
  resolve: async ({ id, by, isDisabled, reason }, context) => {
    const addonId = idOf('Addon', id);
    await setAddonDisabled(context.viewer, addonId, { by, disabled: isDisabled, reason: reason ?? '' });
    return { addonId };
  },
  payloadFields: changedAddon,
});

/**
 * Soft-deletes an add-on. Its guid and version numbers stay reserved, and its owner may upload it again.
 * @throws {NotFoundError}, {NotPermittedError} unless the viewer is an owner, or if the operator has disabled the add-on.
 */
async function deleteAddon(viewer: Viewer, id: number, reason: string): Promise<void> {
  const { accountId } = requireSignedIn(viewer);
  await db.$transaction(async (tx) => {
    const addon = await lockExistingAddon(tx, id);
    if (!canDeleteAddon(viewer, addon)) throw refuse(viewer);
    const deletedAt = new Date();
    await tx.addon.update({
      where: { id },
      data: { status: 'deleted', deletedAt, slug: null, currentVersionId: null, statusBeforeDisabling: null },
    });
    await tx.version.updateMany({
      where: { addonId: id, deletedAt: null, stage: { notIn: [...FAILED_STAGES] } },
      data: { deletedAt },
    });
    await tx.authorInvitation.deleteMany({ where: { addonId: id } });
    const details = { slug: addon.slug, status: addon.status };
    await recordActivity(tx, { action: 'addon-deleted', accountId, addonId: id, comments: reason, details });
    await publishAddons(tx, [id]);
  });
}

/** The slug and status before the deletion, as the activity log recorded them. */
async function beforeDeletion(tx: Transaction, addonId: number): Promise<{ slug?: string | null; status?: string }> {
  const row = await tx.activity.findFirst({
    where: { addonId, action: 'addon-deleted' },
    orderBy: { id: 'desc' },
    select: { details: true },
  });
  return (row?.details ?? {}) as { slug?: string | null; status?: string };
}

/** The previous slug of an add-on, or a random one if another add-on has taken it. */
async function slugAgain(tx: Transaction, slug: string | null | undefined): Promise<string> {
  const isFree = slug != null && (await tx.addon.count({ where: { slug } })) === 0;
  return isFree ? slug : randomSlug();
}

/**
 * Restores a deleted add-on and the versions deleted with it. Only operators may do this. The add-on gets its previous slug
 * if that is free, and the status of its versions. A disabled add-on stays disabled.
 * @throws {NotFoundError} for an unknown add-on, {NotPermittedError}, {InvalidInputError} if it is not deleted.
 */
async function reviveAddon(viewer: Viewer, id: number, reason: string): Promise<void> {
  const actor = requireSignedIn(viewer);
  if (!canDisableAddon(viewer)) throw refuse(viewer);
  const work = async (tx: Transaction) => {
    const addon = await lockAddon(tx, id);
    if (addon === null) throw new NotFoundError();
    if (addon.deletedAt === null) throw refusedField('id', message('addon.not_deleted'));
    const before = await beforeDeletion(tx, id);
    const status = addon.type === 'persona' || before.status === 'disabled' ? before.status : undefined;
    const slug = await slugAgain(tx, before.slug);
    await tx.version.updateMany({ where: { addonId: id, deletedAt: addon.deletedAt }, data: { deletedAt: null } });
    await tx.addon.update({ where: { id }, data: { status: status ?? initialStatus(addon), deletedAt: null, slug } });
    await refreshAddonStatus(tx, id);
    await recordActivity(tx, { action: 'addon-revived', accountId: actor.accountId, addonId: id, comments: reason });
    await publishAddons(tx, [id]);
    const act = { action: 'addon-revived', details: { reason }, notice: 'addon-revived', quotedText: reason } as const;
    await recordAddonDecision(tx, actor, { id }, act);
  };
  // The previous slug may be taken concurrently: the retry finds it taken.
  await retryAfterConflict(() => db.$transaction(work));
}
