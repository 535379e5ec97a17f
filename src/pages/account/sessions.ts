import { html } from 'hono/html';
import {
  EndAllOtherSessionsDocument,
  EndOneSessionDocument,
  SessionsPageDocument,
  type SessionsPageQuery,
} from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { dataTable } from '../components/data-table.ts';
import { formElement } from '../components/form.ts';
import { day, moment, momentOrNever } from '../components/time.ts';
import { textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { accountPage } from './account-page.ts';
import { rowRefusal, rowsForm } from './parts.ts';

type Session = NonNullable<NonNullable<SessionsPageQuery['viewer']>['private']>['sessions'][number];

export const sessionsPage = page({
  path: '/account/sessions/',
  visitor: 'account',
  document: SessionsPageDocument,
  view: ({ viewer }, _input, ui) => {
    if (!viewer?.private) return null;
    const { t } = ui;
    const { sessions } = viewer.private;
    const others = sessions.filter(({ isCurrent }) => !isCurrent);
    return accountPage(
      ui,
      'sessions',
      html`<p>${t('account.sessions.why')}</p>
${rowRefusal(ui, 'end-session')}
${others.length === 0 ? html`${table(ui, sessions)}<p>${t('account.sessions.only')}</p>` : endForms(ui, sessions)}`,
    );
  },
});

function endForms(ui: Ui, sessions: readonly Session[]): Html {
  const submit = ui.t('account.sessions.end-others');
  return html`${rowsForm(ui, { name: 'end-session', table: table(ui, sessions) })}
${formElement(ui, { name: 'end-other-sessions', submit, parts: [], isDanger: true })}`;
}

function table(ui: Ui, sessions: readonly Session[]): Html {
  const { t } = ui;
  return dataTable(ui, {
    id: 'sessions',
    caption: t('account.sessions.title'),
    isCaptionHidden: true,
    columns: [
      'account.column.session',
      'account.column.action',
      'account.column.since',
      'account.column.last-used',
      'account.column.expires',
    ],
    rows: sessions.map((each) => [
      html`<bdi>${each.label}</bdi>`,
      each.isCurrent ? badge(ui, { kind: 'ok', text: t('account.sessions.current') }) : endButton(ui, each),
      moment(ui, each.created),
      momentOrNever(ui, each.lastUsed),
      day(ui, each.expires),
    ]),
  });
}

const endButton = ({ t }: Ui, { id, label }: Session): Html =>
  html`<button type="submit" class="button small" name="id" value="${id}">${t('account.sessions.end')}<span class="visually-hidden"> <bdi>${label}</bdi></span></button>`;

export const endSessionForm = form({
  page: sessionsPage,
  name: 'end-session',
  fields: { id: textField },
  document: EndOneSessionDocument,
  variables: (input) => ({ input }),
});

export const endOtherSessionsForm = form({
  page: sessionsPage,
  name: 'end-other-sessions',
  fields: {},
  document: EndAllOtherSessionsDocument,
  variables: () => ({}),
});
