import { InvalidInputError } from '../../errors.ts';
import type { Database, Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { storedTexts, type TextsByLocale } from '../addons/localized-text.ts';
import { REQUIRED_WHEN_LISTED } from '../listing/check-listing.ts';
import type { FieldErrors } from '../listing/field-errors.ts';

/** What a listed add-on and its versions need. */
interface ListedMetadata {
  defaultLocale: string;
  name: TextsByLocale | null;
  summary: TextsByLocale | null;
  categoryCount: number;
  hasLicense: boolean;
}

export type MissingMetadata = 'name' | 'summary' | 'categories' | 'license';

/** What is missing: categories, a licence, and name and summary in the default language (submission API v5). */
export function missingMetadata(metadata: ListedMetadata): MissingMetadata[] {
  const { defaultLocale, name, summary, categoryCount, hasLicense } = metadata;
  const isMissing: Record<MissingMetadata, boolean> = {
    categories: categoryCount === 0,
    name: !Object.hasOwn(name ?? {}, defaultLocale),
    summary: !Object.hasOwn(summary ?? {}, defaultLocale),
    license: !hasLicense,
  };
  return (Object.keys(isMissing) as MissingMetadata[]).filter((field) => isMissing[field]);
}

const LICENSE_REQUIRED = message('license.required_when_listed');

/** Input fields that also set a value, by the field that its refusals name. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  categories: ['namedCategories'],
  license: ['builtinLicense', 'customLicense'],
};

/**
 * A listed version requires categories, name and summary of its add-on, in the default language, and a licence (submission
 * API v5). Adds what is missing to `faults`, apart from fields that are invalid already.
 */
export async function requireListedMetadata(
  tx: Transaction,
  { addonId, versionId }: { addonId: number; versionId: number },
  faults: FieldErrors,
): Promise<void> {
  const { defaultLocale, name, summary, _count } = await tx.addon.findUniqueOrThrow({
    where: { id: addonId },
    select: { defaultLocale: true, name: true, summary: true, _count: { select: { categories: true } } },
  });
  const { licenseId } = await tx.version.findUniqueOrThrow({ where: { id: versionId }, select: { licenseId: true } });
  const missing = missingMetadata({
    defaultLocale,
    name: storedTexts(name),
    summary: storedTexts(summary),
    categoryCount: _count.categories,
    hasLicense: licenseId !== null,
  });
  for (const field of missing) {
    const names = [field, ...(OTHER_NAMES[field] ?? [])];
    if (names.some((each) => faults.has(each))) continue;
    faults.add(field, field === 'license' ? LICENSE_REQUIRED : REQUIRED_WHEN_LISTED);
  }
}

/**
 * A listed version requires a category, a summary and a licence of its add-on (contract, Signing).
 * @throws {InvalidInputError} with the documented text.
 */
export async function requireListingMetadata(tx: Database, addonId: number): Promise<void> {
  const addon = await tx.addon.findUniqueOrThrow({
    where: { id: addonId },
    select: { summary: true, licenseId: true, _count: { select: { categories: true } } },
  });
  const isMissing = {
    categories: addon._count.categories === 0,
    summary: Object.keys((addon.summary ?? {}) as object).length === 0,
    license: addon.licenseId === null,
  };
  const missing = Object.entries(isMissing).flatMap(([name, isAbsent]) => (isAbsent ? [name] : []));
  if (missing.length === 0) return;
  throw new InvalidInputError(message('upload.missing_metadata', { names: missing.join(', ') }));
}
