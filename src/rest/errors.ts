import { type ErrorCode, ServiceError } from '../errors.ts';
import { HttpRefusal } from '../http/http-refusal.ts';

/** Where the text of a refusal stands: under `error` on the signing endpoints, under `detail` elsewhere (contract, Errors). */
export type ErrorStyle = 'error' | 'detail';

/** An error as it goes over the wire. */
export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** The status of every refusal that the domain knows. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  INVALID_PACKAGE: 400,
  NOT_AUTHENTICATED: 401,
  NOT_PERMITTED: 403,
  NOT_FOUND: 404,
  VERSION_EXISTS: 409,
  THROTTLED: 429,
  READ_ONLY: 503,
  UNAVAILABLE: 503,
};

/** An address that nothing is served under. */
export const unknownAddress = () => new HttpRefusal(404, 'Not found.');

/** Whether an error is a refusal that its reader can act upon; anything else is our fault and belongs into the log. */
export function isRefusal(error: unknown): error is ServiceError | HttpRefusal {
  return error instanceof ServiceError || error instanceof HttpRefusal;
}

/**
 * Status, headers and documented body of an error (contract, Errors). What is not a refusal becomes a 500 that tells
 * nothing about its cause.
 */
export function errorReply(
  error: unknown,
  style: ErrorStyle,
  { retryAfter }: { retryAfter?: number } = {},
): ErrorReply {
  if (error instanceof HttpRefusal) {
    return { status: error.status, headers: error.headers, body: { detail: error.message } };
  }
  if (!(error instanceof ServiceError)) {
    return { status: 500, headers: {}, body: { detail: 'Internal Server Error' } };
  }
  return {
    status: STATUS[error.code],
    headers: refusalHeaders(error, retryAfter),
    body: refusalBody(error, style),
  };
}

function refusalHeaders(error: ServiceError, readOnlyRetryAfter: number | undefined): Record<string, string> {
  if (error.code === 'NOT_AUTHENTICATED') return { 'WWW-Authenticate': 'bearer realm="api"' };
  const seconds = error.details.retryAfter;
  const wait = error.code === 'READ_ONLY' ? readOnlyRetryAfter : seconds;
  return wait === undefined ? {} : { 'Retry-After': String(wait) };
}

function refusalBody(error: ServiceError, style: ErrorStyle): Record<string, unknown> {
  const { code, message, details } = error;
  if (code === 'INVALID_INPUT' || code === 'INVALID_PACKAGE' || code === 'VERSION_EXISTS') {
    return style === 'error' ? { error: message } : (fieldMessages(details) ?? { non_field_errors: [message] });
  }
  // Read-only mode and a service that is out of order say the same under both names, whoever asks.
  const both = style === 'error' || code === 'READ_ONLY' || code === 'UNAVAILABLE';
  return {
    ...(both ? { error: message } : {}),
    detail: message,
    ...(details.tokenProblem === undefined ? {} : { code: details.tokenProblem }),
    ...(details.flags as Record<string, boolean> | undefined),
  };
}

function fieldMessages(details: ServiceError['details']): Record<string, unknown> | null {
  return (details.fields as Record<string, unknown> | undefined) ?? null;
}
