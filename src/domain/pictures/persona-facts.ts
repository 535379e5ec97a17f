import { refusedField } from '../../errors.ts';
import type { Transaction } from '../../infra/db.ts';

/**
 * Returns a colour in its stored form, six lower-case hex digits; null for null and "".
 * @throws {InvalidInputError} on `field` for anything but `#rgb` and `#rrggbb`.
 */
export function readColor(text: string | null, field: string): string | null {
  if (text === null || text === '') return null;
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) throw refusedField(field, 'Enter a color of the form #rrggbb.');
  return digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('');
}

/**
 * Checks and locks the category and licence of a persona for this transaction.
 * @throws {InvalidInputError} on `category` or `license`.
 */
export async function requireChoices(tx: Transaction, categoryId: number, licenseId: number): Promise<void> {
  const category = await tx.$queryRaw<unknown[]>`
    SELECT id FROM category WHERE id = ${categoryId} AND type = 'persona' FOR KEY SHARE`;
  if (category.length === 0)
    throw refusedField('category', 'The category does not exist, or is of another add-on type.');
  const license = await tx.$queryRaw<unknown[]>`
    SELECT id FROM license WHERE id = ${licenseId} AND builtin IS NOT NULL FOR KEY SHARE`;
  if (license.length === 0) throw refusedField('license', 'There is no such licence.');
}
