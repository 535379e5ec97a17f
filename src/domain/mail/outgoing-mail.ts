import { builder, enumOf } from '../../graphql/builder.ts';
import { loadableNode } from '../../graphql/loadable-node.ts';
import { mailHeaders } from './compose-mail.ts';
import { loadMails, type MailRow } from './find-mails.ts';
import type { MailHeader } from './queue-mail.ts';

export const MailStateEnum = enumOf('MailState', 'The state of an outgoing mail.', {
  queued: 'Waits for its first or next attempt.',
  sent: 'The mail server has accepted it.',
  failed: 'A dead letter: refused for good, out of attempts, or its account gets no such mail any more.',
});

const NotificationNameEnum = enumOf('NotificationName', 'A type of notification (see Notification.name).', {
  reply: 'A developer replied to a rating. Never sent.',
  new_features: 'News about add-ons for users.',
  upgrade_success: 'A compatible version was found. Never sent.',
  sdk_upgrade_success: 'An SDK upgrade succeeded. Never sent.',
  new_review: 'An add-on was rated. Never sent.',
  upgrade_fail: 'A version is not compatible. Never sent.',
  sdk_upgrade_fail: 'An SDK upgrade failed. Never sent.',
  reviewer_reviewed: 'Decisions and messages of reviewing.',
  individual_contact: 'A letter of moderators or operators.',
  announcements: 'News for developers.',
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
