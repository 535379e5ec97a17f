// Not all of `graphql`: processes that parse files load this module when they start.
import { GraphQLError } from 'graphql/error/GraphQLError.js';
import { englishText, type Message, message } from './texts/messages.ts';

/**
 * Kinds of expected errors. `http/refusal-status.ts` has the HTTP status of each, `rest/errors.ts` the body, and `graphql/public-code.ts` the
 * name that GraphQL clients get in `extensions.code`. What exactly is wrong is the code of the message.
 */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_PACKAGE'
  | 'NOT_AUTHENTICATED'
  | 'SIGN_IN_FAILED'
  | 'NOT_PERMITTED'
  | 'NOT_FOUND'
  | 'VERSION_EXISTS'
  | 'CONFLICT'
  | 'READ_ONLY'
  | 'THROTTLED'
  | 'UNAVAILABLE';

/** The documented constants of a 401 body (contract, Errors). */
type TokenProblem = 'ERROR_INVALID_HEADER' | 'ERROR_SIGNATURE_EXPIRED' | 'ERROR_DECODING_SIGNATURE';

/**
 * An expected error. `message` is its English text, which is documented; `reason` the same as code and parameters. `code` is the
 * kind, and `details` has the data of that kind: field messages, a token problem, seconds to wait.
 */
export class ServiceError extends GraphQLError {
  readonly code: ErrorCode;
  readonly reason: Message;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, reason: Message, details: Record<string, unknown> = {}) {
    super(englishText(reason), {
      extensions: {
        code,
        messageCode: reason.code,
        messageParams: reason.params,
        ...(Object.keys(details).length > 0 ? { details } : {}),
      },
    });
    this.name = new.target.name;
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

/** Messages by field. */
export type FieldMessages = Readonly<Record<string, readonly Message[]>>;

/** The details of an error on fields: their English texts, and the messages. */
interface FieldDetails {
  fields?: Readonly<Record<string, readonly string[]>>;
  fieldMessages?: FieldMessages;
}

function fieldDetails(fieldMessages: FieldMessages): FieldDetails {
  const entries = Object.entries(fieldMessages);
  if (entries.length === 0) return {};
  return {
    fields: Object.fromEntries(entries.map(([field, messages]) => [field, messages.map(englishText)])),
    fieldMessages,
  };
}

/** The messages of a refusal by field; null for a refusal that names no field. */
export const fieldMessagesOf = ({ details }: ServiceError): FieldMessages | null =>
  (details as FieldDetails).fieldMessages ?? null;

/**
 * A request value is wrong. `fields` maps argument names to messages; without it the message belongs to no single field. `changed`
 * are the names of those that others have changed since the client read them.
 */
export class InvalidInputError extends ServiceError {
  constructor(text: Message, fields: FieldMessages = {}, changed: readonly string[] = []) {
    super('INVALID_INPUT', text, {
      ...fieldDetails(fields),
      ...(changed.length > 0 ? { changed } : {}),
    });
  }
}

/** The fields of a refusal that others have changed since the client read them, by name. */
export const changedFieldsOf = ({ details }: ServiceError): readonly string[] =>
  (details.changed as readonly string[] | undefined) ?? [];

/** Returns the error of one argument or input field, for the caller to throw. */
export function refusedField(field: string, text: Message): InvalidInputError {
  return new InvalidInputError(text, { [field]: [text] });
}

/** A value that the service offers in place of a refused one, and what it names. */
export interface OfferedValue {
  value: string;
  name: string;
}

/** A field has an unknown value, and may mean one of others. */
export class SimilarValuesError extends InvalidInputError {
  readonly offers: Readonly<Record<string, readonly OfferedValue[]>>;

  constructor(field: string, text: Message, offers: readonly OfferedValue[]) {
    super(text, { [field]: [text] });
    this.offers = { [field]: offers };
  }
}

/** An error whose fields, and the names of parameters in all messages, are renamed. `names` are the new ones by the old ones. */
export function withFieldNames(error: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof InvalidInputError) || Object.keys(names).length === 0) return error;
  const fields = fieldMessagesOf(error);
  if (fields === null) return error;
  const newName = (name: string) => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);
  const withName = (text: Message): Message => {
    const { name } = text.params;
    return typeof name === 'string' ? { ...text, params: { ...text.params, name: newName(name) } } : text;
  };
  const renamed = Object.entries(fields).map(([field, messages]) => [newName(field), messages.map(withName)]);
  return new InvalidInputError(
    withName(error.reason),
    Object.fromEntries(renamed),
    changedFieldsOf(error).map(newName),
  );
}

/** The error of several arguments or input fields, by name; its own message is the first one. */
export function refusedFields(problems: ReadonlyMap<string, Message>): InvalidInputError {
  const [first = message('form.invalid_fields')] = problems.values();
  return new InvalidInputError(first, Object.fromEntries([...problems].map(([name, problem]) => [name, [problem]])));
}

/** The uploaded package is unreadable, hostile or breaks a packaging rule (contract, Signing: 400 with `error`). */
export class PackageError extends ServiceError {
  constructor(text: Message) {
    super('INVALID_PACKAGE', text);
  }
}

/**
 * The client is anonymous or its credentials are invalid (contract, Errors: 401). `flags` are the two disabled flags of an
 * add-on that is not public.
 */
export class NotAuthenticatedError extends ServiceError {
  constructor(
    text: Message = message('request.unauthenticated'),
    tokenProblem?: TokenProblem,
    flags: Record<string, boolean> = {},
  ) {
    super('NOT_AUTHENTICATED', text, {
      ...(tokenProblem ? { tokenProblem } : {}),
      ...(Object.keys(flags).length > 0 ? { flags } : {}),
    });
  }
}

/** Why a sign-in through the identity provider failed (docs/decisions.md D104), with the text for people. */
const SIGN_IN_PROBLEMS = {
  'no-code': message('sign_in.no_code'),
  'state-mismatch': message('sign_in.state_mismatch'),
  'no-profile': message('sign_in.no_profile'),
  'account-disabled': message('request.not_permitted'),
  'identity-not-linked': message('sign_in.identity_not_linked'),
  'identity-taken': message('sign_in.identity_taken'),
  'acr-required': message('sign_in.acr_required'),
} as const;

export type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

/** A sign-in through the identity provider failed. */
export class SignInError extends ServiceError {
  readonly problem: SignInProblem;
  /** Why the operator disabled the account, in their words: empty if they named no reason. Null for other problems. */
  readonly comment: string | null;

  constructor(problem: SignInProblem, comment: string | null = null) {
    super('SIGN_IN_FAILED', SIGN_IN_PROBLEMS[problem], { problem });
    this.problem = problem;
    this.comment = comment;
  }
}

/** The account lacks the permission (contract, Errors: 403). `flags` are the two disabled flags of an add-on. */
export class NotPermittedError extends ServiceError {
  constructor(text: Message = message('request.not_permitted'), flags: Record<string, boolean> = {}) {
    super('NOT_PERMITTED', text, Object.keys(flags).length > 0 ? { flags } : {});
  }
}

/** The object does not exist, or its existence is hidden from the caller (contract, Errors: 404). */
export class NotFoundError extends ServiceError {
  constructor(text: Message = message('request.not_found')) {
    super('NOT_FOUND', text);
  }
}

/** The version number is taken (contract, Signing: 409). `field` is the input field at fault, where one is. */
export class VersionExistsError extends ServiceError {
  constructor(text: Message, field?: string) {
    super('VERSION_EXISTS', text, { ...fieldDetails(field === undefined ? {} : { [field]: [text] }) });
  }
}

/**
 * Others have acted on the object since the client read it (409). `changed` are the names of the expected values that are no longer
 * true.
 */
export class ConflictError extends ServiceError {
  constructor(text: Message, changed: readonly string[]) {
    super('CONFLICT', text, { changed });
  }
}

/** The service is in read-only mode (contract, 503 and read-only mode). */
export class ReadOnlyError extends ServiceError {
  /** `text` is the message in the language of the request. */
  constructor(text: string) {
    super('READ_ONLY', message('service.read_only'));
    this.message = text;
  }
}

/** Too many requests; `seconds` is the time until the next one is accepted. */
export class ThrottledError extends ServiceError {
  constructor(seconds: number) {
    super('THROTTLED', message('request.throttled', { count: seconds }), { retryAfter: seconds });
  }
}

/**
 * A temporary failure: the disk is full, the database does not respond (503).
 * `seconds` is the time until a retry makes sense, if known.
 */
export class UnavailableError extends ServiceError {
  constructor(text: Message = message('service.unavailable'), seconds?: number) {
    super('UNAVAILABLE', text, seconds === undefined ? {} : { retryAfter: seconds });
  }
}

/** Work on a package that takes longer than a request waits (503). It continues, and a later request gets its result. */
export class UnfinishedError extends UnavailableError {
  constructor() {
    super(message('code.unfinished'), 5);
  }
}

/** Work on a package that exceeds its limits of time or memory, or with which a process crashes (503): another attempt seldom helps. */
export class WorkLimitError extends ServiceError {
  constructor() {
    super('UNAVAILABLE', message('code.too_much'), { retryAfter: 60 });
  }
}
