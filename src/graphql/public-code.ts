import type { ErrorCode } from '../errors.ts';

/** The code of an error for an argument, variable, id or cursor that cannot be used. */
export const BAD_USER_INPUT = 'BAD_USER_INPUT';

/** The code of a refusal for clients of GraphQL: in `extensions.code`, and in a member of a mutation's result. */
export function publicCode(code: ErrorCode): string {
  return code === 'INVALID_INPUT' ? BAD_USER_INPUT : code;
}
