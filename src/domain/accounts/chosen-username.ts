import { config } from '../../config.ts';
import { type Message, message } from '../../texts/messages.ts';
import { isAnonymousUsername } from './anonymous-username.ts';
import { usernameProblem } from './new-account.ts';

/** Why a person may not choose this username (docs/decisions.md D91); null when they may. Whether it is free is another question. */
export function chosenUsernameProblem(text: string): Message | null {
  const isDenied = config.DENIED_USERNAMES.some((word) => word.toLowerCase() === text.toLowerCase());
  return usernameProblem(text) ?? (isDenied || isAnonymousUsername(text) ? message('account.username_denied') : null);
}
