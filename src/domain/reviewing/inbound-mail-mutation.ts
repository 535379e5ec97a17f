import { config } from '../../config.ts';
import { builder, INTERNAL } from '../../graphql/builder.ts';
import { receiveMail } from './inbound-mail.ts';

const ReceivedMailType = builder.objectRef<{ isValidation: boolean }>('ReceivedMail').implement({
  description: 'What became of a posted mail.',
  fields: (t) => ({
    isValidation: t.exposeBoolean('isValidation', {
      description: 'Whether the mail server only checked the address.',
    }),
    validationKey: t.string({
      description: 'The setting INBOUND_MAIL_VALIDATION_KEY.',
      resolve: () => config.INBOUND_MAIL_VALIDATION_KEY,
    }),
  }),
});

builder.mutationField('receiveMail', (t) =>
  t.field({
    type: ReceivedMailType,
    description: 'Receives a mail from a mail server, which the secret in the values authenticates.',
    subGraphs: INTERNAL,
    args: { values: t.arg({ type: 'JSON', required: true, description: 'The unchecked values of the body.' }) },
    resolve: async (_root, { values }, { ip }) => ({
      isValidation: (await receiveMail(ip, values as Record<string, unknown>)) === 'validation',
    }),
  }),
);
