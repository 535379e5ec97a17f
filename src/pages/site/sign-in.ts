import { html } from 'hono/html';
import { safeNextPath } from '../../auth/next-path.ts';
import { SignOutDocument } from '../../generated/operations/graphql.ts';
import { clearedSessionCookies } from '../../http/cookies.ts';
import { labelParam } from '../../http/params.ts';
import { csrfField } from '../components/form.ts';
import { type FormRow, form } from '../form.ts';
import { type PageRedirect, page, redirect } from '../page.ts';

/** Starts a sign-in; one address serves all API versions. */
export const SIGN_IN_PATH = '/api/v4/accounts/login/start/';

/** The address that starts a sign-in and leads to `next` after it. */
const signInStart = (next: string): string => `${SIGN_IN_PATH}?${new URLSearchParams({ to: next })}`;

/**
 * The page before the identity provider. It leads there by a link: browsers refuse forms that are redirected to another site.
 * `again`: also for signed-in viewers, before actions that need a recent sign-in.
 */
export const loginPage = page({
  path: '/login/',
  visitor: 'all',
  query: {
    next: labelParam('Where the sign-in leads.'),
    again: labelParam('Whether signed-in viewers sign in again.'),
  },
  view: (_data, { query }, { t, viewer }) => {
    const next = safeNextPath(query.next) ?? '/';
    const isAgain = viewer !== null && query.again !== null;
    if (viewer !== null && !isAgain) return redirect(next, 303);
    return {
      title: t('login.title'),
      robots: 'noindex',
      neverStored: true,
      main: html`<div class="prose">
<h1>${t('login.title')}</h1>
<p>${t(isAgain ? 'login.again' : 'login.why')}</p>
${next.startsWith('/developers/') && !isAgain && html`<p>${t('login.developers', { guide: html`<a href="/docs/first-addon/">${t('docs.first.title')}</a>` })}</p>`}
<p><a class="button primary" href="${signInStart(next)}" rel="nofollow">${t('login.start')}</a></p>
<p class="muted">${!isAgain && html`${t('login.new')} `}${t('login.how')}</p>
</div>`,
    };
  },
});

/** The page for browsers that come here by a link; the header of each page has the form too. */
export const logoutPage = page({
  path: '/logout/',
  visitor: 'all',
  view: (_data, _input, ui) => {
    const { t, viewer } = ui;
    if (viewer === null) return redirect('/', 303);
    return {
      title: t('logout.title'),
      robots: 'noindex',
      neverStored: true,
      main: html`<h1>${t('logout.title')}</h1>
<p>${t('logout.question', { name: html`<bdi>${viewer.username}</bdi>` })}</p>
<form method="post" action="/logout/">
<input type="hidden" name="form" value="logout">
${csrfField(ui)}
<button>${t('logout.title')}</button>
</form>`,
    };
  },
});

const signedOut = (): PageRedirect => ({ ...redirect('/?done=logout', 303), cookies: clearedSessionCookies() });

const signOutForm = form({
  page: logoutPage,
  name: 'logout',
  fields: {},
  document: SignOutDocument,
  variables: () => ({}),
  done: signedOut,
});

/** A session that has ended leaves nothing to end but the cookies of the browser. */
export const logoutForm: FormRow = {
  ...signOutForm,
  submit: async (submitted, input, context, ui) =>
    input.viewer === null ? signedOut() : signOutForm.submit(submitted, input, context, ui),
};
