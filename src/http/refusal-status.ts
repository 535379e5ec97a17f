import { config } from '../config.ts';
import type { ErrorCode } from '../errors.ts';

/** HTTP status by error code. REST has several for failed sign-ins. */
export const REFUSAL_STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  INVALID_PACKAGE: 400,
  NOT_AUTHENTICATED: 401,
  SIGN_IN_FAILED: 400,
  NOT_PERMITTED: 403,
  NOT_FOUND: 404,
  VERSION_EXISTS: 409,
  CONFLICT: 409,
  THROTTLED: 429,
  READ_ONLY: 503,
  UNAVAILABLE: 503,
};

/** The header `Retry-After` of a refusal; empty when the time is unknown. `details` are those of the error. */
export function retryHeaders(
  code: string | undefined,
  details: { readonly retryAfter?: unknown } = {},
): Record<string, string> {
  const wait = code === 'READ_ONLY' ? config.RETRY_AFTER : details.retryAfter;
  return wait === undefined ? {} : { 'Retry-After': String(wait) };
}
