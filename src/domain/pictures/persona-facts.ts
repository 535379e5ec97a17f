import { config } from '../../config.ts';
import { InvalidInputError, PackageError } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';
import { checkAddonName } from '../../package/manifest/identity.ts';
import { mergeTranslations, type Texts, type TranslationChange } from '../addons/localized-text.ts';

/** Sizes of the pictures of a persona, in pixels: applications lay them out for these. */
export const HEADER_SIZE = { width: 3000, height: 200 } as const;
export const FOOTER_SIZE = { width: 3000, height: 100 } as const;

const LONGEST = { name: 50, summary: 250 } as const;

/** The refusal of a field. @returns an error to be thrown. */
export function fieldError(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { [field]: [message] });
}

/**
 * A colour as it is stored: six digits, lower case; null where there is none.
 * @throws {InvalidInputError} on `field` for anything but `#rgb` and `#rrggbb`.
 */
export function readColor(text: string | null, field: string): string | null {
  if (text === null || text === '') return null;
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) throw fieldError(field, 'Enter a color of the form #rrggbb.');
  return digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
}

/**
 * The texts of a new persona in a field; there is one in the default language.
 * @throws {InvalidInputError} on `field`.
 */
export function readTexts(field: keyof typeof LONGEST, changes: TranslationChange[], defaultLocale: string): Texts {
  const merged = mergeTranslations({}, changes, field);
  if (merged[defaultLocale] === undefined) throw fieldError(field, 'This field is required.');
  for (const text of Object.values(merged)) {
    const most = LONGEST[field];
    if ([...text].length > most) throw fieldError(field, `Ensure this value has at most ${most} characters.`);
    if (field === 'name') requireFreeName(text);
  }
  return merged;
}

/** The operator's reserved names are refused as in packages, but belong to a field here. */
function requireFreeName(name: string): void {
  try {
    checkAddonName(name, config.RESERVED_NAMES);
  } catch (error) {
    throw error instanceof PackageError ? fieldError('name', error.message) : error;
  }
}

/**
 * Makes sure that a category and a licence are there for a persona.
 * @throws {InvalidInputError} on `category` or `license`.
 */
export async function requireChoices(tx: Transaction, categoryId: number, licenseId: number): Promise<void> {
  const category = await tx.category.count({ where: { id: categoryId, type: 'persona' } });
  if (category === 0) throw fieldError('category', 'The category does not exist, or is of another add-on type.');
  const license = await tx.license.count({ where: { id: licenseId, builtin: { not: null } } });
  if (license === 0) throw fieldError('license', 'There is no such licence.');
}
