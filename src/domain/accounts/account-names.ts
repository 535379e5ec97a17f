/* The names of accounts: the one that is shown, and the rules of usernames. */
import { randomBytes } from 'node:crypto';
import { config } from '../../config.ts';
import { type Message, message } from '../../texts/messages.ts';

/** The name shown for a generated username, `anonymous-` and 32 hex digits. */
const anonymousName = (username: string): string =>
  `${config.SITE_NAME} user ${username.replace(/^anonymous-/, '').slice(0, 6)}`;

/** The beginning of the generated usernames that are shown with a name; null for another name. */
export function anonymousBeginning(name: string): string | null {
  const [prefix, digits] = [`${config.SITE_NAME} user `, name.slice(-6)];
  const isShown = name.toLowerCase() === `${prefix}${digits}`.toLowerCase() && /^[0-9a-f]{6}$/i.test(digits);
  return isShown ? `anonymous-${digits.toLowerCase()}` : null;
}

/** The name of an account: the display name, else the username (contract, Account). */
export function accountName(account: {
  username: string;
  displayName: string | null;
  hasChosenUsername: boolean;
}): string {
  if (account.displayName) return account.displayName;
  return account.hasChosenUsername ? account.username : anonymousName(account.username);
}

/** Maximum number of characters of a name or an address. */
export const MAX_ACCOUNT_TEXT = 255;

const ANONYMOUS = /^anonymous-[0-9a-f]{32}$/i;

/** A new username for an account that has not chosen one. */
export const anonymousUsername = (): string => `anonymous-${randomBytes(16).toString('hex')}`;

/** Whether a username has the form of generated ones, which no account may choose. */
const isAnonymousUsername = (username: string): boolean => ANONYMOUS.test(username);

/** Why a username is invalid (contract, PATCH account); null for a valid one. */
export function usernameProblem(username: string): Message | null {
  if (!/^[A-Za-z0-9_-]+$/.test(username)) {
    return message('account.invalid_username');
  }
  if (/^\d+$/.test(username)) return message('account.username_digits');
  return username.length > MAX_ACCOUNT_TEXT ? message('field.too_long', { count: MAX_ACCOUNT_TEXT }) : null;
}

/** Why a person may not choose this username (docs/decisions.md D91); null when they may. Whether it is free is another question. */
export function chosenUsernameProblem(text: string): Message | null {
  const isDenied = [config.OPERATOR_ACCOUNT, ...config.DENIED_USERNAMES].some(
    (word) => word.toLowerCase() === text.toLowerCase(),
  );
  return usernameProblem(text) ?? (isDenied || isAnonymousUsername(text) ? message('account.username_denied') : null);
}
