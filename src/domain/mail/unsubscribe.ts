import { isLinkCode, linkCode } from '../../auth/secret-box.ts';
import { config } from '../../config.ts';
import { db } from '../../infra/db.ts';
import { isMailing, type MailingName } from './notification-types.ts';

const CODE_BYTES = 16;
const TOKEN = /^(\d{1,10})-([a-z_]{1,40})-([0-9a-f]{32})$/;

function signature(subject: string): string {
  return linkCode('unsubscribe', subject).subarray(0, CODE_BYTES).toString('hex');
}

/** The address that switches a type of mailings off for an account, without sign-in. */
export function unsubscribeUrl(accountId: number, notification: string): string {
  const subject = `${accountId}-${notification}`;
  return `${config.BASE_URL}/account/unsubscribe/${subject}-${signature(subject)}/`;
}

/** The account and the type that a token names; null for a token that this installation did not make. */
export function openUnsubscribeToken(token: string): { accountId: number; notification: MailingName } | null {
  const [, account = '', notification = '', mac = ''] = TOKEN.exec(token) ?? [];
  if (mac === '' || !isMailing(notification)) return null;
  const isValid = isLinkCode('unsubscribe', `${account}-${notification}`, Buffer.from(mac, 'hex'));
  return isValid ? { accountId: Number(account), notification } : null;
}

/** Switches a type of mailings off for the account of a token. Idempotent. Returns false for an invalid token. */
export async function unsubscribe(token: string): Promise<boolean> {
  const target = openUnsubscribeToken(token);
  if (target === null) return false;
  await db.$executeRaw`
    INSERT INTO notification_setting (account_id, name, enabled)
    SELECT id, ${target.notification}, false FROM account WHERE id = ${target.accountId} AND deleted_at IS NULL
    ON CONFLICT (account_id, name) DO UPDATE SET enabled = false`;
  return true;
}
