import type { Environment } from '../config.ts';

/** API versions that serve the whole contract (contract, Versioning). */
export const CONTRACT_VERSIONS = ['v3', 'v4', 'v4dev'] as const;

/** URL prefixes of the API. v5 is the submission API, which serves only the routes that name it. */
export const API_VERSIONS = [...CONTRACT_VERSIONS, 'v5'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** Differences between the API versions. */
interface Gates {
  /** A GET with `lang` returns one string per translated field; writes accept a plain string. */
  flatTranslations: boolean;
  /** `created` of an add-on. */
  addonCreated: boolean;
  /** `_score` of a search result. */
  searchScore: boolean;
  /** `idp_edit_email_url` of an account. */
  idpEditEmailUrl: boolean;
  /** `downloads` of an add-on in a collection. */
  collectionDownloads: boolean;
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
  collectionDownloads: false,
  staticThemes: true,
  submission: false,
};

/** Everything else is the same in all API versions. */
export const GATES: Readonly<Record<ApiVersion, Gates>> = {
  v3: {
    ...v4,
    addonCreated: false,
    searchScore: false,
    idpEditEmailUrl: false,
    collectionDownloads: true,
    staticThemes: false,
  },
  v4,
  v4dev: { ...v4, flatTranslations: false },
  v5: { ...v4, flatTranslations: false, submission: true },
};

/** Whether an environment serves an API version: v4dev only exists on staging and development (contract, Versioning). */
export function isServed(version: ApiVersion, environment: Environment): boolean {
  return version !== 'v4dev' || environment !== 'production';
}

/** The properties of a request that JSON functions depend on. */
export interface View {
  apiVersion: ApiVersion;
  gates: Gates;
  /** The `lang` of a GET; null for every other request. */
  lang: string | null;
  /** The language of constant texts, and of texts that a write sends without one. */
  locale: string;
  /** Start of all URLs in responses, without a trailing slash. */
  baseUrl: string;
  /** Whether links outside HTML are wrapped, too. */
  wrapsLinks: boolean;
}

/** Returns the view of a request. An empty `lang` counts as absent. */
export function viewOf(
  method: string,
  apiVersion: ApiVersion,
  lang: string | null,
  baseUrl: string,
  wrapsLinks = false,
  locale = 'en-US',
): View {
  const reads = method === 'GET' || method === 'HEAD';
  return { apiVersion, gates: GATES[apiVersion], lang: reads && lang ? lang : null, locale, baseUrl, wrapsLinks };
}

/** Returns an absolute URL in the API version of the request. Encodes the segments. */
export function apiAddress(view: View, segments: readonly (string | number)[], ending: '/' | '' = '/'): string {
  return `${view.baseUrl}/api/${view.apiVersion}/${segments.map((segment) => encodeSegment(String(segment))).join('/')}${ending}`;
}

/** Encodes a path segment, leaving readable what RFC 3986 (section 3.3) allows there: add-on ids contain `@`. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(40|3A|24|26|2B|2C|3B|3D)/g, (encoded) => decodeURIComponent(encoded));
}
