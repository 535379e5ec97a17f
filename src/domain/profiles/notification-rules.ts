import { type Message, message } from '../../texts/messages.ts';
import { isMailing, MAILINGS, NOTIFICATION_NAMES, type NotificationName } from '../mail/notification-types.ts';

/** The types that accounts without add-ons have too (docs/decisions.md D98). */
const FOR_ALL: ReadonlySet<NotificationName> = new Set(['reply', 'new_features']);

const MANDATORY: ReadonlySet<NotificationName> = new Set([
  'upgrade_fail',
  'sdk_upgrade_fail',
  'reviewer_reviewed',
  'individual_contact',
]);

/** The setting of an account for one type of notification (contract, Notification). */
export interface Notification {
  name: NotificationName;
  enabled: boolean;
  mandatory: boolean;
}

/** The notifications of an account, in the order of their types. `chosen` has its choices by name. */
export function notificationsOf(isDeveloper: boolean, chosen: Readonly<Record<string, boolean>>): Notification[] {
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
export function checkNotifications(
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
