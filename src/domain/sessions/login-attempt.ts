import type { AttemptSecrets } from '../../auth/identity-provider.ts';
import { safeNextPath } from '../../auth/next-path.ts';
import { hashCookieValue, isCookieValue, newCookieValue } from '../../auth/page-session.ts';
import { db } from '../../infra/db.ts';

/** How long a sign-in may take (docs/decisions.md D102). */
const ATTEMPT_MINUTES = 10;

interface StartedAttempt extends AttemptSecrets {
  /** Value of the cookie that binds the sign-in to the browser. */
  browser: string;
  nextPath: string | null;
}

/**
 * The secrets of a new sign-in that leads to `to`. `browser` is the cookie of an earlier one, which is kept so that sign-ins in
 * several tabs do not disturb each other.
 */
export function newAttempt(to: string | null, browser: string | null): StartedAttempt {
  const nextPath = safeNextPath(to);
  const ending = nextPath === null ? '' : `:${Buffer.from(nextPath).toString('base64url')}`;
  return {
    state: newCookieValue() + ending,
    nonce: newCookieValue(),
    verifier: newCookieValue(),
    browser: browser !== null && isCookieValue(browser) ? browser : newCookieValue(),
    nextPath,
  };
}

/** Stores a sign-in for all processes. Its identity will be linked to the account `linkAccountId`; null signs in. */
export async function storeAttempt(
  { state, browser, nonce, verifier, nextPath }: StartedAttempt,
  linkAccountId: number | null,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO login_attempt (state_hash, browser_hash, nonce, verifier, next_path, link_account_id, expires)
    VALUES (${hashCookieValue(state)}, ${hashCookieValue(browser)}, ${nonce}, ${verifier}, ${nextPath}, ${linkAccountId},
      now() + make_interval(mins => ${ATTEMPT_MINUTES}))`;
}

/** A sign-in that returns from the provider. */
interface TakenAttempt extends AttemptSecrets {
  nextPath: string | null;
  linkAccountId: number | null;
}

/** Takes the sign-in with this state, which is thereby used; null unless this browser has started it within ten minutes. */
export async function takeAttempt(state: string, browser: string): Promise<TakenAttempt | null> {
  const [attempt] = await db.$queryRaw<Omit<TakenAttempt, 'state'>[]>`
    DELETE FROM login_attempt
    WHERE state_hash = ${hashCookieValue(state)} AND browser_hash = ${hashCookieValue(browser)} AND expires > now()
    RETURNING nonce, verifier, next_path AS "nextPath", link_account_id AS "linkAccountId"`;
  return attempt === undefined ? null : { ...attempt, state, nextPath: safeNextPath(attempt.nextPath) };
}
