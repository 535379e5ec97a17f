import { config } from '../config.ts';
import { type ErrorCode, ServiceError } from '../errors.ts';
import { HttpRefusal } from '../http/http-refusal.ts';

/** The key of the error message: `error` on the signing endpoints, `detail` elsewhere (contract, Errors). */
export type ErrorStyle = 'error' | 'detail';

/** An error response. */
export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** HTTP status by error code. */
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

/** The error for an unknown address. */
export const unknownAddress = () => new HttpRefusal(404, 'Not found.');

/** Whether an error is one that the client can act upon. Other errors are bugs or outages and are logged. */
export function isRefusal(error: unknown): error is ServiceError | HttpRefusal {
  return error instanceof ServiceError || error instanceof HttpRefusal;
}

/** Returns status, headers and documented body of an error (contract, Errors); of an unexpected one, a 500 without its cause. */
export function errorReply(error: unknown, style: ErrorStyle): ErrorReply {
  if (error instanceof HttpRefusal) {
    return { status: error.status, headers: error.headers, body: { detail: error.message } };
  }
  if (!(error instanceof ServiceError)) {
    return { status: 500, headers: {}, body: { detail: 'Internal Server Error' } };
  }
  return { status: STATUS[error.code], headers: refusalHeaders(error), body: refusalBody(error, style) };
}

function refusalHeaders({ code, details }: ServiceError): Record<string, string> {
  if (code === 'NOT_AUTHENTICATED') return { 'WWW-Authenticate': 'bearer realm="api"' };
  const wait = code === 'READ_ONLY' ? config.RETRY_AFTER : details.retryAfter;
  return wait === undefined ? {} : { 'Retry-After': String(wait) };
}

function refusalBody(error: ServiceError, style: ErrorStyle): Record<string, unknown> {
  const { code, message, details } = error;
  if (code === 'INVALID_INPUT' || code === 'INVALID_PACKAGE' || code === 'VERSION_EXISTS') {
    return style === 'error'
      ? { error: message }
      : ((details.fields as Record<string, unknown> | undefined) ?? { non_field_errors: [message] });
  }
  // Clients of all endpoints find these two under both keys.
  const both = style === 'error' || code === 'READ_ONLY' || code === 'UNAVAILABLE';
  return {
    ...(both ? { error: message } : {}),
    detail: message,
    ...(details.tokenProblem === undefined ? {} : { code: details.tokenProblem }),
    ...(details.flags as Record<string, boolean> | undefined),
  };
}
