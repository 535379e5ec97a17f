import { config } from '../../config.ts';

/** The name shown for a generated username, `anonymous-` and 32 hex digits. */
const anonymousName = (username: string): string =>
  `${config.SITE_NAME} user ${username.replace(/^anonymous-/, '').slice(0, 6)}`;

/** The name of an account: the display name, else the username (contract, Account). */
export function accountName(account: {
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
}): string {
  if (account.displayName) return account.displayName;
  return account.hasChosenUsername ? account.username : anonymousName(account.username);
}
