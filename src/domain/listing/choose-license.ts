import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { mergeTranslations, type TranslationChange } from '../addons/localized-text.ts';
import { checkLength, checkWebAddress, cleanTexts } from './check-texts.ts';

/** A licence whose text the developer writes. */
export interface CustomLicense {
  name: readonly TranslationChange[];
  text: readonly TranslationChange[];
  url: string | null;
}

/**
 * Locks the licence of a change. Must run before the add-on is locked: renaming a licence locks the licence first, then the
 * add-ons that show it. The opposite order could deadlock.
 */
export async function lockLicense(tx: Transaction, choice: number | CustomLicense | undefined): Promise<void> {
  if (typeof choice === 'number') await tx.$queryRaw`SELECT FROM license WHERE id = ${choice} FOR KEY SHARE`;
}

/**
 * Returns the id of a licence that the add-on may use: a built-in one, or one that the add-on or its versions already have.
 * A custom licence always creates a new row, because published versions refer to the old text.
 * @throws {InvalidInputError} for any other licence, and for a custom one without a text.
 */
export async function chooseLicense(
  tx: Transaction,
  addon: { id: number; defaultLocale: string },
  choice: number | CustomLicense,
): Promise<number> {
  if (typeof choice !== 'number') return createLicense(tx, addon.defaultLocale, choice);
  // The lock prevents a concurrent deletion of the licence; see lockLicense.
  const found = await tx.$queryRaw<unknown[]>`
    SELECT id FROM license l WHERE id = ${choice} AND (builtin IS NOT NULL
      OR EXISTS (SELECT FROM addon WHERE id = ${addon.id} AND license_id = l.id)
      OR EXISTS (SELECT FROM version WHERE addon_id = ${addon.id} AND license_id = l.id)) FOR KEY SHARE`;
  if (found.length === 0) throw refusedField('license', 'There is no such licence.');
  return choice;
}

async function createLicense(tx: Transaction, defaultLocale: string, { name, text, url }: CustomLicense) {
  const field = 'customLicense';
  const names = mergeTranslations({}, name, field);
  for (const each of Object.values(names)) checkLength(field, each, 200);
  const texts = cleanTexts(field, {}, mergeTranslations({}, text, field));
  if (Object.keys(texts).length === 0) {
    throw refusedField(field, 'License text is required when choosing Other.');
  }
  if (url !== null) checkWebAddress(field, url);
  const named = Object.keys(names).length > 0 ? names : { [defaultLocale]: 'Custom License' };
  return (await tx.license.create({ data: { name: named, text: texts, url }, select: { id: true } })).id;
}
