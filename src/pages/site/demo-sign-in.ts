import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import type { Ui } from '../ui.ts';

/** An account that the page offers. */
interface OfferedAccount {
  username: string;
  displayName: string;
}

interface Offer {
  accounts: readonly OfferedAccount[];
  /** The path that the sign-in leads to. */
  nextPath: string;
  /** Where the form is sent. */
  action: string;
  /** Whether the page creates accounts. */
  isOpen: boolean;
  /** The refused name of a new account, and why; null for a new form. */
  refused: { username: string; reasons: readonly (Html | string)[] } | null;
}

/** The sign-in page of the demo: one button for each account, no passwords. */
export function demoSignIn(ui: Ui, offer: Offer): PageContent {
  const { t, viewer } = ui;
  const { accounts, nextPath, action } = offer;
  return {
    ...(offer.refused !== null && { status: 422 }),
    title: t('login.demo-title'),
    robots: 'noindex',
    neverStored: true,
    main: html`<div class="prose">
<h1>${t('login.demo-title')}</h1>
<p>${t('login.demo-why')}</p>
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
</form>
${offer.isOpen && newAccount(ui, offer)}`,
  };
}

/** The form with which newcomers create an account and sign in with it. */
const newAccount = ({ t }: Ui, { nextPath, action, refused }: Offer): Html => html`<section aria-labelledby="newcomer">
<h2 id="newcomer">${t('login.demo-new')}</h2>
<p>${t('login.demo-new-why')}</p>
<form method="post" action="${action}" class="form">
<input type="hidden" name="to" value="${nextPath}">
<div class="form-field ${refused === null ? '' : 'invalid'}"><label for="newcomer-name">${t('account.username')}</label>
<div class="field-hint" id="newcomer-hint">${t('login.demo-name-hint')}</div>
${refused !== null && html`<div class="field-error" id="newcomer-error">${refused.reasons.map((reason) => html`<p><span class="visually-hidden">${t('ui.field.error')}</span> ${reason}</p>`)}</div>`}
<input type="text" id="newcomer-name" name="newcomer" value="${refused?.username ?? ''}" required maxlength="30" autocomplete="off" dir="ltr" aria-describedby="newcomer-hint${refused === null ? '' : ' newcomer-error'}"${refused !== null && html` aria-invalid="true"`}></div>
<div class="form-actions cluster"><button type="submit" class="button primary">${t('login.demo-create')}</button></div>
</form>
</section>`;
