import { html } from 'hono/html';
import {
  ChangeNotificationsDocument,
  type NotificationFieldsFragment,
  NotificationsPageDocument,
} from '../../generated/operations/graphql.ts';
import { formElement } from '../components/form.ts';
import { notice } from '../components/notice.ts';
import { checkbox, textField } from '../fields.ts';
import { form } from '../form.ts';
import { page } from '../page.ts';
import { isTextKey } from '../texts.ts';
import type { Ui } from '../ui.ts';
import { accountPage, ownId } from './account-page.ts';

/** The types that an account can switch off (contract, Notification). */
const OPTIONAL = {
  reply: checkbox,
  new_features: checkbox,
  upgrade_success: checkbox,
  sdk_upgrade_success: checkbox,
  new_review: checkbox,
  announcements: checkbox,
};

/** The types of which this service sends mails. The others are settings that clients of the API have. */
const SENT = ['new_features', 'reviewer_reviewed', 'individual_contact', 'announcements'];

/** The notifications of the account, each with a switch. */
export const notificationsPage = page({
  path: '/account/notifications/',
  visitor: 'account',
  document: NotificationsPageDocument,
  view: ({ viewer }, _input, ui) => {
    if (!viewer?.private) return null;
    const { email, notifications } = viewer.private;
    const { t } = ui;
    const sent = notifications.filter(({ name }) => SENT.includes(name));
    const others = notifications.filter(({ name }) => !SENT.includes(name));
    return accountPage(
      ui,
      'notifications',
      html`<p>${email ? t('account.notifications.to', { email: html`<bdi dir="ltr">${email}</bdi>` }) : ''}</p>
${email ? '' : notice(ui, { kind: 'warning', text: t('account.notifications.no-email') })}
${formElement(ui, {
  name: 'notifications',
  submit: t('account.notifications.save'),
  hidden: { shown: notifications.map(({ name }) => name).join() },
  parts: [
    { kind: 'group', legend: t('account.notifications.sent'), parts: sent.map((each) => box(ui, each)) },
    {
      kind: 'group',
      legend: t('account.notifications.others'),
      hint: t('account.notifications.others-why'),
      parts: others.map((each) => box(ui, each)),
    },
  ],
})}`,
    );
  },
});

function box({ t }: Ui, { name, isEnabled, isMandatory }: NotificationFieldsFragment) {
  return {
    kind: 'checkbox',
    name,
    label: notificationText({ t }, name),
    isChecked: isEnabled,
    ...(isMandatory && { isLocked: true, hint: t('account.notifications.mandatory') }),
  } as const;
}

/** What a type of notification is about; its name for an unknown type. */
export function notificationText({ t }: Pick<Ui, 't'>, name: string) {
  const key = `account.notification.${name}`;
  return isTextKey(key) ? t(key) : html`<bdi dir="ltr">${name}</bdi>`;
}

export const notificationsForm = form({
  page: notificationsPage,
  name: 'notifications',
  // Types that the page did not show keep their values.
  fields: { ...OPTIONAL, shown: textField },
  document: ChangeNotificationsDocument,
  variables: ({ shown, ...enabled }, input) => {
    const names = shown.split(',');
    const changes = Object.entries(enabled).filter(([name]) => names.includes(name));
    return { input: { id: ownId(input), changes: changes.map(([name, isOn]) => ({ name, isEnabled: isOn })) } };
  },
});
