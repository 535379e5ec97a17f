/*
 * A version as the view `version_document` of the migrations makes it, for the published document of its add-on and for
 * every other reading of a version.
 */
import type { Application } from './enums.ts';
import type { Texts } from './localized-text.ts';

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
  /** 1 awaiting review, 4 public, 5 disabled or rejected. */
  status: number;
  platform: string;
  permissions: string[];
  isWebextension: boolean;
  isRestartRequired: boolean;
  isVendorSignedExtension: boolean;
}

export interface LicenseDocument {
  id: number;
  /** SPDX identifier or `all-rights-reserved`; null for a text of the developer's own. */
  builtin: string | null;
  name: unknown;
  /** Where it was read with the licence; it is part of no document. */
  text?: unknown;
  url: string | null;
  /** Of the add-on, where the text is the developer’s own; part of no document. */
  defaultLocale?: string;
}

export interface VersionDocument {
  id: number;
  addonId: number;
  addonSlug: string | null;
  defaultLocale: string;
  version: string;
  channel: 'listed' | 'unlisted';
  compatibility: { app: Application; min: string; max: string }[];
  files: FileDocument[];
  license: LicenseDocument | null;
  releaseNotes: Texts | null;
  isStrictCompatibilityEnabled: boolean;
  reviewed: string | null;
  created: string;
}
