import { canEditAnyAddon, requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { refusedField } from '../../errors.ts';
import type { Prisma as Types } from '../../generated/prisma/client.ts';
import { retryAfterConflict } from '../../infra/database-errors.ts';
import { db, type Transaction } from '../../infra/db.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { requireLocale, type TranslationChange, texts } from '../addons/localized-text.ts';
import { listedVersions, newestListedVersion } from '../addons/newest-version.ts';
import { checkSlug, lockCategories, readTags, requireFreeSlug, setCategories, setTags } from './check-listing.ts';
import {
  changeTexts,
  checkDefaultLocale,
  checkWebAddress,
  TRANSLATED_FIELDS,
  type TranslatedField,
} from './check-texts.ts';
import { type CustomLicense, chooseLicense, lockLicense } from './choose-license.ts';
import { type LockedAddon, lockEditableAddon } from './lock-addon.ts';
import { publishAddons } from './publish-addons.ts';

/** Changes of `updateAddon`. Absent fields stay unchanged. Ids are database ids. */
export interface AddonChanges extends Partial<Record<TranslatedField, readonly TranslationChange[]>> {
  defaultLocale?: string;
  slug?: string;
  categories?: readonly number[];
  tags?: readonly string[];
  license?: number | CustomLicense;
  /** Null removes it. */
  contributionsUrl?: string | null | undefined;
  isExperimental?: boolean;
  isSourcePublic?: boolean;
  publicStats?: boolean;
  requiresPayment?: boolean;
  /** Only for dictionaries and language packs; null removes it. */
  localeDisambiguation?: string | null | undefined;
  targetLocale?: string | null | undefined;
}

/** Only owners may change the legal terms of an add-on. */
function requiresOwner({ license, eula, privacyPolicy }: AddonChanges): boolean {
  return license !== undefined || eula !== undefined || privacyPolicy !== undefined;
}

/**
 * Changes the listing of an add-on. Translations are merged: absent languages stay, null deletes one. Concurrent changes of
 * different fields are all kept.
 * @throws {NotFoundError}, {NotPermittedError} unless the viewer is a developer, or an owner for changes of licence, EULA or
 * privacy policy; {InvalidInputError} on the invalid field.
 */
export async function updateAddon(viewer: Viewer, id: number, changes: AddonChanges): Promise<void> {
  requireSignedIn(viewer);
  const work = async (tx: Transaction) => {
    await lockLicense(tx, changes.license);
    await lockCategories(tx, changes.categories);
    const { addon, account } = await lockEditableAddon(tx, viewer, id, { asOwner: requiresOwner(changes) });
    const update = { ...textColumns(addon, changes), ...plainColumns(addon, changes) };
    if (changes.slug !== undefined) update.slug = await freeSlug(tx, addon, changes.slug);
    if (changes.license !== undefined) update.licenseId = await setLicense(tx, addon, changes.license);
    if (changes.tags !== undefined) await setTags(tx, id, readTags(changes.tags));
    if (changes.categories !== undefined) await replaceCategories(tx, viewer, addon, changes.categories);
    await tx.addon.update({ where: { id }, data: update });
    const details = { fields: changedFields(changes) };
    await recordActivity(tx, { action: 'addon-edited', accountId: account.accountId, addonId: id, details });
    await publishAddons(tx, [id]);
  };
  // Two add-ons may take the same slug concurrently: the retry of the second one finds it taken.
  await retryAfterConflict(() => db.$transaction(work));
}

function changedFields(changes: AddonChanges): string[] {
  return Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** The changed translated columns and default language. */
function textColumns(addon: LockedAddon, changes: AddonChanges) {
  const defaultLocale =
    changes.defaultLocale === undefined ? addon.defaultLocale : requireLocale('defaultLocale', changes.defaultLocale);
  const update: Types.AddonUncheckedUpdateInput = {};
  const after = (field: TranslatedField) => texts(update[field] ?? addon[field]);
  for (const field of TRANSLATED_FIELDS) {
    const translations = changes[field];
    if (translations === undefined) continue;
    update[field] = changeTexts(field, { present: texts(addon[field]), defaultLocale }, translations);
  }
  if (defaultLocale !== addon.defaultLocale) {
    const needed = { name: after('name'), summary: after('summary'), description: after('description') };
    checkDefaultLocale(needed, defaultLocale);
    update.defaultLocale = defaultLocale;
  }
  return update;
}

const SWITCHES = ['isExperimental', 'isSourcePublic', 'publicStats', 'requiresPayment'] as const;
const LOCALE_CODE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i;

function plainColumns({ type }: LockedAddon, changes: AddonChanges): Types.AddonUncheckedUpdateInput {
  const update: Types.AddonUncheckedUpdateInput = {};
  for (const name of SWITCHES) if (changes[name] !== undefined) update[name] = changes[name];
  const { contributionsUrl, localeDisambiguation, targetLocale } = changes;
  if (contributionsUrl !== undefined) {
    update.contributionsUrl = contributionsUrl?.trim() || null;
    if (update.contributionsUrl !== null) checkWebAddress('contributionsUrl', update.contributionsUrl);
  }
  if (localeDisambiguation !== undefined) {
    requireLanguageTool(type, 'localeDisambiguation');
    update.localeDisambiguation = readLine('localeDisambiguation', localeDisambiguation);
  }
  if (targetLocale !== undefined) {
    requireLanguageTool(type, 'targetLocale');
    update.targetLocale = readLine('targetLocale', targetLocale);
    if (update.targetLocale !== null && !LOCALE_CODE.test(update.targetLocale)) {
      throw refusedField('targetLocale', `The language code '${update.targetLocale.slice(0, 32)}' is invalid.`);
    }
  }
  return update;
}

function requireLanguageTool(type: string, field: string): void {
  if (type === 'dictionary' || type === 'language') return;
  throw refusedField(field, 'Only dictionaries and language packs have this.');
}

function readLine(field: string, text: string | null): string | null {
  const line = text === null ? null : text.replaceAll('\0', '').toWellFormed().trim();
  if (line !== null && line.length > 255) throw refusedField(field, 'Ensure this value has at most 255 characters.');
  return line === '' ? null : line;
}

async function freeSlug(tx: Transaction, addon: LockedAddon, slug: string): Promise<string> {
  if (slug === addon.slug) return slug;
  checkSlug(slug);
  await requireFreeSlug(tx, addon.id, slug);
  return slug;
}

/** Sets the licence for the next listed version and for the newest listed version that has not failed. */
async function setLicense(tx: Transaction, addon: LockedAddon, choice: number | CustomLicense): Promise<number> {
  const licenseId = await chooseLicense(tx, addon, choice);
  const newest = await newestListedVersion(tx, addon.id);
  if (newest) await tx.version.update({ where: { id: newest.id }, data: { licenseId } });
  return licenseId;
}

async function replaceCategories(tx: Transaction, viewer: Viewer, addon: LockedAddon, ids: readonly number[]) {
  // A persona is listed without a version.
  const isListed = async () =>
    addon.type === 'persona' || (await tx.version.count({ where: listedVersions(addon.id) })) > 0;
  await setCategories(
    tx,
    { ...addon, isListed: ids.length === 0 && (await isListed()), mayChangeFeatured: canEditAnyAddon(viewer) },
    ids,
  );
}
