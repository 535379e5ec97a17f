import { html } from 'hono/html';
import { type Page, page } from './page.ts';

/** An account that the page offers. */
export interface OfferedAccount {
  username: string;
  displayName: string;
}

interface Offer {
  accounts: readonly OfferedAccount[];
  /** The path that the sign-in leads to. */
  nextPath: string;
  /** Where the form is sent. */
  action: string;
  /** The account that the browser is signed in as; null for none. */
  current: string | null;
}

/** The sign-in page of the demo: one button for each account, no passwords. */
export function demoSignInPage({ accounts, nextPath, action, current }: Offer): Promise<Page> {
  return page(
    'Sign in to the demo',
    html`<main>
<h1>Sign in to the demo</h1>
<p>This installation is a demo, so you need no password. With real data, set <code>OIDC_ISSUER</code> to sign in through an
identity provider.</p>
${current === null ? '' : html`<p>You are signed in as <strong>${current}</strong>.</p>`}
<form method="post" action="${action}">
<input type="hidden" name="to" value="${nextPath}">
<ul>
${accounts.map(
  ({ username, displayName }) =>
    html`<li><button name="username" value="${username}">Sign in as ${displayName} (${username})</button></li>
`,
)}
</ul>
</form>
</main>`,
    { hasForm: true },
  );
}
