import { GraphQLError } from 'graphql';

/** Codes of expected errors. `rest/errors.ts` maps each to status and body; GraphQL returns it in `extensions.code`. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_PACKAGE'
  | 'NOT_AUTHENTICATED'
  | 'SIGN_IN_FAILED'
  | 'NOT_PERMITTED'
  | 'NOT_FOUND'
  | 'VERSION_EXISTS'
  | 'READ_ONLY'
  | 'THROTTLED'
  | 'UNAVAILABLE';

/** The documented constants of a 401 body (contract, Errors). */
export type TokenProblem = 'ERROR_INVALID_HEADER' | 'ERROR_SIGNATURE_EXPIRED' | 'ERROR_DECODING_SIGNATURE';

/**
 * An expected error. `message` is the documented text, `code` the kind, and
 * `details` has the data of that kind: field messages, a token problem, seconds to wait.
 */
export class ServiceError extends GraphQLError {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message, { extensions: { code, ...(Object.keys(details).length > 0 ? { details } : {}) } });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
  }
}

/**
 * A request value is wrong. `fields` maps argument names to messages; without it the message belongs to no single field. `changed`
 * are the names of those that others have changed since the client read them.
 */
export class InvalidInputError extends ServiceError {
  constructor(message: string, fields: Record<string, string[]> = {}, changed: readonly string[] = []) {
    super('INVALID_INPUT', message, {
      ...(Object.keys(fields).length > 0 ? { fields } : {}),
      ...(changed.length > 0 ? { changed } : {}),
    });
  }
}

/** The fields of a refusal that others have changed since the client read them, by name. */
export const changedFieldsOf = ({ details }: ServiceError): readonly string[] =>
  (details.changed as readonly string[] | undefined) ?? [];

/** The text for an upload that is unknown, of another account, expired, not validated yet or invalid. */
export const UPLOAD_NOT_VALID = 'Upload is not valid. Upload the file again (web-ext: delete .amo-upload-uuid).';

/** The error of one argument or input field; returned, not thrown. */
export function refusedField(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { [field]: [message] });
}

/** The uploaded package is unreadable, hostile or breaks a packaging rule (contract, Signing: 400 with `error`). */
export class PackageError extends ServiceError {
  constructor(message: string) {
    super('INVALID_PACKAGE', message);
  }
}

/**
 * The client is anonymous or its credentials are invalid (contract, Errors: 401). `flags` are the two disabled flags of an
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
  }
}

/** Why a sign-in through the identity provider failed (people.md D104), with the text for people. */
const SIGN_IN_PROBLEMS = {
  'no-code': 'The identity provider returned no code.',
  'state-mismatch': 'This sign-in was started in another browser, has expired or was used before.',
  'no-profile': 'The identity provider did not confirm an identity with a usable e-mail address.',
  'account-disabled': 'You do not have permission to perform this action.',
} as const;

export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

/** A sign-in through the identity provider failed. */
export class SignInError extends ServiceError {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem) {
    super('SIGN_IN_FAILED', SIGN_IN_PROBLEMS[problem], { problem });
    this.problem = problem;
  }
}

/** The account lacks the permission (contract, Errors: 403). `flags` are the two disabled flags of an add-on. */
export class NotPermittedError extends ServiceError {
  constructor(message = 'You do not have permission to perform this action.', flags: Record<string, boolean> = {}) {
    super('NOT_PERMITTED', message, Object.keys(flags).length > 0 ? { flags } : {});
  }
}

/** The object does not exist, or its existence is hidden from the caller (contract, Errors: 404). */
export class NotFoundError extends ServiceError {
  constructor(message = 'Not found.') {
    super('NOT_FOUND', message);
  }
}

/** The version number is taken (contract, Signing: 409). `field` is the input field at fault, where one is. */
export class VersionExistsError extends ServiceError {
  constructor(message: string, field?: string) {
    super('VERSION_EXISTS', message, field === undefined ? {} : { fields: { [field]: [message] } });
  }
}

/** The service is in read-only mode (contract, 503 and read-only mode). */
export class ReadOnlyError extends ServiceError {
  constructor(message: string) {
    super('READ_ONLY', message);
  }
}

/** Too many requests; `seconds` is the time until the next one is accepted. */
export class ThrottledError extends ServiceError {
  constructor(seconds: number) {
    super('THROTTLED', `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`, {
      retryAfter: seconds,
    });
  }
}

/**
 * A temporary failure: the disk is full, the database does not respond (503).
 * `seconds` is the time until a retry makes sense, if known.
 */
export class UnavailableError extends ServiceError {
  constructor(message = 'The service is temporarily unavailable.', seconds?: number) {
    super('UNAVAILABLE', message, seconds === undefined ? {} : { retryAfter: seconds });
  }
}
