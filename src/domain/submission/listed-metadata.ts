import type { Transaction } from '../../infra/db.ts';
import { message } from '../../texts/messages.ts';
import { type Texts, texts } from '../addons/localized-text.ts';
import { REQUIRED_WHEN_LISTED } from '../listing/check-listing.ts';
import type { FieldErrors } from '../listing/field-errors.ts';

/** What a listed add-on and its versions need. */
interface ListedMetadata {
  defaultLocale: string;
  name: Texts | null;
  summary: Texts | null;
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
    name: texts(name),
    summary: texts(summary),
    categoryCount: _count.categories,
    hasLicense: licenseId !== null,
  });
  for (const field of missing) {
    const names = [field, ...(OTHER_NAMES[field] ?? [])];
    if (names.some((each) => faults.has(each))) continue;
    faults.add(field, field === 'license' ? LICENSE_REQUIRED : REQUIRED_WHEN_LISTED);
  }
}
