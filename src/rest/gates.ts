import type { Environment } from '../config.ts';

/** URL prefixes of the API (contract, Versioning). */
export const API_VERSIONS = ['v3', 'v4', 'v4dev'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** Differences between the API versions. */
export interface Gates {
  /** A GET with `lang` returns one string per translated field; writes accept a plain string. */
  flatTranslations: boolean;
  /** `created` of an add-on. */
  addonCreated: boolean;
  /** `_score` of a search result. */
  searchScore: boolean;
  /** `idp_edit_email_url` of an account. */
  idpEditEmailUrl: boolean;
  /** The type `statictheme`. Without it such add-ons are left out, except for signing. */
  staticThemes: boolean;
}

/** Everything else is the same in all API versions. */
export const GATES: Readonly<Record<ApiVersion, Gates>> = {
  v3: { flatTranslations: true, addonCreated: false, searchScore: false, idpEditEmailUrl: false, staticThemes: false },
  v4: { flatTranslations: true, addonCreated: true, searchScore: true, idpEditEmailUrl: true, staticThemes: true },
  v4dev: { flatTranslations: false, addonCreated: true, searchScore: true, idpEditEmailUrl: true, staticThemes: true },
};

/** Whether an environment serves an API version: v4dev only exists on staging and development (contract, Versioning). */
export function isServed(version: ApiVersion, environment: Environment): boolean {
  return version !== 'v4dev' || environment !== 'production';
}
