import Negotiator from 'negotiator';

/** Parameters of a media range other than its weight, which say nothing about JSON and HTML. */
const OTHER_PARAMETERS = /;(?!\s*q=)[^;,]*/gi;

/**
 * Whether an Accept header prefers JSON to HTML (RFC 9110, section 12.5.1): a higher quality, else a more specific range, else an
 * earlier one. Without a preference, false.
 */
export function prefersJson(accept: string | undefined): boolean {
  const headers = { accept: accept?.replace(OTHER_PARAMETERS, '') };
  return new Negotiator({ headers }).mediaType(['text/html', 'application/json']) === 'application/json';
}

/** Whether a client names HTML among what it accepts, as browsers do, and does not prefer JSON. */
export const acceptsPages = (accept: string | undefined): boolean =>
  /\btext\/html\b/i.test(accept ?? '') && !prefersJson(accept);

const MAX_LANGUAGES_LENGTH = 1_000;

/** The languages of an Accept-Language header by descending weight, without those of weight 0 (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header = ''): string[] {
  const headers = { 'accept-language': header.slice(0, MAX_LANGUAGES_LENGTH) };
  return new Negotiator({ headers }).languages().filter((code) => code !== '*');
}
