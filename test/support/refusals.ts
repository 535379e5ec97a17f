/* Refusals of the submission API by REST and by GraphQL, in one form. */
import type { Submitted } from './uploads.ts';

type Json = Record<string, unknown>;

/** A refusal in one form: the status, and texts by the name of a field of GraphQL, or `none`. */
export interface Refusal {
  status: number;
  messages: Record<string, string[]>;
}

const camelCase = (key: string) => key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Keys of REST whose field has another name in GraphQL. `version` of a request is nothing there: its upload is missing. */
const FIELDS: Readonly<Record<string, string>> = { non_field_errors: 'none', customLicense: 'license' };

/** The texts of a body of REST by the name of their field. */
export function byField(body: Json): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) =>
      Array.isArray(value)
        ? [[FIELDS[camelCase(key)] ?? FIELDS[key] ?? camelCase(key), value]]
        : Object.entries(byField(value as Json)),
    ),
  );
}

const STATUS: Readonly<Record<string, number>> = {
  ...{ VERSION_EXISTS: 409, INVALID_PACKAGE: 400, BAD_USER_INPUT: 400, NOT_PERMITTED: 403, NOT_FOUND: 404 },
};

/** The refusal in a result of GraphQL. A package that is refused is that of the upload. */
export function graphqlRefusal({ code = '', message = '', fields, path }: Submitted): Refusal {
  const onePath = code === 'INVALID_PACKAGE' ? 'upload' : (path?.at(-1) ?? 'none');
  const messages = fields?.length
    ? Object.fromEntries(fields.map((field) => [field.name, field.messages]))
    : { [onePath]: [message] };
  return { status: STATUS[code] ?? 0, messages };
}

/** The refusal of one field with 400. The messages are texts or matchers of them. */
export const refused = (field: string, ...messages: unknown[]): Refusal => ({
  status: 400,
  messages: { [field]: messages as string[] },
});
