import { config } from '../../config.ts';
import { headerText } from './mail-settings.ts';
import { isMailing } from './notification-types.ts';
import type { MailHeader } from './queue-mail.ts';
import { replyAddress } from './reply-address.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/** What the headers of a mail depend on. */
export interface MailAddressing {
  id: number;
  accountId: number | null;
  /** Empty when the account was deleted. */
  address: string;
  notification: string | null;
  subject: string;
  headers: unknown;
  versionId: number | null;
  created: Date;
  /** What the database stores of the token of the reply address, if there is one. */
  replyTokenHash?: string | null;
}

/**
 * All headers of a mail, as they are sent. Reply address and unsubscribe link are secrets of the recipient and not stored.
 */
export function mailHeaders(mail: MailAddressing): MailHeader[] {
  const { accountId, notification, versionId } = mail;
  const stored = mail.headers as MailHeader[];
  const isReplied = accountId !== null && versionId !== null;
  return [
    ...(mail.address === '' ? [] : [{ name: 'To', value: mail.address }]),
    { name: 'Subject', value: headerText(mail.subject) },
    { name: 'Date', value: mail.created.toUTCString().replace('GMT', '+0000') },
    ...stored,
    ...(isReplied ? [{ name: 'Reply-To', value: replyAddress(mail.id, mail.replyTokenHash) }] : []),
    ...(accountId !== null && isMailing(notification) ? unsubscribeHeaders(accountId, notification) : []),
  ];
}

/** One-click unsubscription (RFC 8058). */
function unsubscribeHeaders(accountId: number, notification: string): MailHeader[] {
  return [
    { name: 'List-Id', value: `<${notification.replaceAll('_', '-')}.${new URL(config.BASE_URL).hostname}>` },
    { name: 'List-Unsubscribe', value: `<${unsubscribeUrl(accountId, notification)}>` },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ];
}
