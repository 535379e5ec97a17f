import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { refusedFields } from '../../errors.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { type Database, db, Prisma } from '../../infra/db.ts';
import type { AccountRef } from '../accounts/account-ref.ts';
import { editableAccountId } from '../accounts/find-account.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';
import { checkNotifications, type Notification, notificationsOf } from './notification-rules.ts';

interface Row {
  id: number;
  isDeveloper: boolean;
  chosen: Record<string, boolean> | null;
}

/** A notification of an account. */
export interface AccountNotification extends Notification {
  accountId: number;
}

/** The notifications of accounts by id, in one statement. Developers are authors of an add-on that is not deleted. */
async function readNotifications(tx: Database, ids: readonly number[]): Promise<Map<number, AccountNotification[]>> {
  const rows = await tx.$queryRaw<Row[]>`
    SELECT p.id,
      EXISTS (SELECT FROM addon_author w JOIN addon a ON a.id = w.addon_id
        WHERE w.account_id = p.id AND a.deleted_at IS NULL) AS "isDeveloper",
      (SELECT json_object_agg(s.name, s.enabled) FROM notification_setting s WHERE s.account_id = p.id) AS chosen
    FROM account p WHERE p.id IN (${Prisma.join([...ids])})`;
  return new Map(
    rows.map(({ id, isDeveloper, chosen }) => [
      id,
      notificationsOf(isDeveloper, chosen ?? {}).map((notification) => ({ ...notification, accountId: id })),
    ]),
  );
}

/** The notifications of an account. */
export const accountNotifications = perRequest<number, AccountNotification[]>(async (ids) => {
  const found = await readNotifications(db, ids);
  return ids.map((id) => found.get(id) ?? []);
});

/**
 * Switches notifications of an account on and off (contract, POST notifications). Returns its id. `values` are unchecked, by
 * name.
 * @throws what `editableAccountId` throws, and {InvalidInputError} for all names at fault together: then nothing changes.
 */
export async function changeNotifications(
  viewer: Viewer,
  by: AccountRef,
  values: ReadonlyMap<string, unknown>,
): Promise<number> {
  const editor = requireSignedIn(viewer);
  const id = await editableAccountId(viewer, by);
  await db.$transaction(async (tx) => {
    // Serialises changes of the same account.
    await tx.$queryRaw`SELECT FROM account WHERE id = ${id} FOR NO KEY UPDATE`;
    const current = (await readNotifications(tx, [id])).get(id) ?? [];
    const { changes, problems } = checkNotifications(values, current);
    if (problems.size > 0) throw refusedFields(problems);
    if (changes.size === 0) return;
    await tx.$executeRaw`
      INSERT INTO notification_setting (account_id, name, enabled)
      SELECT ${id}, name, enabled FROM unnest(${[...changes.keys()]}::text[], ${[...changes.values()]}::bool[]) AS c(name, enabled)
      ON CONFLICT (account_id, name) DO UPDATE SET enabled = excluded.enabled`;
    const details = { accountId: id, ...Object.fromEntries(changes) };
    await recordActivity(tx, { action: 'notifications-changed', accountId: editor.accountId, details });
    const notice = { name: 'account-notifications-changed', path: '/account/notifications/' } as const;
    await recordAccountAct(tx, editor, id, { action: 'notifications-changed', details, notice });
  });
  return id;
}
