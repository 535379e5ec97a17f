import type { ErrorCode } from '../errors.ts';
import { builder } from './builder.ts';

/** The code of an error for an argument, variable, id or cursor that cannot be used. */
export const BAD_USER_INPUT = 'BAD_USER_INPUT';

/** A code of a refusal in GraphQL. */
type PublicCode = Exclude<ErrorCode, 'INVALID_INPUT'> | typeof BAD_USER_INPUT;

/** The code of a refusal for clients of GraphQL: in `extensions.code`, and in a member of a mutation's result. */
export const publicCode = (code: ErrorCode): PublicCode => (code === 'INVALID_INPUT' ? BAD_USER_INPUT : code);

const DESCRIPTIONS: Readonly<Record<PublicCode, string>> = {
  BAD_USER_INPUT: 'A value of the input, an argument, an id or a cursor cannot be used.',
  INVALID_PACKAGE: 'The uploaded package is unreadable or breaks a rule for packages.',
  NOT_AUTHENTICATED: 'The client is anonymous, or its credentials are invalid.',
  SIGN_IN_FAILED: 'A sign-in through the identity provider failed.',
  NOT_PERMITTED: 'The account lacks the permission.',
  NOT_FOUND: 'The object does not exist, or the viewer may not see it.',
  VERSION_EXISTS: 'The version number is taken.',
  CONFLICT: 'Others have acted on the object since the client read it.',
  READ_ONLY: 'The service is in read-only mode.',
  THROTTLED: 'Too many requests.',
  UNAVAILABLE: 'A temporary failure of the service.',
};

export const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'The kind of a failure. Refusals in `errors` have the same in `extensions.code`; what exactly is wrong is the code of `Message`.',
  values: Object.fromEntries(
    Object.entries(DESCRIPTIONS).map(([code, description]) => [code, { value: code as PublicCode, description }]),
  ) as Record<PublicCode, { value: PublicCode; description: string }>,
});
