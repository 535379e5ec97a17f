/** The error for a header. */
export interface Refusal {
  /** The whole message. */
  detail: string | RegExp;
  code?: 'ERROR_INVALID_HEADER' | 'ERROR_SIGNATURE_EXPIRED' | 'ERROR_DECODING_SIGNATURE';
}

export const UNDECODABLE = { detail: /^Error decoding signature\./, code: 'ERROR_DECODING_SIGNATURE' } as const;
export const WRONG_TYPE = {
  detail: /^Wrong type for one or more keys in payload: "\w+" is /,
  code: 'ERROR_DECODING_SIGNATURE',
} as const;
export const EMPTY = {
  detail: 'Invalid Authorization header. No credentials provided.',
  code: 'ERROR_INVALID_HEADER',
} as const;
export const SPACES = {
  detail: 'Invalid Authorization header. Credentials string should not contain spaces.',
  code: 'ERROR_INVALID_HEADER',
} as const;
export const NO_ISSUER = { detail: 'JWT iss (issuer) claim is missing.', code: 'ERROR_DECODING_SIGNATURE' } as const;
export const TOO_LONG = { detail: /^JWT exp \(expiration\) is too long\. exp / } as const;
export const NOT_AFTER = { detail: /^JWT exp \(expiration\) is not after iat\. exp is -?\d+, iat is \d+\.$/ } as const;
export const NO_NONCE = {
  detail: /^Invalid JWT: "jti" is not a nonce\. It /,
  code: 'ERROR_DECODING_SIGNATURE',
} as const;
export const ORIGINAL = {
  detail: "API key based tokens are not refreshable, don't include `orig_iat` in their payload.",
  code: 'ERROR_DECODING_SIGNATURE',
} as const;
export const UNKNOWN_BEARER = { detail: 'Incorrect authentication credentials.' } as const;

export const missing = (name: string) =>
  ({ detail: `Invalid JWT: Token is missing the "${name}" claim.`, code: 'ERROR_DECODING_SIGNATURE' }) as const;

const SERVER_TIME = String.raw`Server time is \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ, skew -?\d+ s\.`;
export const EXPIRED = {
  detail: new RegExp(String.raw`^Signature has expired\. ${SERVER_TIME}$`),
  code: 'ERROR_SIGNATURE_EXPIRED',
} as const;
export const FUTURE = {
  detail: new RegExp(
    String.raw`^JWT iat \(issued at time\) is invalid\. Make sure your system clock is synchronized with something like TLSdate\. ${SERVER_TIME}$`,
  ),
} as const;
export const MILLISECONDS = {
  detail:
    /^JWT iat \(issued at time\) is invalid\. iat seems to be in milliseconds; send seconds since 1970, now \d+\.$/,
} as const;
export const NOT_YET = {
  detail: new RegExp(String.raw`^Invalid JWT Token\. nbf is \d+, which is not yet reached\. ${SERVER_TIME}$`),
} as const;

/** A hostile header: its flaw, its value, the expected error. */
export type Row = [name: string, header: string, refusal: Refusal];
