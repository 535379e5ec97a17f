import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { mergeTranslations, type TranslationChange } from '../addons/localized-text.ts';
import { checkLength, checkWebAddress, cleanTexts } from './check-texts.ts';

/** A licence in the developer's own words. */
export interface CustomLicense {
  name: readonly TranslationChange[];
  text: readonly TranslationChange[];
  url: string | null;
}

/**
 * Keeps a licence that a change names for this transaction. That comes before the add-on is locked: whoever renames a licence
 * locks it and then all add-ons that show it, and in another order the two could wait for each other.
 */
export async function keepLicense(tx: Transaction, choice: number | CustomLicense | undefined): Promise<void> {
  if (typeof choice === 'number') await tx.$queryRaw`SELECT FROM license WHERE id = ${choice} FOR KEY SHARE`;
}

/**
 * The id of a licence that an add-on may be offered under: a built-in one, one that the add-on or a version of it has, or a
 * new one with texts of its own. A licence never changes, as versions that are out were offered under it.
 * @throws {InvalidInputError} for any other, and for an own one without a text.
 */
export async function chooseLicense(
  tx: Transaction,
  addon: { id: number; defaultLocale: string },
  choice: number | CustomLicense,
): Promise<number> {
  if (typeof choice !== 'number') return createLicense(tx, addon.defaultLocale, choice);
  // Locked, so that no operator removes it before this add-on is offered under it; see keepLicense.
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
