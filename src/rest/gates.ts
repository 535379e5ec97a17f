import type { Environment } from '../config.ts';

/** The prefixes that the interface is served under (contract, Versioning). */
export const API_VERSIONS = ['v3', 'v4', 'v4dev'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** What an answer may differ in between the API versions. */
export interface Gates {
  /** A GET with `lang` answers one string for a translated field; writes accept a plain string. */
  flatTranslations: boolean;
  /** `created` of an add-on. */
  addonCreated: boolean;
  /** `_score` of a search result. */
  searchScore: boolean;
  /** `idp_edit_email_url` of an account. */
  idpEditEmailUrl: boolean;
  /** The type `statictheme`: elsewhere such add-ons do not exist, except for signing. */
  staticThemes: boolean;
}

/** The whole difference between the API versions: everything else is the same code with the same answer. */
export const GATES: Readonly<Record<ApiVersion, Gates>> = {
  v3: { flatTranslations: true, addonCreated: false, searchScore: false, idpEditEmailUrl: false, staticThemes: false },
  v4: { flatTranslations: true, addonCreated: true, searchScore: true, idpEditEmailUrl: true, staticThemes: true },
  v4dev: { flatTranslations: false, addonCreated: true, searchScore: true, idpEditEmailUrl: true, staticThemes: true },
};

/** Whether a version is served here: v4dev exists on staging and development only (contract, Versioning). */
export function isServed(version: ApiVersion, environment: Environment): boolean {
  return version !== 'v4dev' || environment !== 'production';
}
