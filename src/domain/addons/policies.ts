import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';

export interface Policies {
  eula: unknown;
  privacyPolicy: unknown;
}

/** EULA and privacy policy by add-on id. Documents do not contain them, because they are long. */
export const policies = perRequest<number, Policies>(async (ids) => {
  const rows = await db.addon.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, eula: true, privacyPolicy: true },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? { eula: {}, privacyPolicy: {} });
});
