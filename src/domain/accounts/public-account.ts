import { canSeePrivateAccount } from '../../auth/permissions.ts';
import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { lookupPool } from '../../infra/db.ts';

const PUBLIC_AUTHORS = {
  name: 'public-accounts',
  text: `SELECT DISTINCT w.account_id AS id FROM addon_author w JOIN addon a ON a.id = w.addon_id
    WHERE w.account_id = ANY($1) AND w.listed AND a.status = 'public'`,
};

/** Whether accounts are public: listed authors of a public add-on are (contract, GET account). */
const isPublicAccount = perRequest<number, boolean>(async (ids) => {
  const { rows } = await lookupPool.query<{ id: number }>({ ...PUBLIC_AUTHORS, values: [ids] });
  const known = new Set(rows.map(({ id }) => id));
  return ids.map((id) => known.has(id));
});

/** Whether the viewer may open the page of an account: everybody a public one, himself his own. */
export async function canOpenAccount(context: Context, id: number): Promise<boolean> {
  return canSeePrivateAccount(context.viewer, id) || (await isPublicAccount(context).load(id));
}
