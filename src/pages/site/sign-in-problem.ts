import { html } from 'hono/html';
import type { Message } from '../../texts/messages.ts';
import type { Html } from '../html.ts';
import { messageHtml } from '../messages.ts';
import type { PageContent } from '../page.ts';
import type { Ui } from '../ui.ts';
import { askOperator } from './operator.ts';
import { SIGN_IN_PATH } from './sign-in.ts';

interface Problem {
  status: number;
  reason: Message;
  /** Why the operator disabled the account, in their words: empty without a reason. Null for other problems. */
  comment: string | null;
}

/** The page of a failed sign-in, with a link to try again (docs/decisions.md D104). */
export function signInProblem(ui: Ui, { status, reason, comment }: Problem): PageContent {
  const { t } = ui;
  return {
    title: t('login.failed'),
    status,
    robots: 'noindex',
    neverStored: true,
    main: html`<h1>${t('login.failed')}</h1>
${comment === null ? html`<p>${messageHtml(ui, reason)}</p>` : accountDisabled(ui, comment)}
${status === 403 && askOperator(ui)}
<p><a class="button" href="${SIGN_IN_PATH}">${t('login.retry')}</a></p>
<p><a href="/">${t('error.home')}</a></p>`,
  };
}

/** That the operator disabled the account, and why, in their words. */
const accountDisabled = ({ t }: Ui, comment: string): Html => html`<p>${t('login.account-disabled')}</p>
${
  comment === ''
    ? html`<p>${t('login.account-disabled.unexplained')}</p>`
    : html`<p>${t('login.account-disabled.reason')}</p>
<blockquote><bdi>${comment}</bdi></blockquote>`
}`;
