/* Browser sessions that are opened by requests, without a page. */
import { authorizationOf, type Cookies, ROLES, type Role } from './roles.ts';

/** An account that only one check uses. */
export interface Account {
  username: string;
  email: string;
  /** Cookies of a signed-in browser. */
  cookies: Cookies;
  /** The Authorization header of requests to the API. */
  authorization: string;
}

/**
 * Creates an account and signs it in. Those in the group `reviewer` review listed extensions.
 * @throws {Error} if the service does not allow it: `SUPER_CREATE` must be true.
 */
export async function createAccount(
  origin: string,
  administrator: Cookies,
  group: 'reviewer' | null,
): Promise<Account> {
  const response = await fetch(`${origin}/api/v4/accounts/super-create/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: authorizationOf(administrator) ?? '' },
    body: JSON.stringify(group === null ? {} : { group }),
  });
  if (response.status !== 201) throw new Error(`super-create returned ${response.status}: ${await response.text()}`);
  const cookies = cookiesOf(response, origin);
  const { username, email } = (await response.json()) as { username: string; email: string };
  return { username, email, cookies, authorization: authorizationOf(cookies) ?? '' };
}

/** Opens another session of an account of the demo. @throws {Error} if the demo refuses it. */
export async function openSession(origin: string, role: Role): Promise<Cookies> {
  const username = ROLES[role];
  if (username === null) return { cookies: [], origins: [] };
  const response = await fetch(`${origin}/demo/sign-in/`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ username, to: '/' }),
    redirect: 'manual',
  });
  if (response.status !== 303) throw new Error(`the sign-in of ${username} returned ${response.status}`);
  return cookiesOf(response, origin);
}

/** The cookies that a response sets, as a browser keeps them. */
function cookiesOf({ headers }: Response, origin: string): Cookies {
  const { hostname, protocol } = new URL(origin);
  const attributes = { domain: hostname, path: '/', expires: -1, httpOnly: true, sameSite: 'Lax' as const };
  const cookies = headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return { name, value, secure: protocol === 'https:', ...attributes };
  });
  return { cookies, origins: [] };
}
