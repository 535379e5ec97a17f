/* A version as the view `version_document` builds it, in the document of its add-on and in every other read of versions. */
import type { Application, Channel, FileStatus, Platform } from '../../package/enums.ts';
import type { TextsByLocale } from './localized-text.ts';

export interface FileDocument {
  id: number;
  name: string;
  created: string | Date;
  /** Hex, of the bytes that a download serves. */
  sha256: string;
  signedSha256: string | null;
  certificateSerial: string | null;
  /** In bytes. */
  size: number | bigint;
  status: FileStatus;
  platform: Platform;
  permissions: string[];
  optionalPermissions: string[];
  hostPermissions: string[];
  dataCollectionPermissions: string[];
  optionalDataCollectionPermissions: string[];
  isWebextension: boolean;
  isRestartRequired: boolean;
  isVendorSignedExtension: boolean;
  /** False for a file that an import described only: it cannot be downloaded. */
  isStored: boolean;
}

export interface LicenseDocument {
  id: number;
  /** SPDX identifier or `all-rights-reserved`; null for a custom licence. */
  builtin: string | null;
  name: unknown;
  /** Loaded separately; never part of a document. */
  text?: unknown;
  url: string | null;
  /** The fallback language of a custom licence: that of its add-on. Never part of a document. */
  defaultLocale?: string;
}

export interface VersionDocument {
  id: number;
  addonId: number;
  addonSlug: string | null;
  defaultLocale: string;
  version: string;
  channel: Channel;
  compatibility: { app: Application; min: string; max: string }[];
  files: FileDocument[];
  license: LicenseDocument | null;
  releaseNotes: TextsByLocale | null;
  isStrictCompatibilityEnabled: boolean;
  reviewed: string | null;
  created: string;
}
