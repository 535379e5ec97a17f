import { html } from 'hono/html';
import { config } from '../config.ts';
import { type Page, page } from './page.ts';

/** Starts a sign-in; one address serves all API versions. */
export const SIGN_IN_PATH = '/api/v4/accounts/login/start/';

/** The page of a failed sign-in, with a link to try again (people.md D104). */
export function signInProblemPage(status: number, detail: string): Promise<Page> {
  return page(
    'Sign-in failed',
    html`<main>
<h1>Sign-in failed</h1>
<p>${detail}</p>
<p><a href="${SIGN_IN_PATH}">Try again</a>, or go to the <a href="/">start page</a> of ${config.SITE_NAME}.</p>
</main>`,
    { status },
  );
}
