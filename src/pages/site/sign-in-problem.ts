import { html } from 'hono/html';
import type { MessageOrText } from '../../texts/messages.ts';
import { messageHtml } from '../messages.ts';
import type { Content } from '../page.ts';
import type { Ui } from '../ui.ts';
import { askOperator } from './operator.ts';
import { SIGN_IN_PATH } from './sign-in.ts';

/** The page of a failed sign-in, with a link to try again (people.md D104). */
export function signInProblem(ui: Ui, status: number, detail: MessageOrText): Content {
  const { t } = ui;
  return {
    title: t('login.failed'),
    status,
    robots: 'noindex',
    neverStored: true,
    main: html`<h1>${t('login.failed')}</h1>
<p>${messageHtml(ui, detail)}</p>
${status === 403 && askOperator(ui)}
<p><a class="button" href="${SIGN_IN_PATH}">${t('login.retry')}</a></p>
<p><a href="/">${t('error.home')}</a></p>`,
  };
}
