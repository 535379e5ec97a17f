/*
 * What the published document of an add-on holds: everything that anybody may see of a public one, in neutral form. The view
 * `current_addon_document` of the migrations makes it; it has no addresses, as these depend on settings, and no choice of a
 * language. Dates are text as in every answer. What is private, or differs by who asks, is never in it.
 */

import type { AddonStatus, AddonType, Application } from './enums.ts';
import type { Texts } from './localized-text.ts';
import type { VersionDocument } from './version-document.ts';
import type { E10S } from './words.ts';

export interface AuthorDocument {
  id: number;
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
  pictureSha256: string | null;
  role: 'owner' | 'developer';
  position: number;
  /** Absent where only those are that the add-on shows. */
  listed?: boolean;
  /** True when the account is public because of this add-on; otherwise others may still make it so. */
  isPublic: boolean;
}

export interface CategoryDocument {
  id: number;
  app: string;
  type: string;
  slug: string;
  name: Record<string, string>;
  weight: number;
}

export interface PreviewDocument {
  id: number;
  caption: Texts | null;
  imageSha256: string | null;
  /** Sizes are in pixels. */
  imageWidth: number;
  imageHeight: number;
  thumbnailSha256: string | null;
  thumbnailWidth: number;
  thumbnailHeight: number;
}

export interface PersonaDocument {
  accentColor: string | null;
  textColor: string | null;
  headerSha256: string | null;
  footerSha256: string | null;
}

export interface RatingsDocument {
  count: number;
  textCount: number;
  average: number;
  bayesianAverage: number;
}

export interface AddonDocument {
  id: number;
  guid: string;
  slug: string | null;
  type: AddonType;
  status: AddonStatus;
  isDisabledByDeveloper: boolean;
  defaultLocale: string;
  name: Texts | null;
  summary: Texts | null;
  description: Texts | null;
  developerComments: Texts | null;
  homepage: Texts | null;
  supportEmail: Texts | null;
  supportUrl: Texts | null;
  contributionsUrl: string | null;
  hasEula: boolean;
  hasPrivacyPolicy: boolean;
  iconSha256: string | null;
  isExperimental: boolean;
  isSourcePublic: boolean;
  publicStats: boolean;
  requiresPayment: boolean;
  requiresSensitiveDataAccess: boolean;
  averageDailyUsers: number;
  weeklyDownloads: number;
  hotness: number;
  ratings: RatingsDocument;
  e10s: (typeof E10S)[number];
  targetLocale: string | null;
  localeDisambiguation: string | null;
  licenseId: number | null;
  created: string;
  lastUpdated: string;
  tags: string[];
  categories: CategoryDocument[];
  authors: AuthorDocument[];
  previews: PreviewDocument[];
  persona: PersonaDocument | null;
  featured: { app: Application; locale: string | null; category: string | null }[];
  currentVersion: VersionDocument | null;
}

/** Whether anybody may see the add-on. */
export function isPublic({ status, isDisabledByDeveloper }: AddonDocument): boolean {
  return status === 'public' && !isDisabledByDeveloper;
}
