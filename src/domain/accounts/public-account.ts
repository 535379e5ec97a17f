import { canSeePrivateAccount } from '../../auth/permissions.ts';
import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';

/**
 * SQL condition: the account with this id is public, which listed authors of public add-ons are, unless the account is
 * disabled or deleted (contract, GET account; people.md D83). `id` is an SQL expression. The add-on document has the same rule.
 */
export const isPublicAccount = (id: string): string => `EXISTS (
  SELECT FROM account holder JOIN addon_author w ON w.account_id = holder.id JOIN addon a ON a.id = w.addon_id
  WHERE holder.id = ${id} AND holder.disabled_at IS NULL AND holder.deleted_at IS NULL AND w.listed AND ${IS_PUBLIC_ADDON})`;

const publicIds = prepared<{ id: number }>(
  lookupPool,
  'public-accounts',
  `SELECT wanted.id FROM unnest($1::int[]) AS wanted(id) WHERE ${isPublicAccount('wanted.id')}`,
);

const publicAccounts = perRequest<number, boolean>(async (ids) => {
  const found = new Set((await publicIds(ids)).map(({ id }) => id));
  return ids.map((id) => found.has(id));
});

/** Whether the viewer may see an account: a public one, their own, or any with `Users:Edit` (people.md D84). */
export async function canSeeAccount(context: Context, id: number): Promise<boolean> {
  return canSeePrivateAccount(context.viewer, id) || (await publicAccounts(context).load(id));
}
