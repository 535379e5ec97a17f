import { html } from 'hono/html';
import {
  AdminReadOnlyDocument,
  type AdminReadOnlyQuery,
  AdminSetReadOnlyDocument,
} from '../../generated/operations/graphql.ts';
import { badge } from '../components/badge.ts';
import { facts } from '../components/facts.ts';
import { formElement } from '../components/form.ts';
import { moment } from '../components/time.ts';
import { choice, textField } from '../fields.ts';
import { form } from '../form.ts';
import type { Html } from '../html.ts';
import { page } from '../page.ts';
import type { Ui } from '../ui.ts';
import { adminPage } from './frame.ts';

type State = AdminReadOnlyQuery['serviceState'];

const MAX_REASON = 500;

/** The switch of read-only mode, with what keeps the service in it. */
export const readOnlyPage = page({
  path: '/admin/read-only/',
  visitor: 'account',
  document: AdminReadOnlyDocument,
  view: ({ serviceState }, _input, ui) =>
    adminPage(ui, {
      tab: 'read-only',
      body: html`<p>${ui.t('admin.read-only.lead')}</p>
${stateFacts(ui, serviceState)}
${switchSection(ui, serviceState)}`,
    }),
});

function stateFacts(ui: Ui, { isReadOnly, readOnlyCauses, lastSwitch }: State): Html {
  const { t } = ui;
  const causes = readOnlyCauses ?? [];
  return facts(ui, {
    items: [
      {
        term: t('hub.versions.state'),
        value: badge(ui, {
          kind: isReadOnly ? 'warning' : 'ok',
          text: t(isReadOnly ? 'admin.health.frozen' : 'admin.health.writable'),
        }),
      },
      {
        term: t('admin.read-only.causes'),
        value:
          causes.length === 0
            ? null
            : html`${causes.map((cause, index) => html`${index > 0 && ', '}${t(`admin.read-only.cause.${cause}`)}`)}`,
      },
      {
        term: t('admin.read-only.last'),
        value:
          lastSwitch &&
          t(lastSwitch.isReadOnly ? 'admin.read-only.switched-on' : 'admin.read-only.switched-off', {
            actor: html`<bdi>${lastSwitch.actor}</bdi>`,
            time: moment(ui, lastSwitch.created),
          }),
      },
      {
        term: t('moderation.column.reason'),
        value: lastSwitch?.reason ? html`<span dir="auto">${lastSwitch.reason}</span>` : null,
      },
    ],
  });
}

function switchSection(ui: Ui, { readOnlyCauses }: State): Html {
  const { t } = ui;
  const isSwitched = (readOnlyCauses ?? []).includes('SWITCHED');
  const title = t(isSwitched ? 'admin.read-only.end' : 'admin.read-only.begin');
  return html`<section aria-labelledby="switch"><h2 id="switch">${title}</h2>
<p>${t(isSwitched ? 'admin.read-only.end-effect' : 'admin.read-only.begin-effect')}</p>
${formElement(ui, {
  name: 'admin-read-only',
  hidden: { on: isSwitched ? 'no' : 'yes' },
  parts: [
    {
      kind: 'textarea',
      name: 'reason',
      label: t('moderation.column.reason'),
      hint: t('admin.read-only.reason-hint'),
      maxLength: MAX_REASON,
      rows: 3,
    },
  ],
  submit: title,
  isDanger: !isSwitched,
})}</section>`;
}

/** Works in read-only mode, too. */
export const readOnlyForm = form({
  page: readOnlyPage,
  name: 'admin-read-only',
  fields: { on: choice('yes', 'no'), reason: textField },
  document: AdminSetReadOnlyDocument,
  variables: ({ on, reason }) => ({ isReadOnly: on === 'yes', reason }),
});
