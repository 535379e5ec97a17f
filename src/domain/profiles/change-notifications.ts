import { requireSignedIn } from '../../auth/permissions.ts';
import type { Viewer } from '../../auth/viewer.ts';
import { refusedFields } from '../../errors.ts';
import { perRequest } from '../../graphql/per-request.ts';
import { type Database, db, Prisma } from '../../infra/db.ts';
import { NOTIFICATION_NAMES, type NotificationName } from '../../package/enums.ts';
import { type Message, message } from '../../texts/messages.ts';
import type { AccountRef } from '../accounts/account-ref.ts';
import { editableAccountId } from '../accounts/find-account.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { isMailing, MAILINGS } from '../mail/notification-types.ts';
import { recordAccountAct } from '../mail/record-staff-act.ts';

/** The types that accounts without add-ons have too (docs/decisions.md D98). */
const FOR_ALL: ReadonlySet<NotificationName> = new Set(['reply', 'new_features']);

const MANDATORY: ReadonlySet<NotificationName> = new Set([
  'upgrade_fail',
  'sdk_upgrade_fail',
  'reviewer_reviewed',
  'individual_contact',
]);

/** The setting of an account for one type of notification (contract, Notification). */
interface Notification {
  name: NotificationName;
  enabled: boolean;
  mandatory: boolean;
}

/** The notifications of an account, in the order of their types. `chosen` has its choices by name. */
function notificationsOf(isDeveloper: boolean, chosen: Readonly<Record<string, boolean>>): Notification[] {
  return NOTIFICATION_NAMES.filter((name) => isDeveloper || FOR_ALL.has(name)).map((name) => {
    const isOnByDefault = isMailing(name) ? MAILINGS[name].isOnByDefault : true;
    const mandatory = MANDATORY.has(name);
    return { name, mandatory, enabled: mandatory || (chosen[name] ?? isOnByDefault) };
  });
}

/**
 * Reads unchecked changes of notifications by name: names that the account does not have and null are ignored. The problems are
 * by name.
 */
function checkNotifications(
  values: ReadonlyMap<string, unknown>,
  notifications: readonly Notification[],
): { changes: Map<string, boolean>; problems: Map<string, Message> } {
  const changes = new Map<string, boolean>();
  const problems = new Map<string, Message>();
  for (const { name, enabled, mandatory } of notifications) {
    const value = values.get(name);
    if (value == null) continue;
    if (typeof value !== 'boolean') problems.set(name, message('field.not_boolean'));
    else if (mandatory) problems.set(name, mandatoryText(name, value));
    else if (value !== enabled) changes.set(name, value);
  }
  return { changes, problems };
}

const mandatoryText = (name: string, value: boolean): Message =>
  message(value ? 'notification.mandatory_on' : 'notification.mandatory_off', { name });

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
