import { builder } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/global-id.ts';

export const AccountRefInput = builder.inputType('AccountRefInput', {
  description: 'Names an account in one way.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'Global id of the account.' }),
    databaseId: t.int({ description: 'The id of the account in REST.' }),
    username: t.string({ description: 'Username in any case.' }),
  }),
});

/** One of the fields has a value. */
export type AccountRef = typeof AccountRefInput.$inferInput;

/**
 * The unique column that a reference names, and its value.
 * @throws {InvalidInputError} on `field` for a global id of another type.
 */
export function accountKey(
  { id, databaseId, username }: AccountRef,
  field = 'id',
): { id: number } | { username: string } {
  if (id != null) return { id: idOf('Account', id, field) };
  return databaseId == null ? { username: username ?? '' } : { id: databaseId };
}
