import type { Environment } from '../config.ts';

/** API versions that serve the whole contract (contract, Versioning). */
export const CONTRACT_VERSIONS = ['v3', 'v4', 'v4dev'] as const;

/** URL prefixes of the API. v5 is the submission API, which serves only the routes that name it. */
export const API_VERSIONS = [...CONTRACT_VERSIONS, 'v5'] as const;
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
  /** Objects, errors and one-time tokens as the submission API has them. */
  submission: boolean;
}

const v4: Gates = {
  flatTranslations: true,
  addonCreated: true,
  searchScore: true,
  idpEditEmailUrl: true,
  staticThemes: true,
  submission: false,
};

/** Everything else is the same in all API versions. */
export const GATES: Readonly<Record<ApiVersion, Gates>> = {
  v3: { ...v4, addonCreated: false, searchScore: false, idpEditEmailUrl: false, staticThemes: false },
  v4,
  v4dev: { ...v4, flatTranslations: false },
  v5: { ...v4, flatTranslations: false, submission: true },
};

/** Whether an environment serves an API version: v4dev only exists on staging and development (contract, Versioning). */
export function isServed(version: ApiVersion, environment: Environment): boolean {
  return version !== 'v4dev' || environment !== 'production';
}
