import { config } from '../../config.ts';

/** Domain of reply addresses and message ids. */
export const mailDomain = (): string => config.MAIL_DOMAIN ?? new URL(config.BASE_URL).hostname;

/** Characters that must not be in a header: control characters, line separators, and those that reorder text. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;
const MAX_HEADER = 255;

/** A text as the value of a header: one line of at most 255 characters. */
export function headerText(text: string): string {
  const line = text.toWellFormed().replace(UNSAFE, ' ').trim();
  const characters = [...line];
  return characters.length > MAX_HEADER ? `${characters.slice(0, MAX_HEADER - 1).join('')}…` : line;
}

/** The sender of every mail: the address, and the value of the header `From`. */
export function mailSender(): { address: string; from: string } {
  const text = config.MAIL_FROM ?? `${quotedName(headerText(config.SITE_NAME))} <noreply@${mailDomain()}>`;
  return { address: /<([^<>]+)>$/.exec(text)?.[1] ?? text, from: text };
}

/** A display name, quoted when it has characters with a meaning in addresses. */
function quotedName(name: string): string {
  return /^[\p{L}\p{N} _]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** An address that is safe in a header and an envelope: no spaces, control characters or quoted parts. */
export function isSendable(address: string): boolean {
  return address.length <= 254 && /^[^\s\p{Cc}<>()[\]:;,\\"@]+@[^\s\p{Cc}<>()[\]:;,\\"@]+$/u.test(address);
}
