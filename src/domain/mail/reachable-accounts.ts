import type { Context } from '../../graphql/context.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { db } from '../../infra/db.ts';
import { isSendable } from './mail-settings.ts';
import { getsMail } from './notification-types.ts';

const reachability = perRequest<number, boolean>(async (ids) => {
  const rows = await db.$queryRaw<{ id: number; email: string }[]>`
    SELECT a.id, a.email::text FROM account a
    WHERE a.id = ANY (${[...ids]}::int[]) AND ${getsMail('individual_contact')}`;
  const reachable = new Set(rows.filter(({ email }) => isSendable(email)).map(({ id }) => id));
  return ids.map((id) => reachable.has(id));
});

/** Whether an account gets letters of staff: it has an address, and is neither disabled nor deleted. */
export const getsLetters = (context: Context, accountId: number): Promise<boolean> =>
  reachability(context).load(accountId);
