import { NotFoundError } from '../../errors.ts';
import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { retryMail } from './find-mails.ts';
import { OutgoingMail } from './outgoing-mail.ts';
import { openUnsubscribeToken, unsubscribe } from './unsubscribe.ts';

mutation('retryMail', {
  description: 'Sends a waiting mail or a dead letter now, with all attempts left. Requires Admin:Mail.',
  input: 'The mail to send.',
  inputFields: (t) => ({ id: t.id({ required: true, description: 'Global id of the mail.' }) }),
  resolve: async ({ id }, context) => {
    const mailId = idOf('OutgoingMail', id);
    await retryMail(context.viewer, mailId);
    return { mailId };
  },
  payloadFields: (t) => ({
    mail: t.field({ type: OutgoingMail, description: 'The mail.', resolve: ({ mailId }) => mailId }),
  }),
});

mutation('unsubscribe', {
  description:
    'Switches the type of mailings off that an unsubscribe link of a mail names, for the account that got the mail. The token is the credential: no sign-in is needed. NOT_FOUND for a token that this service did not make.',
  input: 'The link of a mail.',
  inputFields: (t) => ({
    token: t.string({ required: true, description: 'The last part of the path of the unsubscribe link.' }),
  }),
  resolve: async ({ token }) => {
    const target = openUnsubscribeToken(token);
    if (target === null || !(await unsubscribe(token))) throw new NotFoundError();
    return target;
  },
  payloadFields: (t) => ({
    notification: t.exposeString('notification', { description: 'The type, as in Notification.name.' }),
  }),
});
