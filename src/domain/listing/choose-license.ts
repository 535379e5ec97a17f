import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { mergeTranslations, type TranslationChange } from '../addons/localized-text.ts';
import { checkLength, checkWebAddress, cleanTexts } from './check-texts.ts';

/** A licence whose text the developer writes. */
interface CustomLicense {
  name: readonly TranslationChange[];
  text: readonly TranslationChange[];
  url: string | null;
}

/** A built-in licence by its SPDX identifier, in any case. */
interface BuiltinLicense {
  slug: string;
}

/** A licence by database id or slug, or one that the developer writes. */
export type LicenseChoice = number | BuiltinLicense | CustomLicense;

/**
 * Locks the licence of a change. Must run before the add-on is locked: renaming a licence locks the licence first, then the
 * add-ons that show it. The opposite order could deadlock.
 */
export async function lockLicense(tx: Transaction, choice: LicenseChoice | undefined): Promise<void> {
  if (typeof choice === 'number') await tx.$queryRaw`SELECT FROM license WHERE id = ${choice} FOR KEY SHARE`;
  else if (choice !== undefined && 'slug' in choice) await lockBuiltin(tx, choice.slug);
}

/** Locks a built-in licence and returns its id; null for an unknown one. */
async function lockBuiltin(tx: Transaction, slug: string): Promise<number | null> {
  if (slug.includes('\0')) return null;
  const [found] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM license WHERE lower(builtin) = lower(${slug}) FOR KEY SHARE`;
  return found?.id ?? null;
}

/**
 * Returns the id of a licence that the add-on may use: a built-in one, or one that the add-on or its versions already have.
 * A custom licence always creates a new row, because published versions refer to the old text.
 * @throws {InvalidInputError} for any other licence, and for a custom one without a text.
 */
export async function chooseLicense(
  tx: Transaction,
  addon: { id: number; defaultLocale: string },
  choice: LicenseChoice,
): Promise<number> {
  if (typeof choice === 'number') return requireUsable(tx, addon.id, choice);
  if (!('slug' in choice)) return createLicense(tx, addon.defaultLocale, choice);
  const id = await lockBuiltin(tx, choice.slug);
  if (id === null) throw refusedField('license', message('license.unknown_slug', { slug: choice.slug.slice(0, 100) }));
  return id;
}

async function requireUsable(tx: Transaction, addonId: number, choice: number): Promise<number> {
  // The lock prevents a concurrent deletion of the licence; see lockLicense.
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM license l WHERE id = ${choice} AND (builtin IS NOT NULL
      OR EXISTS (SELECT FROM addon WHERE id = ${addonId} AND license_id = l.id)
      OR EXISTS (SELECT FROM version WHERE addon_id = ${addonId} AND license_id = l.id)) FOR KEY SHARE`;
  if (found.length === 0) throw refusedField('license', message('license.unknown'));
  return choice;
}

async function createLicense(tx: Transaction, defaultLocale: string, { name, text, url }: CustomLicense) {
  const field = 'customLicense';
  const names = mergeTranslations({}, name, field);
  for (const each of Object.values(names)) checkLength(field, each, 200);
  const texts = cleanTexts(field, {}, mergeTranslations({}, text, field));
  if (Object.keys(texts).length === 0) {
    throw refusedField(field, message('license.no_text'));
  }
  if (url !== null) checkWebAddress(field, url);
  const named = Object.keys(names).length > 0 ? names : { [defaultLocale]: 'Custom License' };
  return (await tx.license.create({ data: { name: named, text: texts, url }, select: { id: true } })).id;
}
