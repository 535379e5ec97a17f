import { type ApiVersion, GATES, type Gates } from './gates.ts';

/** The properties of a request that JSON functions depend on. */
export interface View {
  apiVersion: ApiVersion;
  gates: Gates;
  /** The `lang` of a GET; null for every other request. */
  lang: string | null;
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
): View {
  const reads = method === 'GET' || method === 'HEAD';
  return { apiVersion, gates: GATES[apiVersion], lang: reads && lang ? lang : null, baseUrl, wrapsLinks };
}

/** Returns an absolute URL in the API version of the request. Encodes the segments. */
export function apiAddress(view: View, segments: readonly (string | number)[], ending: '/' | '' = '/'): string {
  return `${view.baseUrl}/api/${view.apiVersion}/${segments.map((segment) => encodeSegment(String(segment))).join('/')}${ending}`;
}

/** Encodes a path segment, leaving readable what RFC 3986 (section 3.3) allows there: add-on ids contain `@`. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(40|3A|24|26|2B|2C|3B|3D)/g, (encoded) => decodeURIComponent(encoded));
}
