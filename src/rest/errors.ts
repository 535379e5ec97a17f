import { ServiceError, SignInError, type SignInProblem } from '../errors.ts';
import { HttpRefusal, isRefusal } from '../http/http-refusal.ts';
import { REFUSAL_STATUS, retryHeaders } from '../http/refusal-status.ts';
import { message } from '../texts/messages.ts';

/* Errors of operations name fields by the paths of GraphQL; bodies of the submission API name them as the request does. */

/** Where errors of an operation go in a body with the error style `fields`. Request keys have dots between levels. */
export interface ErrorKeys {
  /** Request keys by the fields that errors of the operation name. */
  fields: Readonly<Record<string, string>>;
  /** Request key of a refused package. */
  package?: string;
}

/** The key of errors that belong to no field (contract, 400 body). */
const NO_FIELD = 'non_field_errors';

/** Messages by key, nested like the request. */
interface NestedMessages {
  [key: string]: string[] | NestedMessages;
}

/** The same keys below `parent`, for a request that nests one object in another. */
export function keysBelow(parent: string, keys: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).map(([field, key]) => [field, `${parent}.${key}`]));
}

/** Messages of an error under the request's keys. Without `keys`, fields have the same names in the request. */
function messagesByKey(
  message: string,
  fields: Readonly<Record<string, string[]>> | undefined,
  keys: ErrorKeys | null,
): NestedMessages {
  if (fields === undefined) return { [NO_FIELD]: [message] };
  const nested: NestedMessages = {};
  const unkeyed = Object.entries(fields).filter(([field]) => keyOf(field, keys) === NO_FIELD);
  for (const [field, messages] of Object.entries(fields)) {
    if (keyOf(field, keys) !== NO_FIELD) add(nested, keyOf(field, keys), messages);
  }
  if (unkeyed.length > 0) add(nested, NO_FIELD, unkeyedMessages(unkeyed));
  return nested;
}

/** Messages on fields that the request has no keys for, each once, and then the names of the fields. */
function unkeyedMessages(unkeyed: readonly (readonly [string, string[]])[]): string[] {
  const names = unkeyed.map(([field]) => field).filter((field) => field !== NO_FIELD);
  const messages = [...new Set(unkeyed.flatMap(([, each]) => each))];
  return names.length === 0 ? messages : [...messages, `Fields: ${names.join(', ')}.`];
}

function keyOf(field: string, keys: ErrorKeys | null): string {
  if (keys === null) return field;
  return Object.hasOwn(keys.fields, field) ? (keys.fields[field] ?? NO_FIELD) : NO_FIELD;
}

/** Messages of a refused package. */
function packageMessages(message: string, keys: ErrorKeys | null): NestedMessages {
  const nested: NestedMessages = {};
  add(nested, keys?.package ?? 'upload', [message]);
  return nested;
}

function add(nested: NestedMessages, path: string, messages: readonly string[]): void {
  const [key = NO_FIELD, ...rest] = path.split('.');
  const present = Object.hasOwn(nested, key) ? nested[key] : undefined;
  if (rest.length === 0) {
    nested[key] = [...(Array.isArray(present) ? present : []), ...messages];
    return;
  }
  const below = present === undefined || Array.isArray(present) ? {} : present;
  nested[key] = below;
  add(below, rest.join('.'), messages);
}

/**
 * The key of the error message: `error` on the signing endpoints, `detail` elsewhere (contract, Errors). `sign-in` has `detail` and a
 * code as `error`, or a page for browsers (docs/decisions.md D104). `unprocessable` is `detail` with 422 instead of 400 (contract,
 * super-create). `fields` is the style of the submission API: messages by field for 400 and 409, else `detail` alone.
 */
export type ErrorStyle = 'error' | 'detail' | 'sign-in' | 'unprocessable' | 'fields';

/** An error response. */
interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

const SIGN_IN_STATUS: Readonly<Record<SignInProblem, number>> = {
  'no-code': 422,
  'state-mismatch': 400,
  'no-profile': 401,
  'account-disabled': 403,
  'identity-not-linked': 403,
  'identity-taken': 403,
  'acr-required': 403,
};

/** A failed sign-in that a browser gets as a page, which the handler of errors of all layers sends (docs/decisions.md D104). */
export class SignInRefusal extends HttpRefusal {
  /** Why the operator disabled the account, in their words: empty without a reason. Null for other problems. */
  readonly comment: string | null;

  constructor(status: number, error: unknown) {
    super(status, isRefusal(error) ? error.reason : message('request.failed'));
    this.comment = error instanceof SignInError ? error.comment : null;
  }
}

function statusOf(error: ServiceError, style: ErrorStyle): number {
  if (style === 'unprocessable' && error.code === 'INVALID_INPUT') return 422;
  if (error instanceof SignInError) return SIGN_IN_STATUS[error.problem];
  return REFUSAL_STATUS[error.code];
}

/** Returns status, headers and documented body of an error (contract, Errors); of an unexpected one, a 500 without its cause. */
export function errorReply(error: unknown, style: ErrorStyle, keys: ErrorKeys | null = null): ErrorReply {
  if (error instanceof HttpRefusal) {
    const { status, headers, message } = error;
    const isKeyed = style === 'fields' && status === 400;
    return { status, headers, body: isKeyed ? messagesByKey(message, undefined, keys) : { detail: message } };
  }
  if (!(error instanceof ServiceError)) {
    return { status: 500, headers: {}, body: { detail: 'Internal Server Error' } };
  }
  const body = style === 'fields' ? fieldsBody(error, keys) : refusalBody(error, style);
  return { status: statusOf(error, style), headers: refusalHeaders(error), body };
}

function refusalHeaders({ code, details }: ServiceError): Record<string, string> {
  if (code === 'NOT_AUTHENTICATED' || details.problem === 'no-profile')
    return { 'WWW-Authenticate': 'bearer realm="api"' };
  return retryHeaders(code, details);
}

function fieldsBody({ code, message, details }: ServiceError, keys: ErrorKeys | null): Record<string, unknown> {
  if (code === 'INVALID_PACKAGE') return packageMessages(message, keys);
  if (code === 'VERSION_EXISTS') return { version: [message] };
  if (code === 'INVALID_INPUT') return messagesByKey(message, details.fields as Record<string, string[]>, keys);
  return {
    detail: message,
    ...(details.tokenProblem === undefined ? {} : { code: details.tokenProblem }),
    ...(details.flags as Record<string, boolean> | undefined),
  };
}

function refusalBody(error: ServiceError, style: ErrorStyle): Record<string, unknown> {
  const { code, message, details } = error;
  if (style === 'sign-in' && code !== 'READ_ONLY') return { error: signInCode(error), detail: message };
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

/** The code of a failed sign-in, for clients. */
function signInCode(error: ServiceError): string {
  if (error instanceof SignInError) return error.problem;
  return { NOT_FOUND: 'not-found', THROTTLED: 'throttled' }[error.code as string] ?? 'unavailable';
}
