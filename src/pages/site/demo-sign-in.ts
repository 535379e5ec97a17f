import { html } from 'hono/html';
import type { Content } from '../page.ts';
import type { Ui } from '../ui.ts';

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
}

/** The sign-in page of the demo: one button for each account, no passwords. */
export function demoSignIn({ t, viewer }: Ui, { accounts, nextPath, action }: Offer): Content {
  return {
    title: t('login.demo-title'),
    robots: 'noindex',
    neverStored: true,
    main: html`<div class="prose">
<h1>${t('login.demo-title')}</h1>
<p>${t('login.demo-why', { setting: html`<code>OIDC_ISSUER</code>` })}</p>
${viewer === null ? '' : html`<p>${t('login.demo-current', { name: html`<strong><bdi>${viewer.username}</bdi></strong>` })}</p>`}
</div>
<form method="post" action="${action}">
<input type="hidden" name="to" value="${nextPath}">
<ul class="plain-list stack">
${accounts.map(
  ({ username, displayName }) =>
    html`<li><button class="button" name="username" value="${username}"><span>${t('login.demo-as', { name: html`<bdi>${displayName}</bdi>`, username: html`<bdi dir="ltr">${username}</bdi>` })}</span></button></li>
`,
)}
</ul>
</form>`,
  };
}
