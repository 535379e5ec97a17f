import { canEditAnyAddon, requireSignedIn } from '../../auth/permissions.ts';
import type { SignedIn, Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import type { Prisma as Types } from '../../generated/prisma/client.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { requireLocale, storedTexts, type TextsByLocale } from '../addons/localized-text.ts';
import { acceptedListedVersions, newestListedVersion } from '../addons/newest-version.ts';
import { recordAddonAct } from '../addons/record-addon-act.ts';
import type { AddonChanges } from './addon-input.ts';
import {
  type CategoryChoice,
  checkSlug,
  lockCategories,
  readTags,
  requireFreeSlug,
  setCategories,
  setTags,
} from './check-listing.ts';
import { changeTexts, checkDefaultLocale, readText } from './check-texts.ts';
import { chooseLicense, type LicenseChoice, lockLicense } from './choose-license.ts';
import { checkExpectedListing } from './expected-listing.ts';
import type { ExpectedValues } from './expected-values.ts';
import { FieldErrors } from './field-errors.ts';
import { editedFields, plainFields, type TranslatedField, translatedFields } from './fields.ts';
import { type ChangedPart, type LockedAddon, lockEditableAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

/** The right that changes need: owners change the legal terms, authors what is public of the releases. */
export function changedPart(changes: AddonChanges): ChangedPart {
  const parts = editedFields.flatMap(({ name, part }) => (changes[name] === undefined ? [] : part));
  if (changes.license !== undefined || parts.includes('ownership')) return 'ownership';
  return parts.includes('releases') ? 'releases' : 'listing';
}

/** The add-on that a transaction has locked, and who changes it. */
interface AddonEdit {
  viewer: Viewer;
  account: SignedIn;
  addon: LockedAddon;
}

/**
 * Changes the listing of an add-on. Translations are merged: absent languages stay, null deletes one. Concurrent changes of
 * different fields are all kept; `expected` guards those of the same field.
 * @throws {NotFoundError}, {NotPermittedError} without the right to the changed part; {InvalidInputError} with all invalid and changed
 * fields.
 */
export async function updateAddon(
  viewer: Viewer,
  id: number,
  changes: AddonChanges,
  expected: ExpectedValues = {},
): Promise<void> {
  requireSignedIn(viewer);
  const work = async (tx: Transaction) => {
    await lockNamedRows(tx, changes);
    const edit = await lockEditableAddon(tx, viewer, id, changedPart(changes));
    const faults = new FieldErrors();
    await checkExpectedListing(tx, edit.addon, { expected, changes }, faults);
    await applyAddonChanges(tx, { viewer, ...edit }, changes, faults);
    faults.throwIfAny();
    await publishAddons(tx, [id]);
    const details = { fields: changedFields(changes) };
    await recordAddonAct(tx, edit.account, id, { action: 'addon-edited', details, notice: 'addon-edited' });
  };
  // Two add-ons may take the same slug concurrently: the retry of the second one finds it taken.
  await retryAfterConflict(() => db.$transaction(work));
}

/** Locks the licence and the categories that changes name. Must run before the add-on is locked; see `lockLicense`. */
export async function lockNamedRows(
  tx: Transaction,
  { license, categories }: Pick<AddonChanges, 'license' | 'categories'>,
): Promise<void> {
  await lockLicense(tx, license);
  await lockCategories(tx, categories);
}

/**
 * Writes the valid ones of these changes and their activity, and adds the invalid fields to `faults`. The caller has locked
 * the add-on and the rows that the changes name, has checked the viewer's rights, throws the faults and publishes the add-on.
 */
export async function applyAddonChanges(
  tx: Transaction,
  { viewer, account, addon }: AddonEdit,
  changes: AddonChanges,
  faults: FieldErrors,
): Promise<void> {
  const { id } = addon;
  if (changes.inputFaults !== undefined) faults.addAll(changes.inputFaults);
  const { slug, license, tags, categories, isDisabled } = changes;
  const update: Types.AddonUncheckedUpdateInput = {
    ...(await textColumns(addon, changes, faults)),
    ...(await plainColumns(addon, changes, faults)),
  };
  if (slug !== undefined) update.slug = await faults.collect(() => freeSlug(tx, addon, slug));
  if (license !== undefined) update.licenseId = await faults.collect(() => setLicense(tx, addon, license));
  if (tags !== undefined) await faults.collect(() => setTags(tx, id, readTags(tags)));
  if (categories !== undefined) await faults.collect(() => replaceCategories(tx, viewer, addon, categories));
  await tx.addon.update({ where: { id }, data: update });
  const { accountId } = account;
  const details = { fields: changedFields(changes) };
  await recordActivity(tx, { action: 'addon-edited', accountId, addonId: id, details });
  if (isDisabled === undefined || isDisabled === addon.isDisabledByDeveloper) return;
  const action = `addon-${isDisabled ? 'disabled' : 'enabled'}-by-developer` as const;
  await recordActivity(tx, { action, accountId, addonId: id });
}

function changedFields(changes: AddonChanges): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** The changed translated columns and default language. */
async function textColumns(addon: LockedAddon, changes: AddonChanges, faults: FieldErrors) {
  const wanted = changes.defaultLocale;
  const defaultLocale =
    (wanted === undefined ? null : await faults.collect(() => requireLocale('defaultLocale', wanted))) ??
    addon.defaultLocale;
  const update: Partial<Record<TranslatedField, TextsByLocale | undefined>> & { defaultLocale?: string } = {};
  const after = (field: TranslatedField) => storedTexts(update[field] ?? addon[field]);
  for (const { name } of translatedFields) {
    const translations = changes[name];
    if (translations === undefined) continue;
    const present = { present: storedTexts(addon[name]), defaultLocale };
    update[name] = await faults.collect(() => changeTexts(name, present, translations));
  }
  if (defaultLocale !== addon.defaultLocale) {
    const needed = { name: after('name'), summary: after('summary'), description: after('description') };
    await faults.collect(() => checkDefaultLocale(needed, defaultLocale));
    update.defaultLocale = defaultLocale;
  }
  return update;
}

/** The changed columns with one value. */
async function plainColumns({ type }: LockedAddon, changes: AddonChanges, faults: FieldErrors) {
  const update: Record<string, string | boolean | null | undefined> = {};
  for (const field of plainFields) {
    const value = changes[field.name];
    if (value === undefined) continue;
    update[field.property] = await faults.collect(() => {
      if (field.isOfLanguageTools) requireLanguageTool(type, field.name);
      return typeof value === 'boolean' ? value : readText(field, value);
    });
  }
  return update;
}

function requireLanguageTool(type: string, field: string): void {
  if (type === 'dictionary' || type === 'language') return;
  throw refusedField(field, message('listing.not_language_tool'));
}

async function freeSlug(tx: Transaction, addon: LockedAddon, slug: string): Promise<string> {
  if (slug === addon.slug) return slug;
  checkSlug(slug);
  await requireFreeSlug(tx, addon.id, slug);
  return slug;
}

/** Sets the licence for the next listed version and for the newest listed version that has not failed. */
async function setLicense(tx: Transaction, addon: LockedAddon, choice: LicenseChoice): Promise<number> {
  const licenseId = await chooseLicense(tx, addon, choice);
  const newest = await newestListedVersion(tx, addon.id);
  if (newest) await tx.version.update({ where: { id: newest.id }, data: { licenseId } });
  return licenseId;
}

async function replaceCategories(
  tx: Transaction,
  viewer: Viewer,
  addon: LockedAddon,
  choices: readonly CategoryChoice[],
) {
  // A persona is listed without a version.
  const isListed = async () =>
    addon.type === 'persona' || (await tx.version.count({ where: acceptedListedVersions(addon.id) })) > 0;
  await setCategories(
    tx,
    { ...addon, isListed: choices.length === 0 && (await isListed()), mayChangeFeatured: canEditAnyAddon(viewer) },
    choices,
  );
}
