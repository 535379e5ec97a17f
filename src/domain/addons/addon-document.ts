/*
 * The published document of an add-on: everything public about it, in all languages. The view `current_addon_document` builds
 * it. It contains no addresses, which depend on settings, and nothing private or viewer-dependent. Dates are text in the
 * format of responses.
 */
import type { AddonType, Application, E10S } from '../../package/enums.ts';
import type { AddonStatus } from './enums.ts';
import type { TextsByLocale } from './localized-text.ts';
import type { VersionDocument } from './version-document.ts';

/**
 * Whether today's clients can install a file of the current version: it is stored here, and a WebExtension. Personas have no file, and
 * formats before WebExtensions run in old clients only.
 */
export const hasInstallableFile = ({ currentVersion }: Pick<AddonDocument, 'currentVersion'>): boolean =>
  currentVersion?.files.some(({ isStored, isWebextension }) => isStored && isWebextension) ?? false;

export interface AuthorDocument {
  /** Id of the account. */
  id: number;
  addonId: number;
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
  pictureSha256: string | null;
  role: 'owner' | 'developer';
  position: number;
  /** Absent in documents, whose authors are all listed. */
  listed?: boolean;
  /** True when this add-on makes the account public; other add-ons may do so too. */
  isPublic: boolean;
}

interface CategoryDocument {
  id: number;
  app: string;
  type: string;
  slug: string;
  name: Record<string, string>;
  weight: number;
}

export interface PreviewDocument {
  id: number;
  caption: TextsByLocale | null;
  imageSha256: string | null;
  /** In pixels, as the other sizes. */
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
  name: TextsByLocale | null;
  summary: TextsByLocale | null;
  description: TextsByLocale | null;
  developerComments: TextsByLocale | null;
  homepage: TextsByLocale | null;
  supportEmail: TextsByLocale | null;
  supportUrl: TextsByLocale | null;
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
