import { config } from '../../config.ts';

/** Usernames that nobody has chosen begin with `anonymous-`; the name shown for one is shorter. */
const anonymousName = (username: string): string =>
  `${config.SITE_NAME} user ${username.replace(/^anonymous-/, '').slice(0, 6)}`;

/** The name that an account is shown under: the one chosen, else the username (contract, Account). */
export function accountName(account: {
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
}): string {
  if (account.displayName) return account.displayName;
  return account.hasChosenUsername ? account.username : anonymousName(account.username);
}
