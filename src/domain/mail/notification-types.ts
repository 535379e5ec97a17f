import { Prisma } from '../../infra/db.ts';
import type { NotificationName } from '../../package/enums.ts';

/** The types of mailings (docs/decisions.md D119): whether accounts that chose nothing get them, and whether only developers do. */
export const MAILINGS = {
  new_features: { isOnByDefault: true, isForDevelopers: false },
  announcements: { isOnByDefault: false, isForDevelopers: true },
} as const satisfies Partial<Record<NotificationName, { isOnByDefault: boolean; isForDevelopers: boolean }>>;

export type MailingName = keyof typeof MAILINGS;

/** Whether mails of this type are mailings, which each account can switch off. */
export function isMailing(name: string | null): name is MailingName {
  return name !== null && Object.hasOwn(MAILINGS, name);
}

/** The types about ratings, which accounts have on until they switch them off. */
const ABOUT_RATINGS: readonly NotificationName[] = ['reply', 'new_review'];

/** The types whose mails an account can switch off. */
export const SWITCHABLE = [...(Object.keys(MAILINGS) as MailingName[]), ...ABOUT_RATINGS];

/**
 * Whether account `a` gets mail of a type, as SQL: it has an address, is neither disabled nor deleted, and wants a type that can be
 * switched off.
 */
export function getsMail(notification: NotificationName | null): Prisma.Sql {
  const reachable = Prisma.sql`a.email IS NOT NULL AND a.deleted_at IS NULL AND a.disabled_at IS NULL`;
  if (notification !== null && ABOUT_RATINGS.includes(notification))
    return Prisma.sql`${reachable} AND NOT EXISTS (
      SELECT FROM notification_setting s WHERE s.account_id = a.id AND s.name = ${notification} AND NOT s.enabled)`;
  if (!isMailing(notification)) return reachable;
  const { isOnByDefault, isForDevelopers } = MAILINGS[notification];
  return Prisma.sql`${reachable} AND coalesce((
      SELECT s.enabled FROM notification_setting s WHERE s.account_id = a.id AND s.name = ${notification}
    ), ${isOnByDefault}::bool) AND (NOT ${isForDevelopers}::bool OR EXISTS (
      SELECT FROM addon_author u JOIN addon o ON o.id = u.addon_id WHERE u.account_id = a.id AND o.deleted_at IS NULL))`;
}
