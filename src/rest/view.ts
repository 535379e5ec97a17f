import { type ApiVersion, GATES, type Gates } from './gates.ts';

/** How a request wants its answer: the only way in which a JSON function learns of API versions and languages. */
export interface View {
  apiVersion: ApiVersion;
  gates: Gates;
  /** The `lang` of a GET; null for every other request. */
  lang: string | null;
  /** Start of every address in an answer, without a slash at its end. */
  baseUrl: string;
  /** Whether plain links to other sites are wrapped, too. */
  wrapsLinks: boolean;
  /** A link to another site as it is wrapped. */
  wrapLink(url: string): string;
}

/** How links to other sites are shown. */
export type Links = Pick<View, 'wrapsLinks' | 'wrapLink'>;

const PLAIN_LINKS: Links = { wrapsLinks: false, wrapLink: (url) => url };

/** The view of one request. An empty `lang` counts as none. */
export function viewOf(
  method: string,
  apiVersion: ApiVersion,
  lang: string | null,
  baseUrl: string,
  links: Links = PLAIN_LINKS,
): View {
  const reads = method === 'GET' || method === 'HEAD';
  return { apiVersion, gates: GATES[apiVersion], lang: reads && lang ? lang : null, baseUrl, ...links };
}

/** An absolute address in the API version of the request. Segments are encoded; `path` ends as the contract prints it. */
export function apiAddress(view: View, segments: readonly (string | number)[], ending: '/' | '' = '/'): string {
  return `${view.baseUrl}/api/${view.apiVersion}/${segments.map((segment) => encodeSegment(String(segment))).join('/')}${ending}`;
}

/** Encodes a path segment, leaving readable what RFC 3986 (section 3.3) allows there: add-on ids contain `@`. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(40|3A|24|26|2B|2C|3B|3D)/g, (encoded) => decodeURIComponent(encoded));
}
