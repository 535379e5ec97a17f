import { builder } from '../../graphql/builder.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mailHeaders } from './compose-mail.ts';
import { loadMails, type MailRow } from './find-mails.ts';
import type { MailHeader } from './queue-mail.ts';

export const MailStateEnum = builder.enumType('MailState', {
  description: 'The state of an outgoing mail.',
  values: {
    QUEUED: { value: 'queued', description: 'Waits for its first or next attempt.' },
    SENT: { value: 'sent', description: 'The mail server has accepted it.' },
    FAILED: {
      value: 'failed',
      description: 'A dead letter: refused for good, out of attempts, or its account gets no such mail any more.',
    },
  } as const,
});

const NotificationNameEnum = builder.enumType('NotificationName', {
  description: 'A type of notification (see Notification.name).',
  values: {
    REPLY: { value: 'reply', description: 'A developer replied to a rating. Never sent.' },
    NEW_FEATURES: { value: 'new_features', description: 'News about add-ons for users.' },
    UPGRADE_SUCCESS: { value: 'upgrade_success', description: 'A compatible version was found. Never sent.' },
    SDK_UPGRADE_SUCCESS: { value: 'sdk_upgrade_success', description: 'An SDK upgrade succeeded. Never sent.' },
    NEW_REVIEW: { value: 'new_review', description: 'An add-on was rated. Never sent.' },
    UPGRADE_FAIL: { value: 'upgrade_fail', description: 'A version is not compatible. Never sent.' },
    SDK_UPGRADE_FAIL: { value: 'sdk_upgrade_fail', description: 'An SDK upgrade failed. Never sent.' },
    REVIEWER_REVIEWED: { value: 'reviewer_reviewed', description: 'Decisions and messages of reviewing.' },
    INDIVIDUAL_CONTACT: { value: 'individual_contact', description: 'A letter of moderators or operators.' },
    ANNOUNCEMENTS: { value: 'announcements', description: 'News for developers.' },
  } as const,
});

const MailHeaderType = builder.objectRef<MailHeader>('MailHeader').implement({
  description: 'A header of a mail.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name, such as Reply-To.' }),
    value: t.exposeString('value', { description: 'Value, before it is encoded for transport.' }),
  }),
});

export const OutgoingMail = loadableNode<MailRow>('OutgoingMail', (ids, { viewer }) => loadMails(ids, viewer));

builder.objectType(OutgoingMail, {
  description: 'A mail of the outbox. Visible to holders of Admin:Mail.',
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric id.' }),
    to: t.exposeString('address', { description: 'Address of the recipient; empty when the account was deleted.' }),
    subject: t.exposeString('subject', { description: 'The subject.' }),
    text: t.exposeString('text', { description: 'The plain text form, as sent.' }),
    html: t.exposeString('html', { description: 'The HTML form, as sent.' }),
    headers: t.field({
      type: [MailHeaderType],
      description: 'Headers, as sent; those of content type and encoding are left out.',
      resolve: (mail) => mailHeaders(mail),
    }),
    notification: t.expose('notification', {
      type: NotificationNameEnum,
      nullable: true,
      description: 'The type of notification; null for a test mail.',
    }),
    state: t.expose('state', { type: MailStateEnum, description: 'Whether it was sent.' }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts to send it.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed; null when none failed or the mail was sent.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was queued.' }),
    sent: t.expose('sent', {
      type: 'DateTime',
      nullable: true,
      description: 'When the mail server accepted it; null before.',
    }),
  }),
});
