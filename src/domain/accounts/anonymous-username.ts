import { randomBytes } from 'node:crypto';

const ANONYMOUS = /^anonymous-[0-9a-f]{32}$/i;

/** A new username for an account that has not chosen one. */
export const anonymousUsername = (): string => `anonymous-${randomBytes(16).toString('hex')}`;

/** Whether a username has the form of generated ones, which no account may choose. */
export const isAnonymousUsername = (username: string): boolean => ANONYMOUS.test(username);
