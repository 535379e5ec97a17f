import { idOf } from '../../graphql/global-id.ts';
import { mutation } from '../../graphql/mutation.ts';
import { retryMail } from './find-mails.ts';
import { OutgoingMail } from './outgoing-mail.ts';

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
