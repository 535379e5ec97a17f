/* Changes of the listing and of the version that come with a submission, by the rules of updateAddon and updateVersion. */
import type { SignedIn } from '../../auth/viewer.ts';
import type { Transaction } from '../../infra/db.ts';
import type { AddonChanges } from '../listing/addon-input.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import { lockExistingAddon, requireRightTo } from '../listing/lock-addon.ts';
import { applyAddonChanges, changedPart, lockNamedRows } from '../listing/update-addon.ts';
import { applyVersionChanges } from '../versions/update-version.ts';
import type { VersionChanges } from '../versions/version-input.ts';

export interface SubmittedChanges {
  addon: AddonChanges;
  version: VersionChanges;
}

const isGiven = (changes: object): boolean => Object.values(changes).some((value) => value !== undefined);

/** Whether there is anything to change. */
export const hasChanges = ({ addon, version }: SubmittedChanges): boolean => isGiven(addon) || isGiven(version);

/** Locks the rows that changes name. Must run before the add-on is locked; see `lockNamedRows`. */
export async function lockForChanges(tx: Transaction, { addon, version }: SubmittedChanges): Promise<void> {
  await lockNamedRows(tx, { categories: addon.categories, license: version.license });
}

/**
 * Locks the add-on, writes the valid changes and returns the invalid fields. The caller throws these and publishes the add-on.
 * @throws {NotPermittedError} as `updateAddon` and `updateVersion` do.
 */
export async function applyChanges(
  tx: Transaction,
  account: SignedIn,
  { addonId, versionId }: { addonId: number; versionId: number },
  changes: SubmittedChanges,
): Promise<FieldErrors> {
  const faults = new FieldErrors();
  const addon = await lockExistingAddon(tx, addonId);
  requireRightTo(changes.version.license === undefined ? 'releases' : 'ownership', account, addon);
  requireRightTo(changedPart(changes.addon), account, addon);
  if (isGiven(changes.addon)) await applyAddonChanges(tx, { viewer: account, account, addon }, changes.addon, faults);
  if (isGiven(changes.version)) {
    await applyVersionChanges(tx, { account, addon, versionId }, changes.version, faults);
  }
  return faults;
}
