import { canSeePrivateAccount } from '../../auth/account-permissions.ts';
import { IS_PUBLIC_ADDON } from '../../auth/public-addon.ts';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool, prepared } from '../../infra/db.ts';

/**
 * SQL condition: the account with this id is public, which listed authors of public add-ons are, unless the account is
 * disabled or deleted (contract, GET account; docs/decisions.md D83). `id` is an SQL expression. The add-on document has the same rule.
 */
export const isPublicAccount = (id: string): string => `EXISTS (
  SELECT FROM account holder JOIN addon_author w ON w.account_id = holder.id JOIN addon a ON a.id = w.addon_id
  WHERE holder.id = ${id} AND holder.disabled_at IS NULL AND holder.deleted_at IS NULL AND w.listed AND ${IS_PUBLIC_ADDON})`;

const existing = prepared<{ id: number; isPublic: boolean }>(
  lookupPool,
  'existing-accounts',
  `SELECT found.id, ${isPublicAccount('found.id')} AS "isPublic" FROM account found
   WHERE found.id = ANY ($1::int[]) AND found.deleted_at IS NULL`,
);

/** Whether an account is public; null for a deleted one. */
const publicity = perRequest<number, boolean | null>(async (ids) => {
  const found = new Map((await existing(ids)).map(({ id, isPublic }) => [id, isPublic]));
  return ids.map((id) => found.get(id) ?? null);
});

/**
 * Whether the viewer may see an account: a public one, their own, or any with `Users:Edit`, but no deleted one (docs/decisions.md D83,
 * D84). `isPublic` is null for a deleted account.
 */
export const isVisibleAccount = (viewer: Viewer, id: number, isPublic: boolean | null): boolean =>
  isPublic !== null && (isPublic || canSeePrivateAccount(viewer, id));

/** Whether the viewer may see an account. */
export async function canSeeAccount(context: Context, id: number): Promise<boolean> {
  return isVisibleAccount(context.viewer, id, await publicity(context).load(id));
}
