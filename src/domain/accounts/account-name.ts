/** Anonymous usernames, which nobody has chosen, have this form; the name shown for one is shorter. */
const anonymousName = (username: string): string => `User ${username.replace(/^anonymous-/, '').slice(0, 6)}`;

/** The name that an account is shown under: the one chosen, else the username (contract, Account). */
export function accountName(account: {
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
}): string {
  if (account.displayName) return account.displayName;
  return account.hasChosenUsername ? account.username : anonymousName(account.username);
}
