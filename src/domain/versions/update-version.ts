import { requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { NotFoundError } from '../../errors.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { storableText } from '../../infra/storable-text.ts';
import type { AddonType } from '../../package/enums.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { refreshAddonStatus } from '../addons/addon-status.ts';
import { mergeTranslations, storedTexts } from '../addons/localized-text.ts';
import { newestListedVersion } from '../addons/newest-version.ts';
import { isOneOf, UNUSABLE_STAGES } from '../addons/stages.ts';
import { checkLength, cleanTexts } from '../listing/check-texts.ts';
import { chooseLicense, type LicenseChoice, lockLicense } from '../listing/choose-license.ts';
import type { ExpectedValues } from '../listing/expected-values.ts';
import { FieldErrors } from '../listing/field-errors.ts';
import { type LockedAddon, lockEditableAddon } from '../listing/lock-addon.ts';
import { publishAddons } from '../listing/publish-addons.ts';
import { setSource } from '../sources/attach-source.ts';
import { checkRanges, rangeRow, type WantedRange } from './check-compatibility.ts';
import { checkExpectedVersion } from './expected-version.ts';
import { VERSION_FIELDS } from './fields.ts';
import { switchFiles } from './file-status.ts';
import { checkStrictness, type ManifestCompatibility } from './manifest-limits.ts';
import type { VersionChanges } from './version-input.ts';

/**
 * Changes the metadata of a version in any channel and any stage that has not failed. Translations are merged. Concurrent
 * changes of different fields are all kept; `expected` guards those of the same field. The next listed version gets the licence of the newest one that has not failed.
 * @throws {NotFoundError} for an unknown, deleted or failed version; {NotPermittedError} unless the viewer is a developer of
 * the add-on, or an owner for changes of the licence; {InvalidInputError} with all invalid and changed fields.
 */
export async function updateVersion(
  viewer: Viewer,
  id: number,
  changes: VersionChanges,
  expected: ExpectedValues = {},
): Promise<void> {
  requireSignedIn(viewer);
  const work = async (tx: Transaction) => {
    await lockLicense(tx, changes.license);
    const { addonId } = (await tx.version.findUnique({ where: { id }, select: { addonId: true } })) ?? notThere();
    const edit = await lockEditableAddon(tx, viewer, addonId, changes.license === undefined ? 'releases' : 'ownership');
    const faults = new FieldErrors();
    await checkExpectedVersion(tx, id, { expected, changes }, faults);
    await applyVersionChanges(tx, { ...edit, versionId: id }, changes, faults);
    faults.throwIfAny();
    await publishAddons(tx, [addonId]);
  };
  await retryAfterConflict(() => db.$transaction(work));
}

/** A version of an add-on that a transaction has locked, and who changes it. */
interface VersionEdit {
  account: SignedIn;
  addon: LockedAddon;
  versionId: number;
}

/**
 * Writes the valid ones of these changes and their activity, and adds the invalid fields to `faults`. The caller has locked
 * the licence and the add-on, has checked the viewer's rights, throws the faults and publishes the add-on.
 * @throws {NotFoundError} for an unknown, deleted or failed version.
 */
export async function applyVersionChanges(
  tx: Transaction,
  { account: { accountId }, addon, versionId }: VersionEdit,
  changes: VersionChanges,
  faults: FieldErrors,
): Promise<void> {
  const version = await versionToEdit(tx, versionId);
  if (changes.inputFaults !== undefined) faults.addAll(changes.inputFaults);
  const { releaseNotes, compatibility, license, approvalNotes, isStrictCompatibilityEnabled, source } = changes;
  const update: Prisma.VersionUncheckedUpdateInput = {};
  if (releaseNotes !== undefined) {
    const present = storedTexts(version.releaseNotes);
    const merge = () => cleanTexts('releaseNotes', present, mergeTranslations(present, releaseNotes, 'releaseNotes'));
    update.releaseNotes = await faults.collect(merge);
  }
  if (isStrictCompatibilityEnabled !== undefined) {
    const check = () => checkStrictness(manifestOf(version), isStrictCompatibilityEnabled);
    update.isStrictCompatibilityEnabled = await faults.collect(check);
  }
  if (approvalNotes != null) update.approvalNotes = await faults.collect(() => readApprovalNotes(approvalNotes));
  if (compatibility !== undefined) await faults.collect(() => setCompatibility(tx, addon, version, compatibility));
  if (license !== undefined) update.licenseId = await faults.collect(() => setLicense(tx, addon, versionId, license));
  await tx.version.update({ where: { id: versionId }, data: update });
  if (source !== undefined) {
    const target = { addonId: addon.id, versionId, accountId, field: 'source' };
    await faults.collect(() => setSource(tx, target, source));
  }
  const details = { fields: Object.keys(changes) };
  await recordActivity(tx, { action: 'version-edited', accountId, addonId: addon.id, versionId, details });
  if (changes.isDisabled !== undefined)
    await switchVersion(tx, { accountId, addonId: addon.id, versionId }, changes.isDisabled);
}

/** Disables or enables a version, and derives the status and current version of its add-on. */
async function switchVersion(
  tx: Transaction,
  place: { accountId: number; addonId: number; versionId: number },
  isDisabled: boolean,
): Promise<void> {
  if (!(await switchFiles(tx, place.versionId, isDisabled))) return;
  await recordActivity(tx, { action: `version-${isDisabled ? 'disabled' : 'enabled'}-by-developer`, ...place });
  await refreshAddonStatus(tx, place.addonId);
}

function readApprovalNotes(text: string): string {
  const notes = storableText(text).trim();
  checkLength('approvalNotes', notes, VERSION_FIELDS.approval_notes.max);
  return notes;
}

function notThere(): never {
  throw new NotFoundError();
}

async function versionToEdit(tx: Transaction, id: number) {
  const version = await tx.version.findUnique({
    where: { id },
    include: {
      files: { select: { isWebextension: true } },
      compatibility: { select: { app: true, min: true, max: true } },
    },
  });
  return version === null || version.deletedAt !== null || isOneOf(UNUSABLE_STAGES, version.stage)
    ? notThere()
    : version;
}

type EditedVersion = Awaited<ReturnType<typeof versionToEdit>>;

const manifestOf = ({ manifestCompatibility }: EditedVersion) =>
  manifestCompatibility as unknown as ManifestCompatibility | null;

async function setCompatibility(
  tx: Transaction,
  addon: LockedAddon,
  version: EditedVersion,
  wanted: readonly WantedRange[],
): Promise<void> {
  const { id: versionId, files, compatibility: present } = version;
  const isWebextension = files.every((file) => file.isWebextension);
  const ranged = { addonType: addon.type as AddonType, isWebextension, manifest: manifestOf(version), present };
  const ranges = await checkRanges(tx, ranged, wanted);
  await tx.versionCompatibility.deleteMany({ where: { versionId } });
  await tx.versionCompatibility.createMany({ data: ranges.map((range) => ({ ...rangeRow(range), versionId })) });
}

async function setLicense(tx: Transaction, addon: LockedAddon, versionId: number, choice: LicenseChoice) {
  const licenseId = await chooseLicense(tx, addon, choice);
  const newest = await newestListedVersion(tx, addon.id);
  if (newest?.id === versionId) await tx.addon.update({ where: { id: addon.id }, data: { licenseId } });
  return licenseId;
}
