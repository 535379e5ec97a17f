import { GraphQLError } from 'graphql';

/** Every code a refusal can carry. `rest/errors.ts` maps each to a status and a body; GraphQL shows it in `extensions.code`. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_PACKAGE'
  | 'NOT_AUTHENTICATED'
  | 'NOT_PERMITTED'
  | 'NOT_FOUND'
  | 'VERSION_EXISTS'
  | 'READ_ONLY'
  | 'THROTTLED'
  | 'UNAVAILABLE';

/** The documented constants of a 401 body (contract, Errors). */
export type TokenProblem = 'ERROR_INVALID_HEADER' | 'ERROR_SIGNATURE_EXPIRED' | 'ERROR_DECODING_SIGNATURE';

/**
 * A refusal that a caller can understand and act upon. `message` is the documented text, `code` says which kind it is and
 * `details` carries what that kind promises: field messages, a token problem, seconds to wait.
 */
export class ServiceError extends GraphQLError {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message, { extensions: { code, ...(Object.keys(details).length > 0 ? { details } : {}) } });
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }
}

/** A request value is wrong. `fields` maps argument names to messages; without it the message belongs to no single field. */
export class InvalidInputError extends ServiceError {
  constructor(message: string, fields: Record<string, string[]> = {}) {
    super('INVALID_INPUT', message, Object.keys(fields).length > 0 ? { fields } : {});
    this.name = 'InvalidInputError';
  }
}

/** The refusal of one argument or input field, which its message is about. @returns an error to be thrown. */
export function refusedField(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { [field]: [message] });
}

/** The uploaded package is unreadable, hostile or breaks a packaging rule (contract, Signing: 400 with `error`). */
export class PackageError extends ServiceError {
  constructor(message: string) {
    super('INVALID_PACKAGE', message);
    this.name = 'PackageError';
  }
}

/**
 * Nobody is signed in, or the credentials do not hold (contract, Errors: 401). `flags` are the two disabled flags of an
 * add-on that is not public.
 */
export class NotAuthenticatedError extends ServiceError {
  constructor(
    message = 'Authentication credentials were not provided.',
    tokenProblem?: TokenProblem,
    flags: Record<string, boolean> = {},
  ) {
    super('NOT_AUTHENTICATED', message, {
      ...(tokenProblem ? { tokenProblem } : {}),
      ...(Object.keys(flags).length > 0 ? { flags } : {}),
    });
    this.name = 'NotAuthenticatedError';
  }
}

/** The caller is known and may not do this (contract, Errors: 403). `flags` are the two disabled flags of an add-on. */
export class NotPermittedError extends ServiceError {
  constructor(message = 'You do not have permission to perform this action.', flags: Record<string, boolean> = {}) {
    super('NOT_PERMITTED', message, Object.keys(flags).length > 0 ? { flags } : {});
    this.name = 'NotPermittedError';
  }
}

/** The thing does not exist, or the caller may not learn that it does (contract, Errors: 404). */
export class NotFoundError extends ServiceError {
  constructor(message = 'Not found.') {
    super('NOT_FOUND', message);
    this.name = 'NotFoundError';
  }
}

/** The version number is taken (contract, Signing: 409). */
export class VersionExistsError extends ServiceError {
  constructor(message: string) {
    super('VERSION_EXISTS', message);
    this.name = 'VersionExistsError';
  }
}

/** The service is in read-only mode (contract, 503 and read-only mode). */
export class ReadOnlyError extends ServiceError {
  constructor(message: string) {
    super('READ_ONLY', message);
    this.name = 'ReadOnlyError';
  }
}

/** Too many requests; `seconds` is when the next one will be let through. */
export class ThrottledError extends ServiceError {
  constructor(seconds: number) {
    super('THROTTLED', `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`, {
      retryAfter: seconds,
    });
    this.name = 'ThrottledError';
  }
}

/**
 * Something this service depends on is out of order for now: the disk is full, the database does not answer (503).
 * `seconds` is when it is worth another try, if that is known.
 */
export class UnavailableError extends ServiceError {
  constructor(message = 'The service is temporarily unavailable.', seconds?: number) {
    super('UNAVAILABLE', message, seconds === undefined ? {} : { retryAfter: seconds });
    this.name = 'UnavailableError';
  }
}
