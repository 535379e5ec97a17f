import { PackageError } from '../../errors.ts';
import { message } from '../../texts/messages.ts';
import type { AddonType, Application } from '../enums.ts';

/** The oldest and the newest application version, as written: `57.0`, `57.*`, `*`. */
export interface VersionRange {
  min: string;
  max: string;
}

/** The supported applications and their versions. */
export type Compatibility = Partial<Record<Application, VersionRange>>;

/** The key of a text whose package names no locale. It is never a language code. */
export const DEFAULT_LOCALE_KEY = 'default';

/** One text per locale: `{'en-US': 'Clock', de: 'Uhr'}`, keys in canonical case, or `DEFAULT_LOCALE_KEY`. */
export type ManifestTexts = Record<string, string>;

/** A key of the manifest, such as `description` or `developer.name`, and the reference without a message. */
export interface UnresolvedText {
  key: string;
  reference: string;
}

/** The manifest of a package of any format. */
export interface PackageManifest {
  format: 'webextension' | 'install-rdf' | 'opensearch';
  /** `null` for legacy formats and other numbers. */
  manifestVersion: 2 | 3 | null;
  /** As written; `null` when the package has no id. */
  guid: string | null;
  /** `null` for OpenSearch descriptions. */
  version: string | null;
  type: AddonType;
  name: ManifestTexts;
  summary: ManifestTexts;
  homepage: ManifestTexts;
  defaultLocale: string | null;
  /** Texts with references to messages that do not exist. */
  unresolvedTexts: UnresolvedText[];
  compatibility: Compatibility;
  /** Applications whose range the manifest sets for them alone, so that developers cannot change it. */
  lockedApplications: Application[];
  strictCompatibility: boolean;
  /** Permissions, then host permissions, then the match patterns of content scripts; each once, in the order of the manifest. */
  permissions: string[];
  /** `optional_permissions` and `host_permissions` of a WebExtension, each once; the latter of manifest version 3 only. */
  optionalPermissions: string[];
  hostPermissions: string[];
  /** `required` and `optional` of `data_collection_permissions`, each once. */
  dataCollectionPermissions: string[];
  optionalDataCollectionPermissions: string[];
  restartRequired: boolean;
  /** Whether it adds APIs (`experiment_apis`), which only some accounts may upload. */
  isExperiment: boolean;
  /** The language of a language pack or a dictionary. */
  targetLocale: string | null;
  e10s: 'compatible' | 'compatible-webextension' | 'incompatible' | 'unknown';
}

/** What manifests of legacy formats do not say. */
export const LEGACY_MANIFEST = {
  manifestVersion: null,
  defaultLocale: null,
  unresolvedTexts: [],
  lockedApplications: [],
  permissions: [],
  optionalPermissions: [],
  hostPermissions: [],
  dataCollectionPermissions: [],
  optionalDataCollectionPermissions: [],
  isExperiment: false,
} satisfies Partial<PackageManifest>;

/** A file that describes a package, as messages name it. */
export type ManifestFile = 'manifest.json' | 'install.rdf' | 'messages.json' | 'OpenSearch';

/** The error for a manifest that is larger than any. */
export const oversizedManifest = (file: ManifestFile): PackageError =>
  new PackageError(message('manifest.too_large', { file }));

/** The refusal of packages that the uploader may not submit: unknown legacy types, and experiments without permission. */
export function unsupportedType(): PackageError {
  return new PackageError(message('package.type_not_permitted'));
}

/** Decodes UTF-8 without its byte order mark. @throws PackageError for other bytes */
export function decodeManifest(bytes: Uint8Array, file: ManifestFile): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new PackageError(message('manifest.not_utf8', { file }));
  }
}
