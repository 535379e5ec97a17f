import type { Texts } from '../addons/localized-text.ts';

/** What a listed add-on and its versions need. */
export interface ListedMetadata {
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
